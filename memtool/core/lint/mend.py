"""Mending: a text after the edits of its problems, until none of them is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.text.edited import Edit, edit

_ROUNDS = 20
"""More than any text needs: an edit takes characters out, or brings line ends nearer to one kind."""


def mended(text: str, find: Callable[[str], Iterable[Edit]]) -> str:
    """The text with all edits that `find` asks for, asked again after each round."""
    for _ in range(_ROUNDS):
        edits = _apart(find(text))
        if not edits:
            break
        text = edit(text, edits).text
    return text


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in order, without those that touch what another takes out; they wait for the next round."""
    apart: list[Edit] = []
    for one in sorted(set(edits), key=lambda one: (one.start, -one.end)):
        if not apart or one.start >= apart[-1].end + (apart[-1].start == one.start):
            apart.append(one)
    return apart
