"""The difference between two texts as people read it: a unified diff, in a time that is always short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_CONTEXT = 1
"""Lines shown around each change."""
_MOST = 1_000_000
"""Pairs of lines that are compared with each other: about a second's work at its worst."""

Span = tuple[int, int, int, int]
"""Lines of the old text that gave way to lines of the new one: from, to, from, to."""


def unified(before: Sequence[str], after: Sequence[str], old: str, new: str) -> Iterator[str]:
    """The lines of a unified diff between two texts' lines, named `old` and `new`; none where they are equal.

    Where so much differs that the shortest difference would take long to find, a longer one is told: line by
    line where no line came or went, else the whole of it as one change. It is right all the same.
    """
    start, end = (0, 0) if len(before) * len(after) <= _MOST else _agreeing(before, after)
    spans = [*_spans(before[start : len(before) - end], after[start : len(after) - end], start)]
    if not spans:
        return
    yield f"--- {old}"
    yield f"+++ {new}"
    for hunk in _hunks(spans):
        first, last = hunk[0], hunk[-1]
        above = min(_CONTEXT, first[0])
        below = min(_CONTEXT, len(before) - last[1])
        came, went = last[3] - first[2], last[1] - first[0]
        yield (
            f"@@ -{_range(first[0] - above, went + above + below)}"
            f" +{_range(first[2] - above, came + above + below)} @@"
        )
        at = first[0] - above
        for low, high, new_low, new_high in hunk:
            yield from (f" {line}" for line in before[at:low])
            yield from (f"-{line}" for line in before[low:high])
            yield from (f"+{line}" for line in after[new_low:new_high])
            at = high
        yield from (f" {line}" for line in before[at : at + below])


def _agreeing(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines agree at the beginning, and then at the end."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    rest = most - start
    return start, next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)


def _spans(before: Sequence[str], after: Sequence[str], start: int) -> Iterator[Span]:
    if len(before) * len(after) <= _MOST:
        from difflib import SequenceMatcher

        for kind, *span in SequenceMatcher(None, before, after).get_opcodes():
            if kind != "equal":
                low, high, new_low, new_high = span
                yield low + start, high + start, new_low + start, new_high + start
    elif len(before) == len(after):
        low = None
        for at in range(len(before) + 1):
            differs = at < len(before) and before[at] != after[at]
            if differs and low is None:
                low = at
            elif not differs and low is not None:
                yield low + start, at + start, low + start, at + start
                low = None
    else:
        yield start, start + len(before), start, start + len(after)


def _hunks(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Changes together whose context touches."""
    hunk = [spans[0]]
    for span in spans[1:]:
        if span[0] - hunk[-1][1] > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(span)
    yield hunk


def _range(start: int, length: int) -> str:
    """A range of lines as `diff -u` writes it: from 1, the length left out where it is 1."""
    if length == 1:
        return str(start + 1)
    return f"{start + (length > 0)},{length}"
