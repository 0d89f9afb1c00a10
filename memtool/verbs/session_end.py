"""session-end: what was held becomes memory where it is borne out, and the arc is put down; once (CoALA)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from memtool.core.entry import Owner
from memtool.core.markers import plain
from memtool.core.plan import Create, Plan, Remove, Replace
from memtool.core.policy import Policy
from memtool.core.promote import Heard, Held, promote
from memtool.core.recalled import without_recalled
from memtool.core.remark import remarks
from memtool.core.safe_summary import safe
from memtool.core.summary import summary
from memtool.core.turn import Message, Text, spell
from memtool.formats import candidate_line
from memtool.store.workspace import Workspace
from memtool.verbs.candidates import moved_to_pending, session_of
from memtool.verbs.memory import Memory
from memtool.verbs.remember import opened

SUBSTANTIVE = 3
"""User turns that say something, from which a session has an arc."""
_ARCS = 100
_SUMMARY = 600
_THEMES = 3
_THEME = 40


@dataclass(frozen=True, slots=True)
class Ended:
    """What the end of a session did: what was promoted and why, what goes on waiting, and the arc, if any."""

    promoted: tuple[tuple[str, str, str, PurePosixPath], ...] = ()
    """Of each memory: the id of its candidate, the effect, the reason, and the file."""
    waiting: int = 0
    episode: PurePosixPath | None = None
    notices: tuple[str, ...] = ()
    plan: Plan = field(default=())


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
) -> Ended:
    """Promote what is held and borne out by the session's messages, or repeated in others; write one arc.

    What is not borne out waits in the ledger until it expires. The buffer goes last, and every id follows
    from the candidates, so that an end which was stopped is ended by the next, and an ended session has
    nothing left to do. Raises NoOwner, Locked, StaleWrite, Unwritable.
    """
    name = session_of(owner, session)
    turns = user_turns(messages)
    notices: list[str] = []
    with workspace.lock():
        path = workspace.layout.path("session-buffer", name=name)
        buffer = workspace.read(path)
        mine, theirs = _of_owner(buffer.text if buffer else "", by, owner, path, notices)
        own = _borne_by(turns, mine, notices)
        pending = opened(workspace, "pending")
        later = _later(pending.text, by, now)
        others = [one for one, _ in later if one.candidate.owner == owner]
        heard = Heard(name, tuple(enumerate(turns)), tuple(_arcs(workspace, name)))
        done = promote([*own, *others], heard)
        memory = Memory(workspace, by, now)
        promoted = []
        for one in done.promoted:
            effect = memory.commit(one.candidate)
            promoted.append((one.candidate.id, effect.effect, one.reason, effect.path))
        gone = {each.id for one in done.promoted for each in one.of}
        episode, written = _episode(workspace, name, messages, turns, by, now, today, reason)
        text = "".join(row for held, row in later if held.candidate.id not in gone)
        known = {held.candidate.id for held, _ in later}
        left = [one for one in own if one.candidate.id not in gone | known]
        until = spell(now + timedelta(days=workspace.settings["candidates.pending_days"]))
        text += moved_to_pending(left, until, now, name)
        plan: Plan = (*memory.plan(), *written)
        if pending.etag is not None and not text:
            plan += (Remove(pending.path, pending.etag),)
        elif text != pending.text:
            change = Create(pending.path, text) if pending.etag is None else None
            plan += (change or Replace(pending.path, text, pending.etag or ""),)
        if buffer is not None and mine and theirs:
            plan += (Replace(path, theirs, buffer.etag),)
        elif buffer is not None and not theirs:
            plan += (Remove(path, buffer.etag),)
        turns_file = workspace.layout.path("session-turns", name=name)
        spoken = workspace.read(turns_file)
        if spoken is not None and not theirs:
            plan += (Remove(turns_file, spoken.etag),)
        workspace.commit(plan)
    return Ended(tuple(promoted), len(left), episode, tuple(notices), plan)


def user_turns(messages: Sequence[Message]) -> list[str]:
    """What the user said, message by message, without what memory had put there."""
    found = []
    for one in messages:
        if one.role == "user":
            text = "\n".join(part.text for part in one.parts if isinstance(part, Text))
            if text.strip():
                found.append(without_recalled(text))
    return found


def _of_owner(
    text: str, by: Policy, owner: Owner | None, path: PurePosixPath, notices: list[str]
) -> tuple[list[Held], str]:
    """What the owner holds in a buffer, and the lines that are others': their words bear nothing out here."""
    rows = text.split("\n")
    found: dict[str, Held] = {}
    theirs: list[str] = []
    for number, one, _ in candidate_line.held(text, by.vocabulary):
        if one is None:
            notices.append(f"{path} has a line {number} that does not read; it was left out")
        elif one.candidate.owner == owner:
            found[one.candidate.id] = one
        else:
            theirs.append(rows[number - 1] + "\n")
    return list(found.values()), "".join(theirs)


def _borne_by(turns: Sequence[str], held: Sequence[Held], notices: list[str]) -> list[Held]:
    """What is held, without that whose evidence nobody said; all of it where no transcript tells."""
    if not turns:
        return list(held)
    heard = [plain(text) for text in turns]
    kept = []
    for one in held:
        quotes = [plain(quote.removesuffix("…")) for quote in one.candidate.quotes]
        if all(any(quote in text for text in heard) for quote in quotes):
            kept.append(one)
        else:
            notices.append(f"{one.candidate.id} was dropped: its quote is not in what the user said")
    return kept


def _later(text: str, by: Policy, now: datetime) -> list[tuple[Held, str]]:
    """What waits in the ledger and has not expired, each with its line."""
    rows = text.split("\n")
    found: list[tuple[Held, str]] = []
    for number, one, value in candidate_line.held(text, by.vocabulary):
        if one is not None and _until(value) > now:
            found.append((one, rows[number - 1] + "\n"))
    return found


def _until(value: dict[str, Any]) -> datetime:
    """When a line of the ledger expires; one that does not say so never does."""
    try:
        moment = datetime.fromisoformat(str(value.get("until", "")).replace("Z", "+00:00"))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)


def _arcs(workspace: Workspace, session: str) -> list[str]:
    """What earlier sessions were about, the newest first."""
    folder = workspace.layout.folder("episode")
    found = workspace.disk.folder(folder)
    names = sorted(found.files, reverse=True)[:_ARCS] if found else []
    documents = [workspace.read(folder / name) for name in names if not _is_of(name, session)]
    return [one.text for one in documents if one is not None]


def _is_of(name: str, session: str) -> bool:
    return name[10:] == f"-{_slug(session)}.md"


def _slug(session: str) -> str:
    return re.sub(r"[^\w-]+", "-", session).strip("-").lower() or "session"


def _episode(
    workspace: Workspace,
    session: str,
    messages: Sequence[Message],
    turns: Sequence[str],
    by: Policy,
    now: datetime,
    today: date,
    reason: str,
) -> tuple[PurePosixPath | None, Plan]:
    """The arc of a session of substance, unless it has one, made of the session's own sentences."""
    folder = workspace.layout.folder("episode")
    found = workspace.disk.folder(folder)
    there = next((name for name in (found.files if found else ()) if _is_of(name, session)), None)
    if there is not None:
        return folder / there, ()
    if sum(not by.is_small_talk(text) for text in turns) < SUBSTANTIVE:
        return None, ()
    path = workspace.layout.path("episode", day=today, slug=_slug(session))
    said = [line[2:] for line in summary(messages, _SUMMARY).split("\n") if line.startswith("- ")]
    head = {
        "session_id": session,
        "ended_at": spell(now),
        "end": reason,
        "turn_count": len(turns),
        "primary_themes": _themes(messages),
    }
    rows = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in head.items())
    return path, (Create(path, f"---\n{rows}---\n{safe(chr(10).join(said))}\n"),)


def _themes(messages: Sequence[Message]) -> list[str]:
    """The names and terms that the user spoke of most."""
    counts: dict[str, int] = {}
    for one in remarks(messages):
        for term in one.terms if one.who == "user" else ():
            if term.kind in {"name", "code", "path"} and len(term.text) <= _THEME:
                counts[term.text] = counts.get(term.text, 0) + 1
    return sorted(counts, key=lambda one: (-counts[one], one))[:_THEMES]
