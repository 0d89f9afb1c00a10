"""session-end: promote held candidates that the session supports, and write its episode; once (CoALA)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.facts.policy import WritePolicy, is_storage_rule
from memtool.core.facts.promotion import HeldCandidate, PromotedMemory, SessionEvidence, promote
from memtool.core.facts.support import EvidenceText
from memtool.core.privacy.private_requests import (
    asks_to_keep_nothing,
    private_turns,
    user_text,
    without_turns,
)
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.candidate import Candidate, PolicyDecision
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan, Remove, Replace
from memtool.core.records.turn import Message, format_moment
from memtool.core.secrets.redact import redact
from memtool.formats import candidate_line
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.facts.candidates import pending_lines, session_name
from memtool.verbs.memory_files.audit import audit_line, audit_plan
from memtool.verbs.memory_files.memory_writer import MemoryWriter
from memtool.verbs.sessions.episode_summary import (
    MIN_SUBSTANTIVE_TURNS,
    SessionSummary,
    SessionTranscript,
    earlier_summaries,
    plan_episode,
    summarize_session,
)
from memtool.verbs.sessions.pending_file import read_pending
from memtool.verbs.sessions.session import lines_of_others
from memtool.verbs.sessions.session_rotation import rotation_plan

_MAX_NOTICES = 5
"""Dropped candidates that are reported one by one; the rest is counted."""
_UNSAID = "the quote is not in the user's messages"
_PRIVATE = "the user has asked for this information not to be stored"


class SessionEndReport(Struct, frozen=True):
    """What the end of a session did: promotions, number of candidates still pending, and the episode."""

    promoted: tuple[tuple[str, str, str, PurePosixPath], ...] = ()
    """Per memory: the candidate's id, the effect, the reason, and the file."""
    pending: int = 0
    episode: PurePosixPath | None = None
    notices: tuple[str, ...] = ()
    plan: Plan = ()


def session_end(
    workspace: Workspace,
    messages: Sequence[Message],
    policy: WritePolicy,
    *,
    owner: Owner | None,
    session: str | None,
    now: datetime,
    today: date,
    reason: str = "end",
    is_whole: bool = False,
    summarizer: Delegate | None = None,
) -> SessionEndReport:
    """Promote held candidates that the session's messages or other sessions support; write one episode.

    The session's entries in the session state move to their archive.
    Unsupported candidates wait in the pending file until they expire. `is_whole` says that the messages are
    the whole session, from its first turn. `summarizer` is a command that writes the episode's text; it runs
    before the lock is taken, and statements in its own words count as support for what was said once. The
    buffer is removed last and every id follows from its candidate, so a second run completes an interrupted
    end, and has nothing to do for a session that has ended. Private turns are dropped: they support nothing
    and are in no episode. Raises NoOwner, Locked, StaleWrite, Unwritable.
    """
    name = session_name(owner, session)
    notices: list[str] = []
    texts = _user_turns(messages)
    turns = _SessionTurns(name, texts, private_turns(texts))
    here = _transcript(turns, messages, owner)
    substantive = sum(not policy.is_small_talk(text) for _, text in turns.public)
    is_substantive = substantive >= MIN_SUBSTANTIVE_TURNS or (
        bool(substantive or turns.private) and bool(here.stored_episodes(workspace))  # it was resumed
    )
    summary = summarize_session(workspace, here, summarizer, notices) if is_substantive else SessionSummary()

    @retry_when_stale
    def end() -> SessionEndReport:
        said = [*notices]
        with workspace.lock():
            buffer = _read_buffer(workspace, name, policy, owner, said)
            pending = read_pending(workspace, policy, now, said)
            held = [
                *buffer.held,
                *(waiting for waiting in pending.held if waiting.candidate.owner in {None, owner}),
            ]
            allowed, refused = _check(held, policy, turns, is_whole=is_whole)
            earlier = tuple(earlier_summaries(workspace, owner, name))
            evidence = SessionEvidence(name, tuple(turns.public), earlier, summary.own_words(texts))
            promotion = promote(allowed, evidence)
            memory = MemoryWriter(workspace, policy, now)
            settlement = _Settlement(now, said)
            settlement.drop(refused)
            for promoted in promotion.promoted:
                settlement.promote(promoted, memory)
            episode, episode_plan = (
                plan_episode(workspace, here, summary, now, today, reason) if is_substantive else (None, ())
            )
            elsewhere = settlement.ids | {waiting.candidate.id for waiting in pending.held}
            left = [waiting for waiting in buffer.held if waiting.candidate.id not in elsewhere]
            until = format_moment(now + timedelta(days=workspace.settings["candidates.pending_days"]))
            text = pending.text_without(settlement.ids) + buffer.unreadable
            text += pending_lines(left, until, now, name)
            plan: Plan = (*memory.plan(), *episode_plan)
            plan += rotation_plan(workspace, owner, name, now, said)
            plan += audit_plan(workspace, settlement.audit, now)
            plan += pending.rewrite_plan(text)
            plan += _session_files_plan(workspace, name, owner, buffer)
            workspace.commit(plan)
        return SessionEndReport(tuple(settlement.promoted), len(left), episode, tuple(said), plan)

    return end()


def _user_turns(messages: Sequence[Message]) -> list[str]:
    """The user's messages in order, redacted, without recalled memory."""
    return [redact(without_recalled(text)) for message in messages if (text := user_text(message)).strip()]


class _SessionTurns(Struct, frozen=True):
    """The user's turns of one session, and the numbers of those that the user asked not to keep."""

    session: str
    texts: Sequence[str]
    private: Collection[int]

    @property
    def public(self) -> list[tuple[int, str]]:
        """The turns that may be kept, each with its number."""
        return [(number, text) for number, text in enumerate(self.texts) if number not in self.private]


def _transcript(turns: _SessionTurns, messages: Sequence[Message], owner: Owner | None) -> SessionTranscript:
    """The session as its episode may have it."""
    others = set(range(-1, len(turns.texts))) - set(turns.private)
    private = without_turns(messages, others) if turns.private else ()
    return SessionTranscript(
        turns.session,
        str(owner),
        without_turns(messages, turns.private),
        [message.text for message in private],
        any(map(asks_to_keep_nothing, turns.texts)),
    )


class _SessionBuffer(Struct, frozen=True):
    """A session's buffer: the owner's candidates, the lines of other owners, and the unreadable lines."""

    held: list[HeldCandidate]
    others: str
    unreadable: str


class _Settlement(Struct):
    """The candidates that need not wait any longer, and what is recorded and reported about them."""

    now: datetime
    notices: list[str]
    ids: set[str] = field(default_factory=set)
    audit: list[str] = field(default_factory=list)
    promoted: list[tuple[str, str, str, PurePosixPath]] = field(default_factory=list)

    def drop(self, refused: Sequence[tuple[Candidate, PolicyDecision]]) -> None:
        """Record and report dropped candidates."""
        self.ids |= {candidate.id for candidate, _ in refused}
        self.audit += [audit_line(candidate, decision, self.now) for candidate, decision in refused]
        self.notices += [
            f"{candidate.id} dropped: {decision.reason}" for candidate, decision in refused[:_MAX_NOTICES]
        ]
        if len(refused) > _MAX_NOTICES:
            ids = [candidate.id for candidate, _ in refused[_MAX_NOTICES:]]
            self.notices.append(
                f"other candidates dropped: {len(ids)}; to see why, run memtool candidates explain "
                f"{' '.join(ids)}"
            )

    def promote(self, promoted: PromotedMemory, memory: MemoryWriter) -> None:
        """Commit promoted candidates to memory; they stay pending where memory refuses them."""
        candidate = promoted.candidate
        effect = memory.commit(candidate)
        if effect.effect != "none":
            self.promoted.append((candidate.id, effect.effect, promoted.reason, effect.path))
        if effect.effect == "refused":
            self.notices.append(
                f"{candidate.id} is still waiting: the maximum number of active rules has been reached, and "
                "none can be replaced, because all are pinned; archive one with memtool rules archive ID "
                "(memtool rules list prints the ids)"
            )
            return
        self.ids |= {source.id for source in promoted.candidates}
        decision = PolicyDecision("commit_now", promoted.timing, promoted.reason)
        self.audit += [audit_line(source, decision, self.now) for source in promoted.candidates]


def _read_buffer(
    workspace: Workspace, session: str, policy: WritePolicy, owner: Owner | None, notices: list[str]
) -> _SessionBuffer:
    """The buffer of a session. A last line that a crash cut short is left out."""
    path = workspace.layout.path("session-buffer", name=session)
    document = workspace.read(path)
    text = document.text if document else ""
    lines = text.split("\n")
    held: dict[str, HeldCandidate] = {}
    others: list[str] = []
    unreadable: list[str] = []
    for number, candidate, value in candidate_line.parse_held_lines(text, policy.vocabulary):
        if candidate is None:
            is_torn = not value and number == len(lines)  # a whole line ends with a newline
            unreadable += [] if is_torn else [lines[number - 1] + "\n"]
            outcome = "was skipped" if is_torn else "was kept in the file"
            notices.append(f"{path}:{number}: the line is not a valid candidate and {outcome}")
        elif candidate.candidate.owner in {None, owner}:
            held[candidate.candidate.id] = candidate
        else:
            others.append(lines[number - 1] + "\n")
    return _SessionBuffer(list(held.values()), "".join(others), "".join(unreadable))


def _check(
    held: Sequence[HeldCandidate], policy: WritePolicy, turns: _SessionTurns, *, is_whole: bool
) -> tuple[list[HeldCandidate], list[tuple[Candidate, PolicyDecision]]]:
    """The candidates that may be promoted, and those that are dropped, each with the decision.

    The policy decides again, because anybody can write to a buffer. A candidate of this session is dropped
    if it was said in private turns only, or if the turn that it names does not hold its quotes. It is
    neither promoted nor dropped where that turn may be missing from the messages.
    """
    texts = [EvidenceText(text) for text in turns.texts]
    is_whole = is_whole or _starts_at_first_turn(held, turns.session, texts)
    allowed: list[HeldCandidate] = []
    dropped: list[tuple[Candidate, PolicyDecision]] = []
    for waiting in held:
        candidate = waiting.candidate
        decision = policy.decide(candidate)
        is_here = candidate.session == turns.session
        if decision.action == "drop":
            dropped.append((candidate, decision))
        elif is_here and _is_private(candidate, turns.private, texts):
            dropped.append((candidate, PolicyDecision("drop", "private", _PRIVATE)))
        elif is_here and texts and not _quoted_in(candidate, texts):
            if is_whole and candidate.turn is not None and candidate.turn < len(texts):
                dropped.append((candidate, PolicyDecision("drop", "unsupported", _UNSAID)))
        elif decision.action == "hold_for_review":
            allowed.append(replace(waiting, action=decision.action))
        else:
            allowed.append(waiting)
    return allowed, dropped


def _starts_at_first_turn(held: Sequence[HeldCandidate], session: str, texts: Sequence[EvidenceText]) -> bool:
    """Whether the turns begin with the session's first: each quote found is in the turn that it names."""
    numbers = {
        (waiting.candidate.turn, _quoted_in(waiting.candidate, texts))
        for waiting in held
        if waiting.candidate.session == session and waiting.candidate.turn is not None
    }
    quoted = [(turn, places) for turn, places in numbers if places]
    return bool(quoted) and all(turn in places for turn, places in quoted)


def _is_private(candidate: Candidate, private: Collection[int], texts: Sequence[EvidenceText]) -> bool:
    """Whether a candidate was said in private turns only; a request not to keep something is not private."""
    if not private or is_storage_rule(candidate):
        return False
    named = -1 if candidate.turn is None else candidate.turn
    return all(number in private for number in _quoted_in(candidate, texts) or (named,))


def _quoted_in(candidate: Candidate, texts: Sequence[EvidenceText]) -> tuple[int, ...]:
    """The numbers of the turns that hold all of a candidate's quotes."""
    return tuple(
        number
        for number, text in enumerate(texts)
        if all(text.contains_quote(quote) for quote in candidate.quotes)
    )


def _session_files_plan(
    workspace: Workspace, session: str, owner: Owner | None, session_buffer: _SessionBuffer
) -> Plan:
    """The plan that takes the owner's lines from the session's buffer and turns; empty files are removed."""
    buffer = workspace.read(workspace.layout.path("session-buffer", name=session))
    recorded_turns = workspace.read(workspace.layout.path("session-turns", name=session))
    plan: Plan = ()
    if buffer is not None and session_buffer.others:
        plan += (Replace(buffer.path, session_buffer.others, buffer.etag),) if session_buffer.held else ()
    elif buffer is not None:
        plan += (Remove(buffer.path, buffer.etag),)
    if recorded_turns is not None:
        path, etag = recorded_turns.path, recorded_turns.etag
        left = lines_of_others(recorded_turns.text, owner)
        if left != recorded_turns.text:
            plan += (Replace(path, left, etag),) if left else (Remove(path, etag),)
    return plan
