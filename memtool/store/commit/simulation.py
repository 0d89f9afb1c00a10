"""Simulate a plan: check each etag, and compute the journal steps that can undo it."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import assert_never

from msgspec import Struct

from memtool.core.history.journal import (
    LINE_SUFFIXES,
    PRIVATE_MODE,
    Appended,
    CommitStep,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
    changed_lines,
    content_difference,
    count_lines,
    line_counts,
    line_sources,
    written_lines,
)
from memtool.core.records.document import etag_of
from memtool.core.records.plan import (
    Append,
    Change,
    Create,
    Move,
    MoveTree,
    Permit,
    Plan,
    Remove,
    RemoveTree,
    Replace,
    Secure,
)
from memtool.errors import MemtoolError, StaleWrite
from memtool.store.files.disk import Disk
from memtool.store.files.posix import TAIL_BYTES, appended_since, bytes_to_append, encode

_MAX_TREE_FILES = 10_000
"""Largest number of files of a tree that are recorded one by one; a larger tree is one step."""


class PlannedAppend(Struct, frozen=True):
    """The size and last bytes of a file before an append, and the bytes that are appended."""

    size: int
    ending: bytes
    added: bytes


def simulate(disk: Disk, plan: Plan, max_undo_bytes: int) -> tuple[list[CommitStep], list[PlannedAppend]]:
    """The steps of a plan for the journal, and its appends. Raises as `PlanSimulation.steps`."""
    simulation = PlanSimulation(disk, max_undo_bytes)
    return [step for change in plan for step in simulation.steps(change)], simulation.appends


def carry_appends_over(disk: Disk, plan: Plan) -> Plan:
    """The plan, with new texts that contain the lines that other programs have appended since it was made.

    It is what the files would be, had these lines been appended after the plan was applied.
    """
    return tuple(_with_appended(disk, change) if isinstance(change, Replace) else change for change in plan)


def _with_appended(disk: Disk, change: Replace) -> Replace:
    current = disk.read_bytes(change.path)
    more = None if current is None else appended_since(current, change.etag)
    if not current or not more or not change.text.endswith("\n"):
        return change
    return Replace(change.path, change.text + more.decode("utf-8", "surrogateescape"), etag_of(current))


class PlanSimulation:
    """Simulates a plan's changes on a tree without writing.

    A change is checked against the result of the changes before it in the same plan.
    """

    def __init__(self, disk: Disk, max_undo_bytes: int) -> None:
        """`max_undo_bytes` is the limit of removed bytes that the journal stores per commit."""
        self._disk = disk
        self._bytes_left = max_undo_bytes
        self._contents: dict[PurePosixPath, bytes | None] = {}
        self._tails: dict[PurePosixPath, tuple[int, bytes]] = {}
        self.appends: list[PlannedAppend] = []
        """The appends among the changes so far, in order."""

    def steps(self, change: Change) -> Iterator[CommitStep]:
        """The steps of a change: one, or for a tree one for each file in it. Raises as `_step`.

        Links and unreadable files have an empty etag, since their content is not known.
        """
        if isinstance(change, Permit):
            yield Permitted(str(change.path), change.expect, change.mode)
            return
        if isinstance(change, Secure):
            if (mode := self._disk.mode(change.path)) is not None and (
                new := self._disk.private_mode(mode)
            ) != mode:
                yield Permitted(str(change.path), stat.S_IMODE(mode), stat.S_IMODE(new))
            return
        if not isinstance(change, MoveTree | RemoveTree):
            yield self._step(change)
            return
        if not self._disk.path_exists(change.path):
            raise StaleWrite(change.path)
        source = self._disk.resolve_parent(change.path)
        if isinstance(change, MoveTree):
            self._disk.check_folder(change.target)
        for path, size in self._disk.list_tree(source, _MAX_TREE_FILES):
            content = self._stored_content(path, size)
            etag = "" if content is None else etag_of(content)
            if isinstance(change, MoveTree):
                yield Moved(str(path), str(change.target / path.relative_to(source)), etag)
            else:
                yield Removed(str(path), etag, content, count_lines(content or b""), self._mode(path))

    def _stored_content(self, path: PurePosixPath, size: int | None) -> bytes | None:
        """The bytes of a regular file of a tree; None if unreadable or beyond the limit."""
        if size is None or size > self._bytes_left:
            return None
        try:
            content = self._disk.read_bytes(path)
        except MemtoolError:
            return None
        self._bytes_left -= len(content or b"")
        return content

    def _mode(self, path: PurePosixPath) -> int:
        mode = self._disk.mode(path)  # a file that is only planned has none yet
        return PRIVATE_MODE if mode is None else stat.S_IMODE(mode) & 0o777

    def _step(self, change: Change) -> CommitStep:
        """The step of a single change. Raises StaleWrite, UnreadableFile, Unwritable, OutsideWorkspace."""
        match change:
            case Create(path, text, _):
                self._refuse_existing(path)
                self._disk.check_folder(path)
                new = self._contents[path] = encode(text)
                written = None
                if path.suffix in LINE_SUFFIXES:
                    written = written_lines(line_sources(b"", new), b"", b"", ())
                return Created(str(path), etag_of(new), count_lines(new), written)
            case Append(path, text):
                return self._append_step(path, text)
            case Replace(path, text, etag):
                old, new = self._content(path, etag), encode(text)
                self._contents[path] = new
                return _replacement(path, old, new, etag)
            case Move(path, target, etag):
                content = self._content(path, etag)
                if (
                    str(path).casefold() != str(target).casefold()
                ):  # else the disk decides whether they are the same file
                    self._refuse_existing(target)
                self._contents[path], self._contents[target] = None, content
                return Moved(str(path), str(target), etag)
            case Remove(path, etag):
                content = self._content(path, etag)
                self._contents[path] = None
                return Removed(str(path), etag, content, count_lines(content), self._mode(path))
            case MoveTree() | RemoveTree() | Secure() | Permit():
                raise AssertionError("no single step")
            case _:
                assert_never(change)

    def _refuse_existing(self, path: PurePosixPath) -> None:
        """Raise StaleWrite if the path exists."""
        existing = self._contents[path] if path in self._contents else self._disk.stat(path)
        if existing is not None:
            raise StaleWrite(path)

    def _content(self, path: PurePosixPath, etag: str) -> bytes:
        if path not in self._contents:
            return self._disk.check(path, etag)
        content = self._contents[path]
        if content is None or etag_of(content) != etag:
            raise StaleWrite(path)
        return content

    def _append_step(self, path: PurePosixPath, text: str) -> Appended:
        self._disk.check_folder(path)
        content = self._contents.get(path)
        if content is not None:
            size, ending = len(content), content[-TAIL_BYTES:]
        else:
            size, ending = self._tails.get(path) or self._disk.size_and_tail(path)
        added = bytes_to_append(ending, text)
        self.appends.append(PlannedAppend(size, ending, added))
        if content is not None:
            self._contents[path] = content + added
        else:
            self._tails[path] = (size + len(added), (ending + added)[-TAIL_BYTES:])
        written = None
        if path.suffix in LINE_SUFFIXES and (not size or ending.endswith(b"\n")):
            is_whole = size == len(ending)
            above = _last_line(ending) if is_whole or b"\n" in ending[:-1] else None
            others = ending.splitlines(keepends=True) if is_whole else None
            written = written_lines(line_sources(b"", added), above, b"", others)
        return Appended(str(path), size, len(added), etag_of(added), count_lines(added), written)


def _replacement(path: PurePosixPath, old: bytes, new: bytes, etag: str) -> Replaced:
    """The step that replaces a content by another; in files of lines it replaces whole lines."""
    start, removed, length = content_difference(old, new)
    line, old_length, new_length = changed_lines(old, new, start, len(removed), length)
    old_end, new_end = line + old_length, line + new_length
    old_lines, new_lines = old[line:old_end], new[line:new_end]
    sources = line_sources(old_lines, new_lines)
    counts = line_counts(old_lines, new_lines, sources)
    is_redacted = _redacts(removed, new[start : start + length])
    if path.suffix not in LINE_SUFFIXES or is_redacted:
        stored = None if is_redacted else removed
        return Replaced(str(path), etag, etag_of(new), start, length, stored, counts)
    above = new[new.rfind(b"\n", 0, max(0, line - 1)) + 1 : line]
    below = new[new_end : new.find(b"\n", new_end) + 1 or len(new)]
    others = {*new[:line].splitlines(keepends=True), *new[new_end:].splitlines(keepends=True)}
    written = written_lines(sources, above, below, others, old_lines)
    return Replaced(str(path), etag, etag_of(new), line, new_length, old_lines, counts, written)


def _last_line(content: bytes) -> bytes:
    """The last line of a content that ends in LF; b"" if it is empty."""
    return content[content.rfind(b"\n", 0, -1) + 1 :]


def _redacts(old: bytes, new: bytes) -> bool:
    """Whether a change redacts a secret, which the journal then must not store."""
    if not old or b"[REDACTED:" not in new:
        return False
    from memtool.core.secrets.redact import redact

    text = old.decode("utf-8", "replace")
    return redact(text) != text
