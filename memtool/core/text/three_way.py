"""Three-way merge of lines: two changes of the same text, applied together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtool.core.text.diff import changed_lines


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """`theirs` with the changes that lead from `base` to `ours`; None if both changed the same lines.

    Unlike in diff3, changes of neighbouring lines do not conflict: each line is a record of its own. Where
    both inserted lines at one place, ours come first.
    """
    our_spans, their_spans = changed_lines(base, ours), changed_lines(base, theirs)
    if any(overlap(span[:2], other[:2]) for span in our_spans for other in their_spans):
        return None
    spans = [(*span, ours) for span in our_spans] + [(*span, theirs) for span in their_spans]
    return [*_applied(base, sorted(spans, key=lambda span: span[:2]))]


def overlap(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two changes share a line of the base, or one inserts between lines that the other replaces."""
    return max(span[0], other[0]) < min(span[1], other[1]) or (
        (span[0] == span[1] and other[0] < span[0] < other[1])
        or (other[0] == other[1] and span[0] < other[0] < span[1])
    )


def _applied(base: Sequence[str], spans: Sequence[tuple[int, int, int, int, Sequence[str]]]) -> Iterator[str]:
    position = 0
    for low, high, new_low, new_high, lines in spans:
        yield from base[position:low]
        yield from lines[new_low:new_high]
        position = high
    yield from base[position:]
