"""Fixing: apply the edits of problems to a text until none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.text.edits import TextEdit, apply_edits

_MAX_ROUNDS = 20
"""More rounds than any text needs: an edit removes characters or makes line endings more uniform."""


def apply_fixes(text: str, find_edits: Callable[[str], Iterable[TextEdit]]) -> str:
    """The text after all edits that `find_edits` returns for it, called again after each round."""
    for _ in range(_MAX_ROUNDS):
        edits = _non_overlapping(find_edits(text))
        if not edits:
            break
        text = apply_edits(text, edits).text
    return text


def _non_overlapping(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The edits in order, without those that overlap another; these wait for the next round."""
    chosen: list[TextEdit] = []
    for candidate in sorted(set(edits), key=lambda each: (each.start, -each.end)):
        if not chosen or candidate.start >= chosen[-1].end + (chosen[-1].start == candidate.start):
            chosen.append(candidate)
    return chosen
