"""Journal records: what each commit did to the tree, with the data needed to undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple, assert_never

from msgspec import Struct
from msgspec.structs import replace

PRIVATE_MODE = 0o600
"""The mode of a file that memtool creates."""
_BLOCK = 1 << 16
RUN_PAUSE = timedelta(seconds=60)
"""A pause after which commits of the same process count as another run of its command."""


# An entry's id is a digest of the repr of its first step: the names of these classes and fields stay.
class Created(Struct, frozen=True):
    """A file was created, with this number of lines."""

    path: str
    etag: str
    lines: int


class Appended(Struct, frozen=True):
    """`length` bytes were appended to a file of `size` bytes; `etag` is that of the appended bytes only."""

    path: str
    size: int
    length: int
    etag: str
    lines: int


class Replaced(Struct, frozen=True):
    """`length` bytes at `start` replaced the bytes `removed`, None if these are not stored.

    `before` and `after` are etags of the file. `lines` are the numbers of lines removed and added.
    """

    path: str
    before: str
    after: str
    start: int
    length: int
    removed: bytes | None
    lines: tuple[int, int]


class Moved(Struct, frozen=True):
    """A file was moved from `path` to `target`."""

    path: str
    target: str
    etag: str


class Removed(Struct, frozen=True):
    """A file was removed; `content` is None if it is not stored."""

    path: str
    etag: str
    content: bytes | None
    lines: int
    mode: int = PRIVATE_MODE


class Permitted(Struct, frozen=True):
    """The permissions (mode) of a file or folder were changed."""

    path: str
    before: int
    after: int


CommitStep = Created | Appended | Replaced | Moved | Removed | Permitted


class CommitAuthor(NamedTuple):
    """The origin of a commit: the command, without user content, and its user, session and agent."""

    command: str = ""
    user: str | None = None
    session: str | None = None
    agent: str | None = None


class CommitRecord(NamedTuple):
    """One commit. `run` is the id of the first commit of the same run of a command, its own id for the first.

    `undoes` are the runs that it undid. `done` is False if it is unknown whether the commit was completed.
    """

    id: str
    at: datetime
    author: CommitAuthor
    run: str
    steps: tuple[CommitStep, ...]
    undoes: tuple[str, ...] = ()
    done: bool = False


def count_lines(content: bytes) -> int:
    """The number of lines of a content; the last one need not end in LF."""
    return content.count(b"\n") + (content[-1:] not in {b"", b"\n"})


def changed_lines(before: bytes, after: bytes, start: int, old: int, new: int) -> tuple[int, int]:
    """The numbers of lines removed and added by a replacement of `old` bytes at `start` by `new` bytes.

    Partly changed lines count. A change that could equally have begun at its line's start is taken to do so.
    """
    line = before.rfind(b"\n", 0, start) + 1
    if before[line + old : start + old] != after[line + new : start + new]:
        old, new = old + start - line, new + start - line
    old_end, new_end = line + old, line + new
    if _is_line_end(before, line, old_end) and _is_line_end(after, line, new_end):
        return count_lines(before[line:old_end]), count_lines(after[line:new_end])
    next_line = before.find(b"\n", old_end) + 1 or len(before)
    return count_lines(before[line:next_line]), count_lines(after[line : new_end + next_line - old_end])


def _is_line_end(content: bytes, line: int, end: int) -> bool:
    """Whether `end` is at the end of a line."""
    return end in {line, len(content)} or content[end - 1 : end] == b"\n"


def changed_line_counts(step: CommitStep) -> tuple[int, int]:
    """The numbers of lines that a step removed and added."""
    match step:
        case Created() | Appended():
            return 0, step.lines
        case Replaced():
            return step.lines
        case Removed():
            return step.lines, 0
        case Moved() | Permitted():
            return 0, 0
        case _:
            assert_never(step)


def touched_paths(step: CommitStep) -> tuple[str, ...]:
    """The paths that a step touches."""
    return (step.path, step.target) if isinstance(step, Moved) else (step.path,)


def content_difference(before: bytes, after: bytes) -> tuple[int, bytes, int]:
    """The difference of two contents: the offset, the old bytes there, and the number of new bytes there.

    The contents are equal before and after that place.
    """
    old, new = len(before), len(after)
    shorter = min(old, new)
    start = _equal_length(shorter, lambda low, high: before[low:high] == after[low:high])
    common_end = _equal_length(
        shorter - start, lambda low, high: before[old - high : old - low] == after[new - high : new - low]
    )
    return start, before[start : old - common_end], new - start - common_end


def _equal_length(most: int, agree: Callable[[int, int], bool]) -> int:
    """The length of the equal part, up to `most`: by blocks first, then by bisection within a block."""
    equal = 0
    while equal < most and agree(equal, min(most, equal + _BLOCK)):
        equal = min(most, equal + _BLOCK)
    high = min(most, equal + _BLOCK) + 1
    while high - equal > 1:
        middle = (equal + high) // 2
        equal, high = (middle, high) if agree(equal, middle) else (equal, middle)
    return equal


def stored_bytes(steps: Iterable[CommitStep]) -> int:
    """The number of bytes stored to undo these steps."""
    total = 0
    for step in steps:
        match step:
            case Replaced(removed=content) | Removed(content=content):
                total += len(content or b"")
    return total


def without_content(step: CommitStep) -> CommitStep:
    """The step without the content that would undo it."""
    match step:
        case Replaced():
            return replace(step, removed=None)
        case Removed():
            return replace(step, content=None)
        case _:
            return step
