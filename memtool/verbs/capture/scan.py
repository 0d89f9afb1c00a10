"""scan: record what a user message says in the session state, then in long-term memory, rules and facts."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture import scan as decide
from memtool.core.capture.behaviour import behaviour_corrections
from memtool.core.capture.message_sentences import MessageSentences, split_message
from memtool.core.capture.triggers import TriggerTable, build_triggers
from memtool.core.privacy.distress import Crisis, find_crisis
from memtool.core.records.entries import Owner, RecordedEntry, WalEntry, user_of
from memtool.core.records.plan import Append, Change, Create, Plan, Replace
from memtool.errors import MemtoolError, UnreadableFile
from memtool.formats import session_state
from memtool.layouts.seeds import seed_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config.settings import Settings
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import load_forgotten

if TYPE_CHECKING:
    from memtool.core.capture.circumstances import CorrectingSentence, MessageCircumstances
    from memtool.core.capture.scan import CapturedEntry
    from memtool.core.forgetting.tombstones import Forgotten
    from memtool.verbs.capture.handwritten_lines import ContradictedLine
    from memtool.verbs.capture.message_recorder import RecordedMemory
    from memtool.verbs.capture.withdrawn import WithdrawnInstruction
    from memtool.verbs.memory_files.said_times import SaidTimes

_CUT = 120
"""Letters from which an entry may be the beginning of a longer text."""


class ScanReport(Struct, frozen=True):
    """The entries of one message in the order of its text, and the plan.

    `forgotten` says that a part of the message was forgotten before, and left out. `other_owners` have facts
    that the message corrects, and which stay because it has no owner. `unapplied` are its corrections that
    superseded nothing. `withdrawn` are the instructions that it takes back. `supersedes` says that something
    of memory holds no more, `superseded` which facts and lines, and what is in their place. `to_forget` is
    what it asks to forget, which stays in memory. `contradicted` are hand-written lines that it corrects, and
    which stay.
    """

    entries: tuple[RecordedEntry, ...]
    plan: Plan
    forgotten: bool = False
    other_owners: tuple[Owner, ...] = ()
    unapplied: tuple[CorrectingSentence, ...] = ()
    withdrawn: tuple[WithdrawnInstruction, ...] = ()
    supersedes: bool = False
    to_forget: tuple[str, ...] = ()
    contradicted: tuple[ContradictedLine, ...] = ()
    superseded: Mapping[str, str] = {}


@retry_when_stale
def scan(
    workspace: Workspace,
    message: str,
    *,
    now: datetime,
    owner: Owner | None,
    triggers: TriggerTable,
    group: str | None = None,
    session: str | None = None,
    recorded_at: datetime | None = None,
) -> ScanReport:
    """Record the entries of one user message; the log comes first, so that a crash loses nothing.

    Long-term memory gets each durable fact once, an instruction becomes a rule of conduct, a statement of the
    user's circumstances a fact, by the write policy. A correction supersedes what it corrects, and an
    instruction that is taken back is archived. `session` is
    the session of the message, if it is not its owner. If the message is of the past, `recorded_at` is the
    present time: what was said after `now` is then left unchanged. Where memory cannot be read, the log is
    still written.
    A statement of a crisis goes to the crisis log, without its words, and is no memory. Raises Locked,
    OutsideWorkspace, StaleWrite, UnreadableFile, Unwritable.
    """
    split = _with_known_names(workspace, split_message(message), owner, group)
    hits = decide.scan_message(split, now, owner, triggers)
    said = _circumstances(split)
    crisis = find_crisis(_sentences(split))
    said_times = _said_times(workspace, now, recorded_at, group)
    withdrawn = _withdrawn(workspace, split, hits, owner, group, said_times)
    is_rule_gone = any(found.rule for found in withdrawn)  # then a thing to be forgotten may be that rule
    to_forget = tuple((split.forget_requests if is_rule_gone else split.possible_forget_requests).values())
    if not withdrawn and not hits and said is None and not any(behaviour_corrections(split)):
        report = _without_entries(workspace, crisis, owner, session, now)
        return replace(report, to_forget=to_forget) if to_forget else report
    try:
        forgotten = load_forgotten(workspace)
    except MemtoolError:
        _without_entries(workspace, crisis, owner, session, now)
        raise
    if forgotten:
        left = () if forgotten.has_text(message, owner) else _remembered(hits, forgotten, owner)
        if is_cut := len(left) < len(hits) or _says_forgotten(split, forgotten, owner):
            hits, said, withdrawn = left, None, ()
        if is_cut and not hits:
            return replace(_without_entries(workspace, crisis, owner, session, now), forgotten=True)
    if said is not None and said.corrections:
        from memtool.core.capture.restated import restated_entries

        hits = restated_entries(hits, said.corrections, now, owner, triggers)
    if withdrawn:
        from memtool.verbs.capture.withdrawn import without_withdrawn

        hits, said = without_withdrawn(hits, said, withdrawn)
    from memtool.verbs.capture.destinations import entries_without_memory, record_memory
    from memtool.verbs.capture.message_source import MessageSource

    source = MessageSource(split, owner, session, now, group, said_times)
    with workspace.lock():
        noted = _crisis_plan(workspace, crisis, owner, session, now)
        try:
            recorded = record_memory(workspace, source, hits, said, withdrawn)
        except MemtoolError:
            entries = entries_without_memory(workspace, source, hits, said)
            workspace.commit((*noted, *(_log_plan(workspace, entries, group) if entries else ())))
            raise
        plan = (*noted, *_plan(workspace, recorded, group))
        workspace.commit(plan)
    is_partial = bool(forgotten) and is_cut
    return ScanReport(
        recorded.entries,
        plan,
        is_partial,
        recorded.other_owners,
        recorded.unapplied,
        withdrawn,
        recorded.supersedes,
        to_forget,
        recorded.contradicted,
        recorded.superseded,
    )


def _said_times(
    workspace: Workspace, now: datetime, recorded_at: datetime | None, group: str | None
) -> SaidTimes | None:
    """When memory was said, for a message of the past; None for one that is said now."""
    if recorded_at is None or now >= recorded_at:
        return None
    from memtool.verbs.memory_files.said_times import SaidTimes

    return SaidTimes(workspace, now, recorded_at, group)


def _with_known_names(
    workspace: Workspace, split: MessageSentences, owner: Owner | None, group: str | None
) -> MessageSentences:
    """The message with the names in the owner's memory, and the news of what it has, if it may have any."""
    if not split.may_be_news:
        return split
    from memtool.core.capture.known_names import names_in
    from memtool.verbs.capture.current_memory import current_statements

    try:
        known = [*current_statements(workspace, group)]
    except MemtoolError:
        return split  # the message is recorded without; what needs that file tells of it
    own = [
        statement.own_words for statement in known if user_of(statement.fact.owner) in (None, user_of(owner))
    ]
    return replace(split, known_names=names_in(own), known_news=split.news_of(own))


class LoggedMessages(Struct, frozen=True):
    """The letters of all entries of the session state and its archive, by their second in UTC and owner."""

    details: Mapping[tuple[str, Owner | None], Collection[str]]

    def has(self, text: str, at: datetime, owner: Owner | None, triggers: TriggerTable) -> bool:
        """Whether the log has, of the second of a message, all that the message says of its owner."""
        logged = self.details.get((_second(at), owner), ())
        if not logged:
            return False
        split = split_message(text)
        said = [hit.entry.detail for hit in decide.scan_message(split, at, owner, triggers)]
        if (stated := _circumstances(split)) is not None:
            said += [statement.quote for statement, _ in (*stated.statements, *stated.denials)]
            said += [
                found.sentence for found in (*stated.corrections, *stated.endings) if not found.is_renewal
            ]
        return bool(said) and all(_is_logged(_folded(detail), logged) for detail in said)


def logged_messages(workspace: Workspace, group: str | None) -> LoggedMessages:
    """What the log of a group has of messages."""
    details: dict[tuple[str, Owner | None], list[str]] = {}
    for role in ("session-state", "session-state-archive"):
        document = workspace.read(workspace.layout.path(role, group=group))
        if document is not None:
            entries = session_state.entries(session_state.parse(document.text))
            for entry in entries:
                details.setdefault((_second(entry.at), entry.owner), []).append(_folded(entry.detail))
    return LoggedMessages(details)


def _is_logged(said: str, logged: Collection[str]) -> bool:
    """Whether an entry has a text, or its beginning: long ones are cut."""
    return any(said in entry or (len(entry) > _CUT and said.startswith(entry)) for entry in logged)


def _second(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"


def _folded(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return "".join(filter(str.isalnum, text.lower()))


def load_triggers(settings: Settings) -> TriggerTable:
    """The built-in triggers and those of the settings. Raises BadUsage."""
    return build_triggers(settings["scan.phrases"], settings["scan.patterns"])


def _remembered(
    hits: Sequence[CapturedEntry], forgotten: Forgotten, owner: Owner | None
) -> tuple[CapturedEntry, ...]:
    """The entries that were not forgotten before."""
    return tuple(hit for hit in hits if not forgotten.has_text(hit.entry.detail, owner))


def _says_forgotten(split: MessageSentences, forgotten: Forgotten, owner: Owner | None) -> bool:
    """Whether a message, or a sentence of it, was forgotten before."""
    parts = (split.message, *(sentence for sentence, _ in _sentences(split)))
    return any(forgotten.has_text(part, owner) for part in parts)


def _sentences(split: MessageSentences) -> Iterator[tuple[str, bool]]:
    """The sentences of a message, each with whether it is a question."""
    text = split.text
    return ((text.masked[start:end], is_question) for start, end, is_question in text.sentences)


@retry_when_stale
def _without_entries(
    workspace: Workspace, crisis: Crisis | None, owner: Owner | None, session: str | None, now: datetime
) -> ScanReport:
    """The report on a message without entries, after its crisis, if it states one, was logged."""
    if crisis is None:
        return ScanReport((), ())
    with workspace.lock():
        plan = _crisis_plan(workspace, crisis, owner, session, now)
        workspace.commit(plan)
    return ScanReport((), plan)


def _crisis_plan(
    workspace: Workspace, crisis: Crisis | None, owner: Owner | None, session: str | None, now: datetime
) -> Plan:
    """The plan that logs a crisis; a message without a session counts to its owner's."""
    if crisis is None:
        return ()
    from memtool.verbs.memory_files.crisis_log import crisis_plan  # most messages state none

    if not session and owner is not None:
        session = owner.id if owner.kind == "session" else f"of-{owner.id}"
    return crisis_plan(workspace, crisis, session or "", now)


def _circumstances(split: MessageSentences) -> MessageCircumstances | None:
    """The statements, denials, corrections and endings of a message; None if it has none."""
    from memtool.core.capture.circumstances import may_have_circumstances, read_circumstances

    if not may_have_circumstances(split):
        return None

    said = read_circumstances(split)
    return said if said.statements or said.corrections or said.denials or said.endings else None


def _withdrawn(
    workspace: Workspace,
    split: MessageSentences,
    hits: Sequence[CapturedEntry],
    owner: Owner | None,
    group: str | None,
    said_times: SaidTimes | None,
) -> tuple[WithdrawnInstruction, ...]:
    """The instructions that a message takes back, as far as the rules can be read."""
    from memtool.core.capture.circumstances import may_withdraw

    if not may_withdraw(split):
        return ()
    from memtool.verbs.capture.withdrawn import withdrawn_instructions  # most messages take nothing back

    with contextlib.suppress(UnreadableFile):  # recording memory reports it
        return withdrawn_instructions(workspace, split, hits, owner, group, said_times)
    return ()


def _plan(workspace: Workspace, recorded: RecordedMemory, group: str | None) -> Plan:
    """The log first, then memory."""
    log = _log_plan(workspace, recorded.logged, group) if recorded.logged else ()
    return (*log, *recorded.plan)


def _log_plan(workspace: Workspace, entries: Sequence[WalEntry], group: str | None) -> Plan:
    """The plan that appends entries to the session state; past the limit the oldest are archived."""
    path = workspace.layout.path("session-state", group=group)
    text = "".join(session_state.render_line(entry) + "\n" for entry in entries)
    stat = workspace.disk.stat(path)
    if stat is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    max_bytes = workspace.settings["session_state.max_bytes"]
    if stat.size + len(text.encode("utf-8", "replace")) <= max_bytes:
        return (Append(path, text),)
    document = workspace.read_text(path)
    if document is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    kept, archived = session_state.split_oldest(document.text, max_bytes * 4 // 5)
    changes: list[Change] = []
    if archived:
        archive = workspace.layout.path("session-state-archive", group=group)
        if workspace.disk.stat(archive) is None:
            changes.append(Create(archive, seed_text(workspace.layout, "session-state-archive") + archived))
        else:
            changes.append(Append(archive, archived))
    head = kept if kept.endswith("\n") or not kept else kept + "\n"
    return (*changes, Replace(path, head + text, document.etag))
