"""The statements that journal entries recorded, superseded and removed, in the words of memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.identity import shown_sentence
from memtool.core.facts.wording import own_wording
from memtool.core.history.file_effects import FileEffect
from memtool.core.history.journal import (
    Appended,
    CommitStep,
    Created,
    Removed,
    Replaced,
    line_digest,
    removed_text,
)
from memtool.core.history.undo import JournalEntry
from memtool.core.records.candidate import SENTENCE
from memtool.core.records.entries import Fact
from memtool.core.records.scope import Scope
from memtool.core.records.semantic import FactTriple
from memtool.core.secrets.redact import redact
from memtool.core.text.discourse import without_opening
from memtool.core.text.sanitise import clip_to_difference
from memtool.errors import MemtoolError
from memtool.formats import long_term, semantic
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.owner_tag import TAG_PATTERN
from memtool.layouts.seeds import unfilled_text
from memtool.store.workspace import Workspace

_MEMORY_ROLES = ("semantic", "rules", "long-term", "learnings", "core", "working-memory", "memories", "note")
_LOG_ROLE = "session-state"
"""Its new lines are what an entry recorded where it changed no file of memory; its old ones only move."""
_TAGS = rf"(?:(?:\[[ xX]\]|\[\d{{4}}-\d\d-\d\d[^\]\n]{{0,30}}\]|{TAG_PATTERN})\s+)*"
_LINE_MARKERS = re.compile(
    rf"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)]|#{{1,6}})\s+)?{_TAGS}(?:\*\*[a-z][a-z0-9_]{{0,63}}\*\*:\s*)?{_TAGS}"
)
"""The list marker, and what memtool writes before a statement: times, owners, categories and checkboxes."""
_LINE_ID = re.compile(r"\s\^[a-z]-[0-9A-Za-z-]+\s*$")
_OLD_MARK = re.compile(r"(?a) (?:\[superseded: \d{4}-\d\d-\d\d\]|\(archived \d{4}-\d\d-\d\d[^()\n]*\))$")
"""The mark at the end of a superseded list item or an archived rule, before its id."""
_MOST_SHOWN = 2
_SHOWN_CHARS = 80
"""The most statements of one kind that are shown of an entry, and the most characters of each."""


class ChangedStatements(Struct, frozen=True):
    """What an entry added to memory, what it marked as superseded, and what it removed, in order."""

    recorded: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any statement."""
        return bool(self.recorded or self.superseded or self.removed)

    @property
    def text(self) -> str:
        """The first statements of each kind as a text, clipped and without secrets; "" without any."""
        kinds = ("recorded", self.recorded), ("superseded", self.superseded), ("removed", self.removed)
        lines = {
            verb: [" ".join(redact(each).split()) for each in statements[:_MOST_SHOWN]]
            for verb, statements in kinds
        }
        every = [line for shown in lines.values() for line in shown]
        return ", ".join(
            f"{verb} {_quoted(lines[verb], every, len(statements))}"
            for verb, statements in kinds
            if statements
        )


def changed_statements(
    workspace: Workspace, entries: Sequence[tuple[JournalEntry, Sequence[FileEffect]]], scope: Scope
) -> list[ChangedStatements]:
    """The statements that each of these entries, with its effects that are in the scope, changed in memory.

    The journal stores digests of new lines only. Their text comes from the files as they are, or from what a
    later commit removed; a line that neither has any more is left out, as is one of another user.
    """
    changes = [[*_line_changes(workspace, entry, effects)] for entry, effects in entries]
    wanted = {digest: "" for steps in changes for change in steps for digest in change.added}
    if wanted:
        for path in dict.fromkeys(change.path for steps in changes for change in steps):
            _add_texts(wanted, _file_lines(workspace, path, scope))
        remaining = {entry.id for entry, _ in entries}
        for record in workspace.journal.newest_first():
            for step in record.steps:
                _add_texts(wanted, _removed_lines(step, scope))
            remaining.discard(record.id)
            if not remaining or all(wanted.values()):
                break
    return [_statements(workspace, steps, wanted, scope) for steps in changes]


def readable_line(text: str) -> str:
    """A line of a semantic file with its fact in words and all else as it is; any other line unchanged."""
    record = semantic.SemanticLine(text).record
    if record is None or not isinstance(fact := record.fact, FactTriple):
        return text
    return semantic.render_line(replace(record, fact=Fact(fact.category, shown_sentence(fact), fact.owner)))


def line_statement(text: str, *, is_fact: bool) -> str:
    """What a line of memory states: a fact as prompts word it, others without list marker, tags, id and mark.

    "Actually, " and the like at its beginning is no part of it. `is_fact` says whether it is a line of a
    semantic file.
    """
    return without_opening(_line_words(text, is_fact=is_fact))


def _line_words(text: str, *, is_fact: bool) -> str:
    record = semantic.SemanticLine(text).record if is_fact else None
    fact = record.fact if record is not None else None
    if isinstance(fact, FactTriple):
        return own_wording(fact) or (fact.object if fact.predicate == SENTENCE else shown_sentence(fact))
    if fact is not None:
        return fact.detail
    return _OLD_MARK.sub("", _LINE_ID.sub("", text[marker_length(text) :]).strip())


def marker_length(line: str) -> int:
    """The length of the list marker, the tags and the label that a line begins with."""
    match = _LINE_MARKERS.match(line)
    return match.end() if match else 0


class _LineChange(Struct, frozen=True):
    """A step in a file of memory: its path now and its role, digests of its new lines, and the step."""

    path: str
    role: str
    added: tuple[str, ...]
    step: CommitStep


def _line_changes(
    workspace: Workspace, entry: JournalEntry, effects: Sequence[FileEffect]
) -> Iterator[_LineChange]:
    for effect in effects:
        located = workspace.role_of(effect.after or effect.path)
        if located is None or located.role not in (*_MEMORY_ROLES, _LOG_ROLE):
            continue
        for number in effect.step_indexes:
            step = entry.steps[number]
            if isinstance(step, Created | Appended | Replaced | Removed):
                written = None if isinstance(step, Removed) else step.written
                added = tuple(mark.digest for mark in written.new) if written else ()
                yield _LineChange(effect.after or effect.path, located.role, added, step)


def _add_texts(wanted: dict[str, str], lines: Iterable[bytes]) -> None:
    """Note the text of each line whose digest is wanted."""
    for line in lines:
        if wanted.get(digest := line_digest(line)) == "":
            wanted[digest] = _text(line)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")


def _file_lines(workspace: Workspace, path: str, scope: Scope) -> Iterable[bytes]:
    """The lines of a file as it is that are in the scope, without its frontmatter; none if it is gone."""
    try:
        content = workspace.disk.read_bytes(PurePosixPath(path))
    except MemtoolError:
        return ()
    visible = workspace.seen_by(scope.owners).disk.visible_bytes(path, content or b"") or b""
    body = frontmatter.split(visible.decode("utf-8", "surrogateescape"))[1]
    return body.encode("utf-8", "surrogateescape").splitlines(keepends=True)


def _removed_lines(step: CommitStep, scope: Scope) -> Iterator[bytes]:
    """The lines that a step removed; with owners only those with a tag of theirs, since no other is sure."""
    text = removed_text(step) if isinstance(step, Replaced) else None
    text = step.content if isinstance(step, Removed) else text
    own_tags = [f"[{owner}]".encode() for owner in scope.owners]
    for line in (text or b"").splitlines(keepends=True):
        if not own_tags or any(tag in line for tag in own_tags):
            yield line


def _statements(
    workspace: Workspace, changes: Sequence[_LineChange], texts: Mapping[str, str], scope: Scope
) -> ChangedStatements:
    """What these steps of one entry changed; lines that moved within memory are not counted."""
    is_memory = any(change.role != _LOG_ROLE for change in changes)
    new: dict[tuple[str, bool], None] = {}
    old: dict[tuple[str, bool], None] = {}
    for change in changes:
        if is_memory and change.role == _LOG_ROLE:
            continue
        seed = unfilled_text(workspace.layout, PurePosixPath(change.path), change.role).split("\n")
        for text in filter(None, (texts[digest] for digest in change.added)):
            new[_statement(change.role, text, seed)] = None
        if is_memory:
            for line in _removed_lines(change.step, scope):
                old[_statement(change.role, _text(line), seed)] = None
    superseded = tuple(text for text, holds in new if text and not holds and (text, holds) not in old)
    return ChangedStatements(
        tuple(text for text, holds in new if text and holds and (text, holds) not in old),
        superseded,
        tuple(
            text
            for text, holds in old
            if text and holds and (text, holds) not in new and text not in superseded
        ),
    )


def _statement(role: str, text: str, seed: Sequence[str]) -> tuple[str, bool]:
    """What a line states, and whether that holds; "" for a heading, a rule or a line of the seed."""
    if text in seed or text.lstrip().startswith("#") or not any(map(str.isalnum, text)):
        return "", True
    if role == "semantic" and (record := semantic.SemanticLine(text).record) is not None:
        if record.superseded is not None:
            return line_statement(semantic.render_line(replace(record, superseded=None)), is_fact=True), False
        return line_statement(text, is_fact=True), True
    if role == "long-term" and (items := long_term.items(long_term.parse(text))):
        return items[0].fact.detail, items[0].superseded is None
    return line_statement(text, is_fact=False), True


def _quoted(shown: Sequence[str], every: Sequence[str], count: int) -> str:
    """The first of `count` statements in quotes; where two of `every` begin alike, with what differs."""
    quoted = ", ".join(f'"{clip_to_difference(line, every, _SHOWN_CHARS)}"' for line in shown)
    more = count - len(shown)
    return f"{quoted} and {more} more" if more > 0 else quoted
