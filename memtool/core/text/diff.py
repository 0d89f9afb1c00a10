"""Unified diffs of two texts, in bounded time."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

_CONTEXT = 1
"""Lines shown around each change."""
_MAX_PAIRS = 1_000_000
"""The most pairs of lines that are compared: about one second in the worst case."""

ChangedLines = tuple[int, int, int, int]
"""Replaced lines: start and end in the old text, start and end in the new text."""


def unified_diff(before: Sequence[str], after: Sequence[str], old: str, new: str) -> Iterator[str]:
    """The lines of a unified diff between two texts' lines, named `old` and `new`; none if they are equal.

    Where the shortest diff would take long to compute, it is a longer one that is correct, too: line by line
    if both have the same number of lines, else between the lines that occur once in each.
    """
    is_short = len(before) * len(after) <= _MAX_PAIRS
    spans = [*_spans(before, after, 0)] if is_short else changed_lines(before, after)
    if not spans:
        return
    yield f"--- {old}"
    yield f"+++ {new}"
    for hunk in _hunks(spans):
        first, last = hunk[0], hunk[-1]
        above = min(_CONTEXT, first[0])
        below = min(_CONTEXT, len(before) - last[1])
        added, removed = last[3] - first[2], last[1] - first[0]
        yield (
            f"@@ -{_range(first[0] - above, removed + above + below)}"
            f" +{_range(first[2] - above, added + above + below)} @@"
        )
        position = first[0] - above
        for low, high, new_low, new_high in hunk:
            yield from (f" {line}" for line in before[position:low])
            yield from (f"-{line}" for line in before[low:high])
            yield from (f"+{line}" for line in after[new_low:new_high])
            position = high
        yield from (f" {line}" for line in before[position : position + below])


def changed_lines(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[ChangedLines]:
    """The changes that lead from one text's lines to another's, in order; found in bounded time."""
    start, end = _common_lines(before, after)
    return [*_spans(before[start : len(before) - end], after[start : len(after) - end], start)]


def _common_lines(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[int, int]:
    """How many lines both have in common at the start, and then at the end."""
    most = min(len(before), len(after))
    start = next((i for i in range(most) if before[i] != after[i]), most)
    rest = most - start
    return start, next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)


def _spans(before: Sequence[Hashable], after: Sequence[Hashable], start: int) -> Iterator[ChangedLines]:
    if len(before) * len(after) <= _MAX_PAIRS:
        from difflib import SequenceMatcher

        for kind, *span in SequenceMatcher(None, before, after).get_opcodes():
            if kind != "equal":
                low, high, new_low, new_high = span
                yield low + start, high + start, new_low + start, new_high + start
    elif len(before) == len(after):
        low = None
        for i in range(len(before) + 1):
            differs = i < len(before) and before[i] != after[i]
            if differs and low is None:
                low = i
            elif not differs and low is not None:
                yield low + start, i + start, low + start, i + start
                low = None
    else:
        yield from _spans_between_matches(before, after, start)


def _spans_between_matches(
    before: Sequence[Hashable], after: Sequence[Hashable], start: int
) -> Iterator[ChangedLines]:
    """The changes between the lines that occur once in each text (patience diff); one change without any."""
    matches = unique_matches(before, after)
    if not matches:
        yield start, start + len(before), start, start + len(after)
        return
    at = new_at = 0
    for place, new_place in (*matches, (len(before), len(after))):
        for low, high, new_low, new_high in changed_lines(before[at:place], after[new_at:new_place]):
            yield start + at + low, start + at + high, start + new_at + new_low, start + new_at + new_high
        at, new_at = place + 1, new_place + 1


def unique_matches(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest rising sequence of the lines that occur once in each."""
    counts, other_counts = Counter(left), Counter(right)
    places = {line: at for at, line in enumerate(right) if other_counts[line] == 1}
    pairs = [(at, places[line]) for at, line in enumerate(left) if counts[line] == 1 and line in places]
    ends: list[int] = []
    chains: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        previous.append(chains[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        chains[length : length + 1] = [number]
    longest: list[tuple[int, int]] = []
    number = chains[-1] if chains else -1
    while number >= 0:
        longest.append(pairs[number])
        number = previous[number]
    return longest[::-1]


def _hunks(spans: Sequence[ChangedLines]) -> Iterator[list[ChangedLines]]:
    """Group the changes whose context lines touch."""
    hunk = [spans[0]]
    for span in spans[1:]:
        if span[0] - hunk[-1][1] > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(span)
    yield hunk


def _range(start: int, length: int) -> str:
    """A range of lines as `diff -u` writes it: counted from 1, without a length of 1."""
    if length == 1:
        return str(start + 1)
    return f"{start + (length > 0)},{length}"
