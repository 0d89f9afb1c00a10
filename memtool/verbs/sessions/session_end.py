"""session-end: what was held becomes memory where it is borne out, and the arc is put down; once (CoALA)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.policy import Policy, is_about_keeping
from memtool.core.facts.promote import Heard, Held, promote
from memtool.core.facts.support import Spoken
from memtool.core.privacy.private import by_user, private_turns, without
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.candidate import Candidate, Decision
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.core.records.turn import Message, spell
from memtool.core.secrets.redact import redact
from memtool.formats import candidate_line
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.facts.candidates import moved_to_pending, session_of
from memtool.verbs.memory.audit import audit_line, recorded
from memtool.verbs.memory.memory import Memory
from memtool.verbs.memory.remember import Opened, opened
from memtool.verbs.sessions.arc import SUBSTANTIVE, Session, Told, arc, earlier_arcs, tell
from memtool.verbs.sessions.session import not_of

_TOLD = 5
"""Dropped holds that are named one by one."""
_UNSAID = "its quote is not in what the user said"
_PRIVATE = "the user asked that it is not kept"


class Ended(Struct, frozen=True):
    """What the end of a session did: what was promoted and why, what goes on waiting, and the arc, if any."""

    promoted: tuple[tuple[str, str, str, PurePosixPath], ...] = ()
    """Of each memory: the id of its candidate, the effect, the reason, and the file."""
    waiting: int = 0
    episode: PurePosixPath | None = None
    notices: tuple[str, ...] = ()
    plan: Plan = ()


def session_end(
    workspace: Workspace,
    messages: Sequence[Message],
    by: Policy,
    *,
    owner: Owner | None,
    session: str | None,
    now: datetime,
    today: date,
    reason: str = "end",
    is_whole: bool = False,
    summarizer: Delegate | None = None,
) -> Ended:
    """Promote what is held and borne out by the session's messages, or repeated in others; write one arc.

    What is not borne out waits in the ledger until it expires. `is_whole`: the messages are all that was said
    in the session, from its first. `summarizer` is a command that tells the arc, before anything is locked;
    what it tells in its own words may bear out what was said once. The buffer goes last, and every id
    follows from the candidates, so that an end which was stopped is ended by the next, and an
    ended session has nothing left to do. What the user asked not to keep is dropped, bears nothing out, and
    is in no arc. Raises NoOwner, Locked, StaleWrite, Unwritable.
    """
    name = session_of(owner, session)
    turns = user_turns(messages)
    notices: list[str] = []
    private = private_turns(turns)
    told_of = [(number, text) for number, text in enumerate(turns) if number not in private]
    here = Session(name, str(owner), without(messages, private))
    is_substantive = sum(not by.is_small_talk(text) for _, text in told_of) >= SUBSTANTIVE
    told = tell(workspace, here, summarizer, notices) if is_substantive else Told()
    with workspace.lock():
        path = workspace.layout.path("session-buffer", name=name)
        buffer = workspace.read(path)
        mine, theirs, unread = _of_owner(buffer.text if buffer else "", by, owner, path, notices)
        pending = opened(workspace, "pending")
        later = _later(pending.text, by, now, pending.path, notices)
        rows = [*mine, *(one for one, _ in later if one and one.candidate.owner == owner)]
        own, refused = _allowed(rows, by, turns, name, private, is_whole=is_whole)
        arcs = earlier_arcs(workspace, owner, name)
        heard = Heard(name, tuple(told_of), tuple(arcs), told.own_words(turns))
        done = promote(own, heard)
        memory = Memory(workspace, by, now)
        promoted = []
        gone = {one.id for one, _ in refused}
        audit = [audit_line(one, decision, now) for one, decision in refused]
        notices += [f"{one.id} was dropped: {decision.reason}" for one, decision in refused[:_TOLD]]
        if len(refused) > _TOLD:
            notices.append(
                f"{len(refused) - _TOLD} more were dropped; memtool candidates explain ID says why"
            )
        for one in done.promoted:
            effect = memory.commit(one.candidate)
            if effect.effect != "none":
                promoted.append((one.candidate.id, effect.effect, one.reason, effect.path))
            if effect.effect == "refused":
                notices.append(f"{one.candidate.id} goes on waiting: all rules are pinned; archive one")
                continue
            gone |= {each.id for each in one.of}
            word = Decision("commit_now", one.timing, one.reason)
            audit += [audit_line(each, word, now) for each in one.of]
        episode, written = arc(workspace, here, told, now, today, reason) if is_substantive else (None, ())
        text = "".join(row for held, row in later if held is None or held.candidate.id not in gone)
        known = {held.candidate.id for held, _ in later if held}
        left = [one for one in mine if one.candidate.id not in gone | known]
        text += unread
        until = spell(now + timedelta(days=workspace.settings["candidates.pending_days"]))
        text += moved_to_pending(left, until, now, name)
        plan: Plan = (*memory.plan(), *written)
        plan += recorded(workspace, audit, now)
        plan += _rewritten(pending, text)
        plan += _put_away(workspace, name, owner, mine=bool(mine), theirs=theirs)
        workspace.commit(plan)
    return Ended(tuple(promoted), len(left), episode, tuple(notices), plan)


def _rewritten(pending: Opened, text: str) -> Plan:
    """The ledger as it is from now on; an empty one goes."""
    if text == pending.text or (pending.etag is None and not text):
        return ()
    if pending.etag is None:
        return (Create(pending.path, text),)
    return (Replace(pending.path, text, pending.etag) if text else Remove(pending.path, pending.etag),)


def _put_away(workspace: Workspace, name: str, owner: Owner | None, *, mine: bool, theirs: str) -> Plan:
    """The buffer without what was settled, or no buffer; of what was said, the words of others alone stay."""
    buffer = workspace.read(workspace.layout.path("session-buffer", name=name))
    spoken = workspace.read(workspace.layout.path("session-turns", name=name))
    plan: Plan = ()
    if buffer is not None and theirs:
        plan += (Replace(buffer.path, theirs, buffer.etag),) if mine else ()
    elif buffer is not None:
        plan += (Remove(buffer.path, buffer.etag),)
    if spoken is not None:
        left = not_of(spoken.text, owner)
        gone = (Replace(spoken.path, left, spoken.etag),) if left else (Remove(spoken.path, spoken.etag),)
        plan += gone if left != spoken.text else ()
    return plan


def user_turns(messages: Sequence[Message]) -> list[str]:
    """What the user said, message by message, redacted, without what memory had put there."""
    return [redact(without_recalled(text)) for one in messages if (text := by_user(one)).strip()]


def _of_owner(
    text: str, by: Policy, owner: Owner | None, path: PurePosixPath, notices: list[str]
) -> tuple[list[Held], str, str]:
    """What the owner holds in a buffer, the lines that are others', and those that do not read.

    Others' words bear nothing out here. A line that a crash cut short is not among them.
    """
    rows = text.split("\n")
    found: dict[str, Held] = {}
    theirs: list[str] = []
    unread: list[str] = []
    for number, one, value in candidate_line.held(text, by.vocabulary):
        if one is None:
            torn = not value and number == len(rows)  # a whole line ends with a newline
            unread += [] if torn else [rows[number - 1] + "\n"]
            became = "was left out" if torn else "goes on waiting"
            notices.append(f"{path} has a line {number} that does not read; it {became}")
        elif one.candidate.owner == owner:
            found[one.candidate.id] = one
        else:
            theirs.append(rows[number - 1] + "\n")
    return list(found.values()), "".join(theirs), "".join(unread)


def _allowed(
    held: Sequence[Held],
    by: Policy,
    turns: Sequence[str],
    session: str,
    private: Collection[int],
    *,
    is_whole: bool,
) -> tuple[list[Held], list[tuple[Candidate, Decision]]]:
    """What may be promoted, if it is borne out, and what is dropped after all, with the decision.

    The guards are asked again, for a buffer is a file that anybody can write. What nobody said in the turn
    that it came from is dropped, and so is what was said in `private` turns alone; where that turn may not be
    in the transcript it goes on waiting. That begins with the session's first turn if it is known to, or if
    what is found stands where it was said.
    """
    heard = [Spoken(text) for text in turns]
    here = [one.candidate for one in held if one.candidate.session == session]
    numbers = {(one.turn, _said_at(one, heard)) for one in here if one.turn is not None}
    found = {(said, at) for said, at in numbers if at}
    is_whole = is_whole or (bool(found) and all(said in at for said, at in found))
    kept: list[Held] = []
    dropped: list[tuple[Candidate, Decision]] = []
    for one in held:
        candidate = one.candidate
        decision = by.decide(candidate)
        if decision.action == "drop":
            dropped.append((candidate, decision))
            continue
        if private and candidate.session == session and not is_about_keeping(candidate):
            at = _said_at(candidate, heard) or (-1 if candidate.turn is None else candidate.turn,)
            if all(number in private for number in at):
                dropped.append((candidate, Decision("drop", "private", _PRIVATE)))
                continue
        if heard and candidate.session == session and not _said_at(candidate, heard):
            if is_whole and candidate.turn is not None and candidate.turn < len(turns):
                dropped.append((candidate, Decision("drop", "unsupported", _UNSAID)))
            continue
        kept.append(replace(one, action=decision.action) if decision.action == "hold_for_review" else one)
    return kept, dropped


def _said_at(candidate: Candidate, heard: Sequence[Spoken]) -> tuple[int, ...]:
    """The turns that hold all of a candidate's quotes."""
    rows = enumerate(heard)
    return tuple(number for number, one in rows if all(one.holds(quote) for quote in candidate.quotes))


def _later(
    text: str, by: Policy, now: datetime, path: PurePosixPath, notices: list[str]
) -> list[tuple[Held | None, str]]:
    """What waits in the ledger and has not expired, each with its line; None for one that does not read."""
    rows = text.split("\n")
    found: list[tuple[Held | None, str]] = []
    for number, one, value in candidate_line.held(text, by.vocabulary):
        if one is None:
            notices.append(f"{path} has a line {number} that does not read; it was left as it is")
        if one is None or _until(value) > now:
            found.append((one, rows[number - 1] + "\n"))
    return found


def _until(value: dict[str, Any]) -> datetime:
    """When a line of the ledger expires; one that does not say so never does."""
    try:
        moment = datetime.fromisoformat(str(value.get("until", "")).replace("Z", "+00:00"))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)
