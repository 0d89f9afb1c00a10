"""Undo of a step line by line, in a file that has changed in other lines since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from memtool.core.history.journal import (
    BLANK_LINES,
    FILE_END,
    FILE_START,
    Appended,
    Created,
    LineMark,
    Replaced,
    line_digest,
    line_id,
)
from memtool.core.text.diff import changed_lines

_MOST_NEAR = 8
"""Most lines on each side that are compared with the lines beside a change."""
Found = tuple[int, int, list[bytes]]
"""A change of a content: the first line that is replaced, the line after the last one, and the new lines."""


class LineConflict(Exception):
    """A line that a step wrote has changed since; its number now if that is known, else 0."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def without_step(step: Created | Appended | Replaced, content: bytes, kept_lines: int = 0) -> bytes:
    """The content with the lines that a step removed in place of those that it wrote.

    The first `kept_lines` lines of a content stay as they are. Lines are found by their digests: one that
    may occur several times only next to a line that was beside it when the step wrote it. Raises LineConflict
    if a line has changed since, and where it is not certain which one is meant.
    """
    written = step.written
    removed = step.removed if isinstance(step, Replaced) else b""
    if written is None or removed is None or (line_digest(removed) if removed else "") != written.removed:
        raise LineConflict(0)
    old_lines = removed.splitlines(keepends=True)
    old = [written.above, *map(line_digest, old_lines), written.below]
    marks: list[LineMark] = [LineMark(written.above, repeated=True)]
    for source in written.sources:
        if isinstance(source, LineMark):
            marks.append(source)
        else:
            marks += [LineMark(digest, repeated=True) for digest in old[1:-1][slice(*source)]]
    marks.append(LineMark(written.below, repeated=True))
    lines = content.splitlines(keepends=True)
    current = [FILE_START, *map(line_digest, lines), FILE_END]
    kept = 0
    while kept < kept_lines and current[kept + 1] == marks[kept + 1].digest:
        kept += 1
    old[1:1], old_lines[:0] = current[1 : kept + 1], lines[:kept]
    changes: list[Found] = []
    for start, end, old_low, old_high in changed_lines([mark.digest for mark in marks], old):
        low, high, place = _place_of_change(marks, start, end, old[old_low:old_high], current, lines)
        if place is not None:
            changes.append((place, place + high - low, old_lines[old_low - 1 : old_high - 1]))
    return b"".join(_applied(lines, sorted(changes, key=lambda change: change[:2])))


def _applied(lines: Sequence[bytes], changes: Sequence[Found]) -> Iterator[bytes]:
    position = 0
    for low, high, new_lines in changes:
        if low < position:
            raise LineConflict(low + 1)
        yield from lines[position:low]
        yield from new_lines
        position = high
    yield from lines[position:]


def _place_of_change(
    marks: Sequence[LineMark],
    low: int,
    high: int,
    old: Sequence[str],
    current: Sequence[str],
    lines: Sequence[bytes],
) -> tuple[int, int, int | None]:
    """The lines of a change and where they are, as `_place` finds them.

    Blank lines at an end of lines that are only removed may stay, since new lines may stand before them now.
    """
    try:
        return low, high, _place(marks, low, high, old, current, lines)
    except LineConflict:
        filled = [number for number in range(low, high) if marks[number].digest not in BLANK_LINES]
        if old or not filled or len(filled) == high - low:
            raise
    low, high = filled[0], filled[-1] + 1
    return low, high, _place(marks, low, high, old, current, lines)


def _place(
    marks: Sequence[LineMark],
    low: int,
    high: int,
    old: Sequence[str],
    current: Sequence[str],
    lines: Sequence[bytes],
) -> int | None:
    """Where the lines from `low` to `high` are now; None if the old ones are there already.

    Raises LineConflict if they are nowhere, or at several places that are equally likely.
    """
    digests = [mark.digest for mark in marks]
    if old and any(above and below for above, below in _places(digests, low, high, old, current).values()):
        return None
    places = _places(digests, low, high, digests[low:high], current)
    both = {place: sum(beside) for place, beside in places.items() if all(beside)}
    some = {place: sum(beside) for place, beside in places.items() if any(beside)}
    likely = both or some or places
    best = [place for place in likely if likely[place] == max(likely.values())]
    is_unique = len(places) == 1 and not all(mark.repeated for mark in marks[low:high])
    if len(best) == 1 and (some or is_unique):
        return best[0] - 1
    if not places and not old and _is_gone(digests, low, high, current):
        return None
    raise LineConflict(_changed_line(marks, low, high, current, lines))


def _is_gone(digests: Sequence[str], low: int, high: int, current: Sequence[str]) -> bool:
    """Whether the lines that were above and below these ones, blank ones aside, follow each other now."""
    above = next((each for each in digests[low - 1 :: -1] if each not in BLANK_LINES), "")
    below = next((each for each in digests[high:] if each not in BLANK_LINES), "")
    return (above, below) in pairwise(each for each in current if each not in BLANK_LINES)


def _places(
    digests: Sequence[str], low: int, high: int, sought: Sequence[str], current: Sequence[str]
) -> dict[int, tuple[int, int]]:
    """Where lines are, with the numbers of lines above and below that are beside `low` and `high`, too.

    No lines are where one of their neighbours is.
    """
    size = len(sought)
    found: dict[int, tuple[int, int]] = {}
    for place in range(1, len(current) - size):
        if size and (current[place] != sought[0] or current[place : place + size] != sought):
            continue
        above = _near(digests, low - 1, current, place - 1, -1)
        below = _near(digests, high, current, place + size, 1)
        if size or above or (below and digests[high] != FILE_END):
            found[place] = above, below
    return found


def _near(digests: Sequence[str], at: int, current: Sequence[str], place: int, step: int) -> int:
    """How many lines from these places on are equal, up to `_MOST_NEAR`; blank ones are not counted."""
    count = 0
    for number in range(0, _MOST_NEAR * step, step):
        mark, line = at + number, place + number
        if not (0 <= mark < len(digests) and 0 <= line < len(current)) or digests[mark] != current[line]:
            break
        count += digests[mark] not in BLANK_LINES
    return count


def _changed_line(
    marks: Sequence[LineMark], low: int, high: int, current: Sequence[str], lines: Sequence[bytes]
) -> int:
    """The number of the line that has changed since; 0 if it is not known."""
    ids = {mark.id for mark in marks[low:high] if mark.id}
    own = {mark.digest for mark in marks[low:high]}
    for number, line in enumerate(lines, 1):
        if ids and current[number] not in own and line_id(line) in ids:
            return number
    above, below = marks[low - 1].digest, marks[high].digest
    if current.count(above) == 1:
        number = current.index(above) + 1
        while number < len(lines) and current[number] in own:
            number += 1
        return number if number <= len(lines) else 0
    return current.index(below) - 1 if current.count(below) == 1 else 0
