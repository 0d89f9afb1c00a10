"""Truncation: the start and the end of a long text, and offsets at which a text may be cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

TOOL_RESULT_LIMIT = 8000
"""The most characters of a tool's result that an agent gets (Qanot)."""
_FIRST, _LAST = 0.7, 0.2
"""The shares of the budget for the start and the end (Qanot)."""
_MAX_MARKS = 32
"""The most marks on one character for which a cut moves."""


def truncate(pieces: Iterable[str], limit: int = TOOL_RESULT_LIMIT) -> Iterator[str]:
    """The text of the pieces if it has at most `limit` characters; else its start, a marker and its end.

    The marker tells how many characters were removed; all three have at most `limit` characters, and no
    letter is separated from its marks. If the marker does not fit, it is the start only. Memory is bounded by
    `limit` and the longest piece.
    """
    start, end, total = "", "", 0
    for piece in pieces:
        total += len(piece)
        room = limit + 1 - len(start)
        start += piece[:room]
        end = (end + piece)[-(limit + _MAX_MARKS) :]
    if total <= limit:
        yield start
        return
    first, last = _shares(limit, total)
    if first + last == 0:
        yield start[: _cut_before(start, limit)]
        return
    head = start[: _cut_before(start, first)]
    tail = end[_cut_after(end, len(end) - last) :]
    yield head
    yield truncation_marker(total - len(head) - len(tail))
    yield tail


def truncation_marker(removed: int) -> str:
    """The marker in place of removed characters."""
    return f"\n[... {removed} characters removed ...]\n"


def _shares(most: int, total: int) -> tuple[int, int]:
    """How many characters of the start and the end to keep so that the marker fits; (0, 0) if it cannot."""
    first, last = int(most * _FIRST), int(most * _LAST)
    room = most - len(truncation_marker(total))
    if first + last > room:
        first = max(0, room) * 7 // 9
        last = max(0, room) - first
    return first, last


def character_boundary(text: str, cut: int) -> int:
    """The last offset up to `cut` that separates no character from its marks; `cut` if none is near."""
    for offset in range(cut, max(0, cut - _MAX_MARKS), -1):
        if not (_is_joined(text, offset) or text[offset] == "\u200c"):
            return offset
    return cut


def _cut_before(text: str, cut: int) -> int:
    """The last offset up to `cut` between two characters."""
    return next((at for at in range(cut, max(0, cut - _MAX_MARKS), -1) if _is_between(text, at)), cut)


def _cut_after(text: str, cut: int) -> int:
    """The first offset from `cut` between two characters."""
    return next((at for at in range(cut, min(len(text), cut + _MAX_MARKS)) if _is_between(text, at)), cut)


def _is_between(text: str, offset: int) -> bool:
    """Whether a cut here splits no character with its marks, no CR LF, and no bytes that are not UTF-8."""
    if not 0 < offset < len(text):
        return True
    before, after = text[offset - 1], text[offset]
    is_line_end = (before, after) == ("\r", "\n")
    are_bytes = "\udc80" <= before <= "\udcff" and "\udc80" <= after <= "\udcff"
    return not (is_line_end or are_bytes or _is_joined(text, offset))


def _is_joined(text: str, offset: int) -> bool:
    """Whether the character at an offset belongs to the one before: a mark, a skin tone, a flag, a joiner."""
    before, after = text[offset - 1], text[offset]
    return (
        "\u200d" in (before, after)
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or unicodedata.category(after)[0] == "M"
    )
