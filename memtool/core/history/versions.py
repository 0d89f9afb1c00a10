"""Versions: what files said before and after each commit that the journal knows, walked back from now."""

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
    """A content that nobody can tell any more."""


UNKNOWN = Unknown()
Version = bytes | None | Unknown
"""A file's bytes, None where there was no file, or UNKNOWN."""


class Change(Struct, frozen=True):
    """What a step of a commit found at its path and what it left there."""

    record: Record
    step: Step
    before: Version
    after: Version


def versions(newest: Iterable[Record], read: Callable[[str], Version]) -> Iterator[Change]:
    """Every step of these commits, the last one first, with what it found and left.

    They must be all that the journal knows, the last one first: each version is told from the one after it,
    from what lies in the tree now back to the first; where somebody else wrote in between, from nothing.
    """
    known: dict[str, Version] = {}

    def there(path: str) -> Version:
        if path not in known:
            known[path] = read(path)
        return known[path]

    for record in newest:
        for step in reversed(record.steps):
            if isinstance(step, Moved):
                after = there(step.target)
                known[step.target], known[step.path] = None, after
                yield Change(record, step, after, after)
                continue
            if isinstance(step, Permitted):
                yield Change(record, step, there(step.path), there(step.path))
                continue
            before, after = _around(step, there(step.path))
            known[step.path] = before
            yield Change(record, step, before, after)


def _around(step: Created | Appended | Replaced | Removed, found: Version) -> tuple[Version, Version]:
    """What a step found and what it left, by what is there after it."""
    known = found if isinstance(found, bytes) else None
    match step:
        case Created():
            return None, found if known is not None and digest(known) == step.etag else UNKNOWN
        case Appended():
            end = step.size + step.length
            if known is not None and digest(known[step.size : end]) == step.etag:
                return known[: step.size], known[:end]
        case Replaced():
            if known is not None and digest(known) == step.after and step.removed is not None:
                old = known[: step.start] + step.removed + known[step.start + step.length :]
                return (old if digest(old) == step.before else UNKNOWN), known
            if known is not None and digest(known) == step.before:
                return known, known
        case Removed():
            is_kept = step.content is not None and digest(step.content) == step.etag
            return (step.content if is_kept else UNKNOWN), None
        case _:
            assert_never(step)
    return UNKNOWN, UNKNOWN
