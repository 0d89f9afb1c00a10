"""Versions: the contents of files before and after each commit, reconstructed backwards from now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import assert_never

from msgspec import Struct

from memtool.core.history.journal import (
    Appended,
    CommitRecord,
    CommitStep,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
    touched_paths,
)
from memtool.core.records.document import etag_of


class UnknownContent:
    """A content that cannot be reconstructed."""


UNKNOWN = UnknownContent()
ContentVersion = bytes | None | UnknownContent
"""The content of a file, None if there was no file, or UNKNOWN."""


class CommitsByPath:
    """The commits that touched each path, for a caller that itself commits between its questions."""

    def __init__(self) -> None:
        self._by_path: dict[str, list[CommitRecord]] = {}
        self._newest = ""

    def update(self, newest_first: Iterable[CommitRecord]) -> None:
        """Add the commits since the last update; no older ones are read from `newest_first`."""
        records = [*takewhile(lambda record: record.id != self._newest, newest_first)]
        for record in reversed(records):
            for path in {path for step in record.steps for path in touched_paths(step)}:
                self._by_path.setdefault(path, []).append(record)
        self._newest = records[0].id if records else self._newest

    def of(self, path: str) -> Iterator[CommitRecord]:
        """The commits that touched a path, newest first."""
        return reversed(self._by_path.get(path, []))


class ContentChange(Struct, frozen=True):
    """A step of a commit, with the contents of its path before and after it."""

    record: CommitRecord
    step: CommitStep
    before: ContentVersion
    after: ContentVersion


def content_changes(
    newest: Iterable[CommitRecord], read: Callable[[str], ContentVersion]
) -> Iterator[ContentChange]:
    """Every step of these commits, the newest first, with the contents before and after it.

    The commits must be all commits of the journal, the newest first: each content is reconstructed from the
    one after it, beginning with the current tree. It is UNKNOWN where another program wrote in between.
    """
    content_by_path: dict[str, ContentVersion] = {}

    def content_at(path: str) -> ContentVersion:
        if path not in content_by_path:
            content_by_path[path] = read(path)
        return content_by_path[path]

    for record in newest:
        for step in reversed(record.steps):
            if isinstance(step, Moved):
                after = content_at(step.target)
                content_by_path[step.target], content_by_path[step.path] = None, after
                yield ContentChange(record, step, after, after)
                continue
            if isinstance(step, Permitted):
                yield ContentChange(record, step, content_at(step.path), content_at(step.path))
                continue
            before, after = _before_and_after(step, content_at(step.path))
            content_by_path[step.path] = before
            yield ContentChange(record, step, before, after)


def _before_and_after(
    step: Created | Appended | Replaced | Removed, later: ContentVersion
) -> tuple[ContentVersion, ContentVersion]:
    """The contents before and after a step, given the content that was there later."""
    current = later if isinstance(later, bytes) else None
    match step:
        case Created():
            return None, later if current is not None and etag_of(current) == step.etag else UNKNOWN
        case Appended():
            end = step.size + step.length
            if current is not None and etag_of(current[step.size : end]) == step.etag:
                return current[: step.size], current[:end]
        case Replaced():
            if current is not None and etag_of(current) == step.after and step.removed is not None:
                restored = current[: step.start] + step.removed + current[step.start + step.length :]
                return (restored if etag_of(restored) == step.before else UNKNOWN), current
            if current is not None and etag_of(current) == step.before:
                return current, current
        case Removed():
            is_kept = step.content is not None and etag_of(step.content) == step.etag
            return (step.content if is_kept else UNKNOWN), None
        case _:
            assert_never(step)
    return UNKNOWN, UNKNOWN
