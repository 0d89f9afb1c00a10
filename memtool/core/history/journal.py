"""The journal's values: what each commit did to the tree, and what it takes to take that back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple, assert_never

from msgspec import Struct
from msgspec.structs import replace

PRIVATE = 0o600
"""The mode of a file that memtool makes."""
_BLOCK = 1 << 16
RUN = timedelta(seconds=60)
"""A pause after which what the same process commits counts as another run of its command."""


def digest(content: bytes) -> str:
    """The etag of a content: equal ones mean equal bytes (BLAKE2b, 128 bits)."""
    return blake2b(content, digest_size=16).hexdigest()


class Created(Struct, frozen=True):
    """A file that was not there, of so many lines."""

    path: str
    etag: str
    lines: int


class Appended(Struct, frozen=True):
    """`length` bytes behind the first `size` of a file; `etag` is of these bytes alone."""

    path: str
    size: int
    length: int
    etag: str
    lines: int


class Replaced(Struct, frozen=True):
    """`length` bytes at `start` that took the place of `removed`; None where that is not kept.

    `lines` are how many lines these were, the old ones and the new ones.
    """

    path: str
    before: str
    after: str
    start: int
    length: int
    removed: bytes | None
    lines: tuple[int, int]


class Moved(Struct, frozen=True):
    """A file under a new name."""

    path: str
    target: str
    etag: str


class Removed(Struct, frozen=True):
    """A file that is gone, its mode, and what was in it; None where that is not kept."""

    path: str
    etag: str
    content: bytes | None
    lines: int
    mode: int = PRIVATE


class Permitted(Struct, frozen=True):
    """A file or folder with another mode: who may do what with it."""

    path: str
    before: int
    after: int


Step = Created | Appended | Replaced | Moved | Removed | Permitted


class Author(NamedTuple):
    """Who commits: a command in memtool's own words (never what it was given), and for whom."""

    command: str = ""
    user: str | None = None
    session: str | None = None


class Record(NamedTuple):
    """One commit. `run` is the id of the first commit of the same run of a command, its own for the first.

    `undoes` names the runs that it took back. `done` is False where nobody knows whether it was finished.
    """

    id: str
    at: datetime
    author: Author
    run: str
    steps: tuple[Step, ...]
    undoes: tuple[str, ...] = ()
    done: bool = False


def count(content: bytes) -> int:
    """How many lines a content is; the last one need not be ended."""
    return content.count(b"\n") + (content[-1:] not in {b"", b"\n"})


def changed_lines(before: bytes, after: bytes, start: int, old: int, new: int) -> tuple[int, int]:
    """How many whole lines `old` bytes at `start` were part of, and `new` bytes in their place are.

    A change that could as well have begun with its line is taken to have.
    """
    line = before.rfind(b"\n", 0, start) + 1
    if before[line + old : start + old] != after[line + new : start + new]:
        old, new = old + start - line, new + start - line
    old_end, new_end = line + old, line + new
    if _ends(before, line, old_end) and _ends(after, line, new_end):
        return count(before[line:old_end]), count(after[line:new_end])
    rest = before.find(b"\n", old_end) + 1 or len(before)
    return count(before[line:rest]), count(after[line : new_end + rest - old_end])


def _ends(content: bytes, line: int, end: int) -> bool:
    """Whether what begins with a line ends with one."""
    return end in {line, len(content)} or content[end - 1 : end] == b"\n"


def lines_of(step: Step) -> tuple[int, int]:
    """How many lines a step took out and put in."""
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


def touched(step: Step) -> tuple[str, ...]:
    """The paths that a step is about."""
    return (step.path, step.target) if isinstance(step, Moved) else (step.path,)


def splice(before: bytes, after: bytes) -> tuple[int, bytes, int]:
    """Where two contents differ: the offset, what stood there before, and how many bytes stand there now.

    They agree in all that is in front of it and behind it.
    """
    old, new = len(before), len(after)
    most = min(old, new)
    start = _agreeing(most, lambda low, high: before[low:high] == after[low:high])
    ending = _agreeing(
        most - start, lambda low, high: before[old - high : old - low] == after[new - high : new - low]
    )
    return start, before[start : old - ending], new - start - ending


def _agreeing(most: int, agree: Callable[[int, int], bool]) -> int:
    """How many bytes from 0 up to `most` agree, asked block by block and then within the block."""
    at = 0
    while at < most and agree(at, min(most, at + _BLOCK)):
        at = min(most, at + _BLOCK)
    high = min(most, at + _BLOCK) + 1
    while high - at > 1:
        middle = (at + high) // 2
        at, high = (middle, high) if agree(at, middle) else (at, middle)
    return at


def kept(steps: Iterable[Step]) -> int:
    """How many bytes it takes to take these steps back."""
    total = 0
    for one in steps:
        match one:
            case Replaced(removed=content) | Removed(content=content):
                total += len(content or b"")
    return total


def without_content(step: Step) -> Step:
    """The same step without the bytes that would take it back."""
    match step:
        case Replaced():
            return replace(step, removed=None)
        case Removed():
            return replace(step, content=None)
        case _:
            return step
