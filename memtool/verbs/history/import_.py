"""import: store foreign transcripts as turns; turns imported before are skipped."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.capture.withheld import withhold
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.privacy.private_requests import NOT_KEPT
from memtool.core.records.document import etag_of
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Change, Plan, Replace
from memtool.core.records.turn import Message, Turn, format_moment
from memtool.core.secrets.redact import redact
from memtool.errors import Locked, PartlyApplied, StaleWrite, Unwritable
from memtool.formats import turn as turn_format
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.transcript_files import OpenTranscript
from memtool.store.workspace import Workspace
from memtool.transcripts import (
    anthropic,
    chatgpt,
    claude_ai,
    claude_code,
    cline,
    codex,
    gemini,
    hermes,
    nano,
    openai,
    openclaw,
    opencode,
    openlegion,
    pi,
    qwen,
)
from memtool.transcripts.transcript import (
    ImportedFact,
    ImportedTurn,
    SkippedRecord,
    TranscriptItem,
    TurnOrigin,
)
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.memory_files.forgotten import load_forgotten, without_forgotten
from memtool.verbs.memory_files.long_term import remember_plan
from memtool.verbs.turns.append_turn import TurnDraft, plan_turns, redact_messages, redact_values
from memtool.verbs.turns.history import raise_head, seq_of_name
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

TRANSCRIPT_FORMATS: dict[str, ModuleType] = {
    module.NAME: module
    for module in (
        *(claude_code, codex, openclaw, pi, qwen, gemini, opencode, cline, hermes, nano, openlegion),
        *(chatgpt, claude_ai, anthropic, openai),
    )
}
"""The module of each agent's format; the first that recognises a file reads it."""
_BATCH = 200
"""Turns written under one lock."""
_FACT = "remember"


class ImportReport(Struct):
    """The result for one file: turns imported, grown or known; facts stored; lines skipped.

    `forgotten` counts the turns, messages and facts that were left out because they were forgotten.
    """

    name: str
    agent: str
    imported: int = 0
    grown: int = 0
    known: int = 0
    facts: int = 0
    skipped: int = 0
    forgotten: int = 0
    plans: list[Plan] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The number of turns and facts in the file."""
        return self.imported + self.grown + self.known + self.facts + self.forgotten


def recognise_transcript(source: OpenTranscript) -> str | None:
    """Return the agent whose transcript a file is; None if no format recognises it."""
    return next((name for name, module in TRANSCRIPT_FORMATS.items() if module.recognises(source)), None)


class TranscriptImporter:
    """Imports any number of files. `more` are further keys of each turn's record.

    `skipped` is called for each skipped line with the file, the line number or 0, and the reason. Secrets are
    redacted, unless `redacts` is false. `beside` returns changes to commit before the new turns of a batch.
    `invalid_reason` is called with the record of each turn, and returns why it is not stored, or None.
    """

    def __init__(
        self,
        workspace: Workspace,
        turn_index: TurnSync,
        now: datetime,
        *,
        group: str | None = None,
        owner: Owner | None = None,
        more: Mapping[str, str] | None = None,
        redacts: bool = True,
        skipped: Callable[[str, int, str], None],
        beside: Callable[[Sequence[ImportedTurn]], Plan] = lambda _: (),
        invalid_reason: Callable[[Any], str | None] = turn_format.invalid_reason,
    ) -> None:
        self._workspace = workspace
        self._turn_index = turn_index
        self._now = now
        self._group = group
        self._owner = owner
        self._more = more or {}
        self._redacts = redacts
        self._skipped = skipped
        self._beside = beside
        self._invalid_reason = invalid_reason
        self._seen_keys: set[str] = set()
        self._planned_turns = 0
        self._forgotten: Forgotten | None = None

    def import_file(self, source: OpenTranscript, agent: str) -> ImportReport:
        """Import a file in batches, each committed whole under the lock.

        A turn imported before is recognised by its origin; the last turn of a conversation that has grown
        since is completed. Raises Locked, UnreadableFile, Unwritable.
        """
        return self.import_items(TRANSCRIPT_FORMATS[agent].read(source), source.name, agent)

    def import_items(self, items: Iterator[TranscriptItem], name: str, agent: str) -> ImportReport:
        """Import the items read from a file of this name, as `import_file` does."""
        total = ImportReport(name, agent)
        self._forgotten = load_forgotten(self._workspace)
        facts: list[Fact] = []
        self._turn_index.sync()  # building a first index takes long; do it before taking the lock
        self._turn_index.end_read()
        turns = self._turns(items, total, facts)
        try:
            while batch := [*itertools.islice(turns, _BATCH)]:
                self._write(batch, total)
            if facts:
                self._remember(facts, total)
        except (StaleWrite, Unwritable, Locked) as error:
            if total.imported + total.grown == 0:
                raise
            done = f"{count_noun(total.imported, 'turn')} imported and {total.grown} extended"
            raise PartlyApplied(error, done) from error
        return total

    @retry_when_stale
    def _remember(self, facts: Sequence[Fact], total: ImportReport) -> None:
        with self._workspace.lock():
            plan, already_stored = remember_plan(self._workspace, facts)
            self._workspace.commit(plan)
        total.facts = already_stored.count(False)
        total.known += already_stored.count(True)
        total.plans.append(plan)

    def new_turns(self, items: Sequence[TranscriptItem]) -> list[ImportedTurn]:
        """The turns among the items that are not stored, without what was forgotten. Raises Locked."""
        self._forgotten = load_forgotten(self._workspace)
        turns = [item for item in map(self._redact_origin, items) if isinstance(item, ImportedTurn)]
        known_paths = self._turn_index.origins([turn.origin.key for turn in turns])
        new_by_key = {turn.origin.key: turn for turn in turns if turn.origin.key not in known_paths}
        counts = ImportReport("", "")
        remembered = (self._remembered(turn, counts) for turn in new_by_key.values())
        return [turn for turn in remembered if turn is not None]

    def _turns(
        self, items: Iterator[TranscriptItem], total: ImportReport, facts: list[Fact]
    ) -> Iterator[ImportedTurn]:
        for item in map(self._redact_origin, _withheld(items)) if self._redacts else items:
            match item:
                case SkippedRecord():
                    total.skipped += 1
                    self._skipped(total.name, item.line, item.reason)
                case ImportedFact(text):
                    fact = Fact(_FACT, redact(text) if self._redacts else text, self._owner)
                    if self._forgotten and self._forgotten.has_text(fact.detail, self._owner):
                        total.forgotten += 1
                    else:
                        facts.append(fact)
                case ImportedTurn() if (remembered := self._remembered(item, total)) is None:
                    continue
                case ImportedTurn() if not self._workspace.writes:  # the index will not contain it
                    if item.origin.key not in self._seen_keys:
                        self._seen_keys.add(item.origin.key)
                        yield remembered
                case ImportedTurn():
                    yield remembered

    def _remembered(self, item: ImportedTurn, total: ImportReport) -> ImportedTurn | None:
        """The turn without what was forgotten; None where nothing of it is left."""
        forgotten = self._forgotten
        if not forgotten:
            return item
        if forgotten.has_user(self._owner) or forgotten.has_turn(item.origin.key, item.origin.session):
            total.forgotten += 1
            return None
        messages = without_forgotten(forgotten, self._messages(item), self._owner)
        total.forgotten += len(item.messages) - len(messages)
        return replace(item, messages=messages) if messages else None

    def _redact_origin(self, item: TranscriptItem) -> TranscriptItem:
        """The item with secrets in the ids of its origin replaced."""
        match item:
            case ImportedTurn(TurnOrigin(agent, session, id_)):
                origin = TurnOrigin(agent, redact_values(session), redact_values(id_))
                return item if origin == item.origin else replace(item, origin=origin)
            case _:
                return item

    @retry_when_stale
    def _write(self, batch: Sequence[ImportedTurn], total: ImportReport) -> None:
        workspace = self._workspace
        with workspace.lock():
            known_paths = self._turn_index.origins([item.origin.key for item in batch])
            new_by_key: dict[str, ImportedTurn] = {}
            for item in batch:  # of two versions of a turn, keep the longer
                if item.origin.key not in known_paths and len(item.messages) >= len(
                    _messages(new_by_key.get(item.origin.key))
                ):
                    new_by_key[item.origin.key] = item
            new = [*new_by_key.values()]
            last_by_session = {item.origin.session: item for item in batch if item.origin.key in known_paths}
            grown = [
                change
                for item in last_by_session.values()
                if (
                    change := self._completion_change(
                        PurePosixPath(known_paths[item.origin.key]), self._messages(item)
                    )
                )
            ]
            drafts = {item.origin.key: self._draft(item) for item in new}
            invalid = {key: reason for key, draft in drafts.items() if (reason := self._draft_fault(draft))}
            new = [item for item in new if item.origin.key not in invalid]
            valid = [drafts[item.origin.key] for item in new]
            _, plan = plan_turns(workspace, valid, self._now, group=self._group, after=self._planned_turns)
            if known_paths and not plan:  # an earlier run may have been interrupted before it wrote the head
                highest = max(seq_of_name(PurePosixPath(path).name) or 0 for path in known_paths.values())
                plan = raise_head(workspace, self._group, highest, self._now)
            plan = (*grown, *self._beside(new), *plan)
            workspace.commit(plan)
        if not workspace.writes:
            self._planned_turns += len(new)  # so that a dry run continues the numbering
        for reason in invalid.values():
            self._skipped(total.name, 0, f"a turn {reason}")
        total.skipped += len(invalid)
        total.imported += len(new)
        total.grown += len(grown)
        total.known += len(batch) - len(new) - len(grown) - len(invalid)
        total.plans = [plan] if workspace.writes else [*total.plans, plan]

    def _draft(self, item: ImportedTurn) -> TurnDraft:
        return TurnDraft(item.at or self._now, self._messages(item), self._extra_fields(item))

    def _draft_fault(self, draft: TurnDraft) -> str | None:
        """Why a turn cannot be stored; None if it can."""
        turn = Turn("", 0, format_moment(draft.at), draft.messages, draft.more)
        return self._invalid_reason(turn_format.record(turn))

    def _messages(self, item: ImportedTurn) -> tuple[Message, ...]:
        return redact_messages(item.messages) if self._redacts else item.messages

    def _extra_fields(self, item: ImportedTurn) -> dict[str, object]:
        origin = item.origin
        return {**self._more, "source": {"agent": origin.agent, "session": origin.session, "id": origin.id}}

    def _completion_change(self, path: PurePosixPath, messages: tuple[Message, ...]) -> Change | None:
        """The change that completes a stored turn, if it is the beginning of the messages."""
        content = self._workspace.disk.read_bytes(path)
        match read_turn(content) if content else None:
            case CurrentTurn(turn) if len(turn.messages) <= len(messages):
                stored, current = redact_messages(turn.messages), redact_messages(messages)
                is_private = _says(messages, NOT_KEPT) and not _says(turn.messages, NOT_KEPT)
                if stored == current and not is_private:
                    return None
                if not (is_private or _is_beginning(stored, current)):
                    return None
                completed = Turn(turn.id, turn.seq, turn.created_at, messages, turn.more)
                if self._invalid_reason(turn_format.record(completed)):
                    return None
                return Replace(path, turn_format.render(completed), etag_of(content or b""))
            case _:
                return None


def _withheld(items: Iterable[TranscriptItem]) -> Iterator[TranscriptItem]:
    """The items, without what the user asks not to keep in a turn or in the next one of its session."""
    waiting: ImportedTurn | None = None
    for item in items:
        if not isinstance(item, ImportedTurn):
            yield item
            continue
        turn = item
        if waiting is not None:
            if turn.origin.session == waiting.origin.session:
                both = withhold((*waiting.messages, *turn.messages))
                count = len(waiting.messages)
                waiting, turn = replace(waiting, messages=both[:count]), replace(turn, messages=both[count:])
            yield waiting
        waiting = turn
    if waiting is not None:
        yield waiting


def _says(messages: Iterable[Message], text: str) -> bool:
    return any(text in message.text for message in messages)


def _messages(item: ImportedTurn | None) -> tuple[Message, ...]:
    return item.messages if item else ()


def _is_beginning(stored: tuple[Message, ...], current: tuple[Message, ...]) -> bool:
    """Whether stored messages are the beginning of others; the last may have had fewer parts."""
    if not stored:
        return True
    *stored_whole, last_stored = stored
    is_same = all(a == b for a, b in zip(stored_whole, current, strict=False))
    following = current[len(stored_whole)]
    return (
        is_same
        and last_stored.role == following.role
        and following.parts[: len(last_stored.parts)] == last_stored.parts
    )
