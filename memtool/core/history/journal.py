"""Journal records: what each commit did to the tree, with the data needed to undo it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from datetime import datetime, timedelta
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.document import etag_of

PRIVATE_MODE = 0o600
"""The mode of a file that memtool creates."""
_BLOCK = 1 << 16
RUN_PAUSE = timedelta(seconds=60)
"""A pause after which commits of the same process count as another run of its command."""
LINE_SUFFIXES = (".md", ".jsonl", ".toml")
"""Ends of the names of files whose lines are undone one by one."""
FILE_START, FILE_END, UNKNOWN_LINE = "^", "$", "?"
"""Stand for the line above the first line, for the line below the last one, and for one that was not read."""
FORGOTTEN = "-"
"""Stands for the text that a step removed, and for the lines around it, if its content was forgotten."""
_MOST_LINES = 20_000
"""Most lines of which a step records digests."""


class LineMark(Struct, frozen=True):
    """A line, known by digests of its bytes and of the id at its end, such as `^m-c80f12`; "" without an id.

    `repeated` says that the file may have an equal line elsewhere.
    """

    digest: str
    id: str = ""
    repeated: bool = False


class WrittenLines(Struct, frozen=True):
    """The lines that a step wrote: ranges of the lines that it removed, which stayed, and marks of new ones.

    `above` and `below` are the digests of the lines around them, `removed` is that of the text that the step
    removed. This is what undoes a step after another program has changed other lines of the file.
    """

    sources: tuple[tuple[int, int] | LineMark, ...]
    above: str
    below: str
    removed: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether these are all lines that the step wrote; else others were forgotten."""
        return self.removed != FORGOTTEN

    @property
    def new(self) -> tuple[LineMark, ...]:
        """The lines that the step did not find in the file."""
        return tuple(source for source in self.sources if isinstance(source, LineMark))


# An entry's id is a digest of the repr of its first step: the names of these classes and fields stay.
class Created(Struct, frozen=True, repr_omit_defaults=True):
    """A file was created, with this number of lines."""

    path: str
    etag: str
    lines: int
    written: WrittenLines | None = None


class Appended(Struct, frozen=True, repr_omit_defaults=True):
    """`length` bytes were appended to a file of `size` bytes; `etag` is that of the appended bytes only."""

    path: str
    size: int
    length: int
    etag: str
    lines: int
    written: WrittenLines | None = None


class Replaced(Struct, frozen=True, repr_omit_defaults=True):
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
    written: WrittenLines | None = None


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


class CommitAuthor(Struct, frozen=True):
    """The origin of a commit: the command, without user content, and its user, session and agent."""

    command: str = ""
    user: str | None = None
    session: str | None = None
    agent: str | None = None


class CommitRecord(Struct, frozen=True):
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


def changed_lines(before: bytes, after: bytes, start: int, old: int, new: int) -> tuple[int, int, int]:
    """The whole lines of a replacement of `old` bytes at `start` by `new` bytes: their start and two lengths.

    Partly changed lines count. A change that could equally have begun at its line's start is taken to do so.
    """
    line = before.rfind(b"\n", 0, start) + 1
    if before[line + old : start + old] != after[line + new : start + new]:
        old, new = old + start - line, new + start - line
    old_end, new_end = line + old, line + new
    if not (_is_line_end(before, line, old_end) and _is_line_end(after, line, new_end)):
        next_line = before.find(b"\n", old_end) + 1 or len(before)
        old_end, new_end = next_line, new_end + next_line - old_end
    return line, old_end - line, new_end - line


def _is_line_end(content: bytes, line: int, end: int) -> bool:
    """Whether `end` is at the end of a line."""
    return end in {line, len(content)} or content[end - 1 : end] == b"\n"


def line_digest(line: bytes) -> str:
    """What a line, with its line end, is known by."""
    return etag_of(line)[:12]


BLANK_LINES = frozenset(map(line_digest, (b"\n", b"\r\n")))
"""The digests of blank lines."""


def line_digests(text: str) -> frozenset[str]:
    """The digests of the lines of a text, blank ones left out."""
    lines = text.encode("utf-8", "surrogateescape").splitlines(keepends=True)
    return frozenset(map(line_digest, lines)) - BLANK_LINES


def line_id(line: bytes) -> str:
    """The digest of the id at the end of a line; "" without one."""
    word = line[line.rfind(b" ") + 1 :].strip()
    return line_digest(word[1:]) if word[:1] == b"^" and len(word) > 1 else ""


def line_sources(removed: bytes, added: bytes) -> list[tuple[int, int] | bytes]:
    """Where the lines of a change come from: ranges of the lines that it removed, and new lines."""
    old_lines = removed.splitlines(keepends=True)
    places = {line: len(old_lines) - number for number, line in enumerate(reversed(old_lines), 1)}
    sources: list[tuple[int, int] | bytes] = []
    for line in added.splitlines(keepends=True):
        latest = sources[-1] if sources else None
        if isinstance(latest, tuple) and old_lines[latest[1] : latest[1] + 1] == [line]:
            sources[-1] = latest[0], latest[1] + 1
        else:
            sources.append((places[line], places[line] + 1) if line in places else line)
    return sources


def line_counts(removed: bytes, added: bytes, sources: Iterable[tuple[int, int] | bytes]) -> tuple[int, int]:
    """The numbers of lines that a change of whole lines removed and added; lines that moved count as both."""
    end = unchanged = 0
    for source in sources:
        if isinstance(source, tuple) and source[0] >= end:
            end, unchanged = source[1], unchanged + source[1] - source[0]
    return len(removed.splitlines()) - unchanged, len(added.splitlines()) - unchanged


def written_lines(
    sources: Sequence[tuple[int, int] | bytes],
    above: bytes | None,
    below: bytes | None,
    others: Collection[bytes] | None,
    removed: bytes = b"",
) -> WrittenLines | None:
    """The lines of a step with these sources; None for too many.

    `above` and `below` are the lines around them, b"" at an end of the file, None if that was not read, and
    `others` are the lines of the rest of the file, None if these are not known.
    """
    new_lines = Counter([source for source in sources if isinstance(source, bytes)])
    if len(new_lines) > _MOST_LINES:
        return None
    repeated = {line for line, count in new_lines.items() if count > 1 or others is None or line in others}
    marks = [
        LineMark(line_digest(source), line_id(source), source in repeated)
        if isinstance(source, bytes)
        else source
        for source in sources
    ]
    edge = UNKNOWN_LINE if above is None else line_digest(above) if above else FILE_START
    other_edge = UNKNOWN_LINE if below is None else line_digest(below) if below else FILE_END
    return WrittenLines(tuple(marks), edge, other_edge, line_digest(removed) if removed else "")


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


def removed_text(step: Replaced) -> bytes | None:
    """The lines that a step removed, without those between them that stayed; None if they are not stored."""
    if step.removed is None or step.written is None:
        return step.removed
    stayed = {n for source in step.written.sources if isinstance(source, tuple) for n in range(*source)}
    lines = enumerate(step.removed.splitlines(keepends=True))
    return b"".join(line for number, line in lines if number not in stayed)


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


def without_content(step: CommitStep, remaining: Container[str] = ()) -> CommitStep:
    """The step without the content that would undo it.

    Of the lines that it wrote, those whose digests are in `remaining` are still known.
    """
    match step:
        case Replaced():
            return replace(step, removed=None, written=_remaining_lines(step.written, remaining))
        case Created() | Appended():
            return replace(step, written=_remaining_lines(step.written, remaining))
        case Removed():
            return replace(step, content=None)
        case _:
            return step


def without_lines_beside(step: CommitStep, forgotten: Container[str]) -> CommitStep | None:
    """The step as it can still be undone line by line, without the digests of forgotten lines beside its own.

    None if one of the lines that it wrote is forgotten, and for a step without lines.
    """
    if not isinstance(step, Created | Appended | Replaced) or step.written is None:
        return None
    written = step.written
    if not written.is_whole or any(mark.digest in forgotten for mark in written.new):
        return None
    above, below = (UNKNOWN_LINE if line in forgotten else line for line in (written.above, written.below))
    return replace(step, written=replace(written, above=above, below=below))


def _remaining_lines(written: WrittenLines | None, remaining: Container[str]) -> WrittenLines | None:
    marks = tuple(mark for mark in written.new if mark.digest in remaining) if written else ()
    return WrittenLines(marks, FORGOTTEN, FORGOTTEN, FORGOTTEN) if marks else None
