"""Edits of a text, and the edited text with the original offset of each of its offsets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct


class TextEdit(NamedTuple):
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class EditedText(Struct, frozen=True):
    """An edited text. Parallel rows hold, for each edit, its end here and its span and length before."""

    text: str
    ends: tuple[int, ...] = ()
    old_starts: tuple[int, ...] = ()
    old_ends: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that `text[start:end]` comes from; edits count whole."""
        return self._original_start(start), self._original_end(end)

    def _original_start(self, offset: int) -> int:
        row = bisect_right(self.ends, offset) - 1
        after = row + 1
        if after < len(self.ends) and offset > self.ends[after] - self.lengths[after]:
            return self.old_starts[after]
        return offset if row < 0 else self.old_ends[row] + offset - self.ends[row]

    def _original_end(self, offset: int) -> int:
        row = bisect_left(self.ends, offset) - 1
        after = row + 1
        if after < len(self.ends) and offset > self.ends[after] - self.lengths[after]:
            return self.old_ends[after]
        return offset if row < 0 else self.old_ends[row] + offset - self.ends[row]


def apply_edits(text: str, edits: Iterable[TextEdit]) -> EditedText:
    """Apply edits, which must be in order and must not overlap."""
    pieces: list[str] = []
    ends: list[int] = []
    applied = tuple(edits)
    size = position = 0
    for change in applied:
        pieces += (text[position : change.start], change.new)
        size += change.start - position + len(change.new)
        ends.append(size)
        position = change.end
    pieces.append(text[position:])
    return EditedText(
        "".join(pieces),
        tuple(ends),
        tuple(change.start for change in applied),
        tuple(change.end for change in applied),
        tuple(len(change.new) for change in applied),
    )
