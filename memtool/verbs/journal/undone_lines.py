"""The lines of text files that an undo removes and restores, for its report."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.core.text.diff import changed_lines
from memtool.errors import MemtoolError
from memtool.formats import json_lines
from memtool.store.files.reader import TreeReader
from memtool.store.workspace import Workspace
from memtool.verbs.journal.line_identity import current_lines, identify_line, is_searchable

MOST_FILES = 3
"""Files whose lines are shown; if more are removed, they are listed, and their lines are not."""
_SUFFIX, _JSON_LINES = ".md", ".jsonl"
"""Of files with lines that people read, and of quotes that facts rest on."""
_HELD_ROLES = frozenset({"pending", "session-buffer"})
_QUOTE_FIELDS = {"evidence": "quotes", **dict.fromkeys(_HELD_ROLES, "evidence")}


class UndoneLines(Struct, frozen=True):
    """The lines of a file that an undo removes, and those that it restores; without blank lines."""

    path: str
    removed: tuple[str, ...]
    restored: tuple[str, ...]


def undone_lines(workspace: Workspace, plan: Plan, owners: Collection[str]) -> tuple[UndoneLines, ...]:
    """What a plan changes in up to three Markdown files, as these owners see them, before its commit.

    If it removes more files than that, no lines of these are among them.
    """
    if sum(isinstance(change, Remove) for change in plan) > MOST_FILES:
        plan = tuple(change for change in plan if not isinstance(change, Remove))
    return tuple(islice(_changed_files(workspace.seen_by(owners).disk, plan), MOST_FILES))


def undone_statements(workspace: Workspace, plan: Plan, owners: Collection[str]) -> tuple[str, ...]:
    """The statements that a plan removes from memory, as these owners see them, before its commit.

    Only facts, rules, learnings, list items of long-term memory, entries of the session state and the quotes
    that facts rest on count as statements; headings, frontmatter and other text do not.
    """
    removed: set[str] = set()
    restored: set[str] = set()
    for file in _changed_files(workspace.seen_by(owners).disk, plan, (_SUFFIX, _JSON_LINES)):
        located = workspace.role_of(file.path)
        role = located.role if located is not None else ""
        removed |= _statements(role, file.removed) if role not in _HELD_ROLES else set()
        restored |= _statements(role, file.restored)  # a held candidate may become memory again
    return tuple(sorted(removed - restored))


def _statements(role: str, lines: Sequence[str]) -> set[str]:
    if role in _QUOTE_FIELDS:
        found = (fields.get(_QUOTE_FIELDS[role]) for _, fields in json_lines.rows("\n".join(lines)))
        texts = {str(quote) for quotes in found if isinstance(quotes, list) for quote in quotes}
    else:
        stating = (line for line in lines if current_lines(role, line))
        texts = {text for line in stating for text in identify_line(role, line, 1).texts}
    return {text for text in texts if is_searchable(text)}


def _changed_files(
    disk: TreeReader, plan: Plan, suffixes: Collection[str] = (_SUFFIX,)
) -> Iterator[UndoneLines]:
    for change in plan:
        if not isinstance(change, Create | Replace | Remove) or change.path.suffix not in suffixes:
            continue
        after = "" if isinstance(change, Remove) else change.text
        try:
            before = disk.read_bytes(change.path)
        except MemtoolError:
            continue
        old = _lines(disk, change.path, before or b"")
        new = _lines(disk, change.path, after.encode("utf-8", "surrogateescape"))
        spans = changed_lines(old, new)
        removed = [line for start, end, _, _ in spans for line in old[start:end]]
        restored = [line for _, _, start, end in spans for line in new[start:end]]
        if any(removed) or any(restored):
            yield UndoneLines(str(change.path), tuple(filter(None, removed)), tuple(filter(None, restored)))


def _lines(disk: TreeReader, path: PurePosixPath, content: bytes) -> list[str]:
    """The visible lines of a content, without the spaces around them."""
    text = (disk.visible_bytes(path, content) or b"").decode("utf-8", "replace")
    return [line.strip() for line in text.split("\n")]
