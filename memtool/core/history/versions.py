"""Versions: the contents of files before and after each commit, reconstructed backwards from now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from msgspec import Struct

from memtool.core.history.journal import (
    Appended,
    Created,
    Moved,
    Permitted,
    Record,
    Removed,
    Replaced,
    Step,
    digest,
)


class Unknown:
    """A content that cannot be reconstructed."""


UNKNOWN = Unknown()
Version = bytes | None | Unknown
"""The content of a file, None if there was no file, or UNKNOWN."""


class Change(Struct, frozen=True):
    """A step of a commit, with the contents of its path before and after it."""

    record: Record
    step: Step
    before: Version
    after: Version


def versions(newest: Iterable[Record], read: Callable[[str], Version]) -> Iterator[Change]:
    """Every step of these commits, the newest first, with the contents before and after it.

    The commits must be all commits of the journal, the newest first: each content is reconstructed from the
    one after it, beginning with the current tree. It is UNKNOWN where another program wrote in between.
    """
    content_by_path: dict[str, Version] = {}

    def content_at(path: str) -> Version:
        if path not in content_by_path:
            content_by_path[path] = read(path)
        return content_by_path[path]

    for record in newest:
        for step in reversed(record.steps):
            if isinstance(step, Moved):
                after = content_at(step.target)
                content_by_path[step.target], content_by_path[step.path] = None, after
                yield Change(record, step, after, after)
                continue
            if isinstance(step, Permitted):
                yield Change(record, step, content_at(step.path), content_at(step.path))
                continue
            before, after = _around(step, content_at(step.path))
            content_by_path[step.path] = before
            yield Change(record, step, before, after)


def _around(step: Created | Appended | Replaced | Removed, found: Version) -> tuple[Version, Version]:
    """The contents before and after a step, given the content that was there later."""
    current = found if isinstance(found, bytes) else None
    match step:
        case Created():
            return None, found if current is not None and digest(current) == step.etag else UNKNOWN
        case Appended():
            end = step.size + step.length
            if current is not None and digest(current[step.size : end]) == step.etag:
                return current[: step.size], current[:end]
        case Replaced():
            if current is not None and digest(current) == step.after and step.removed is not None:
                restored = current[: step.start] + step.removed + current[step.start + step.length :]
                return (restored if digest(restored) == step.before else UNKNOWN), current
            if current is not None and digest(current) == step.before:
                return current, current
        case Removed():
            is_kept = step.content is not None and digest(step.content) == step.etag
            return (step.content if is_kept else UNKNOWN), None
        case _:
            assert_never(step)
    return UNKNOWN, UNKNOWN
