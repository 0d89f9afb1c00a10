"""A text after edits that still knows, for each of its offsets, where it came from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """`text[start:end]` gives way to `new`."""

    start: int
    end: int
    new: str


class Edited(NamedTuple):
    """The edited text, and its edits in parallel rows: where each ends here, where it was there."""

    text: str
    ends: tuple[int, ...] = ()
    old_starts: tuple[int, ...] = ()
    old_ends: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that `text[start:end]` stands for, whole edits included."""
        return self._first(start), self._last(end)

    def _first(self, offset: int) -> int:
        row = bisect_right(self.ends, offset) - 1
        after = row + 1
        if after < len(self.ends) and offset > self.ends[after] - self.lengths[after]:
            return self.old_starts[after]
        return offset if row < 0 else self.old_ends[row] + offset - self.ends[row]

    def _last(self, offset: int) -> int:
        row = bisect_left(self.ends, offset) - 1
        after = row + 1
        if after < len(self.ends) and offset > self.ends[after] - self.lengths[after]:
            return self.old_ends[after]
        return offset if row < 0 else self.old_ends[row] + offset - self.ends[row]


def edit(text: str, edits: Iterable[Edit]) -> Edited:
    """Apply edits, which come in order and do not overlap."""
    pieces: list[str] = []
    ends: list[int] = []
    rows = tuple(edits)
    size = position = 0
    for row in rows:
        pieces += (text[position : row.start], row.new)
        size += row.start - position + len(row.new)
        ends.append(size)
        position = row.end
    pieces.append(text[position:])
    return Edited(
        "".join(pieces),
        tuple(ends),
        tuple(row.start for row in rows),
        tuple(row.end for row in rows),
        tuple(len(row.new) for row in rows),
    )
