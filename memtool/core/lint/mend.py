"""Fixing: apply the edits of problems to a text until none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.text.edited import Edit, edit

_ROUNDS = 20
"""More rounds than any text needs: an edit removes characters or makes line endings more uniform."""


def mended(text: str, find: Callable[[str], Iterable[Edit]]) -> str:
    """The text after all edits that `find` returns for it, called again after each round."""
    for _ in range(_ROUNDS):
        edits = _apart(find(text))
        if not edits:
            break
        text = edit(text, edits).text
    return text


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in order, without those that overlap another; these wait for the next round."""
    chosen: list[Edit] = []
    for candidate in sorted(set(edits), key=lambda each: (each.start, -each.end)):
        if not chosen or candidate.start >= chosen[-1].end + (chosen[-1].start == candidate.start):
            chosen.append(candidate)
    return chosen
