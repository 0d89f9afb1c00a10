"""Truncation: the beginning and the end of a text that is too long, and how much was between."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

MOST = 8000
"""Characters of a tool's result that an agent is given (Qanot)."""
_FIRST, _LAST = 0.7, 0.2
"""The shares of the budget that go to the beginning and to the end (Qanot)."""
_CLUSTER = 32
"""Marks on one letter at most, as far as a cut makes room for them."""


def truncate(pieces: Iterable[str], most: int = MOST) -> Iterator[str]:
    """The text that the pieces make, if it has at most `most` characters; else its beginning and end.

    Between them stands how many characters were removed; all together is at most `most` characters, and no
    letter is parted from its marks. Where not even that fits, it is the beginning alone. However long it
    is, only `most` characters and a piece of the text are held.
    """
    start, end, total = "", "", 0
    for piece in pieces:
        total += len(piece)
        room = most + 1 - len(start)
        start += piece[:room]
        end = (end + piece)[-(most + _CLUSTER) :]
    if total <= most:
        yield start
        return
    first, last = _shares(most, total)
    if first + last == 0:
        yield start[: _cut_before(start, most)]
        return
    head = start[: _cut_before(start, first)]
    tail = end[_cut_after(end, len(end) - last) :]
    yield head
    yield marker(total - len(head) - len(tail))
    yield tail


def marker(removed: int) -> str:
    """What stands where characters were removed."""
    return f"\n[... {removed} characters removed ...]\n"


def _shares(most: int, total: int) -> tuple[int, int]:
    """How many characters of the beginning and the end are kept, so that the marker fits; none if never."""
    first, last = int(most * _FIRST), int(most * _LAST)
    room = most - len(marker(total))
    if first + last > room:
        first = max(0, room) * 7 // 9
        last = max(0, room) - first
    return first, last


def _cut_before(text: str, at: int) -> int:
    """The last place up to `at` that is between two letters."""
    for place in range(at, max(0, at - _CLUSTER), -1):
        if _is_between(text, place):
            return place
    return at


def _cut_after(text: str, at: int) -> int:
    """The first place from `at` on that is between two letters."""
    for place in range(at, min(len(text), at + _CLUSTER)):
        if _is_between(text, place):
            return place
    return at


def _is_between(text: str, place: int) -> bool:
    """Whether a letter with its marks, an emoji in pieces, or CR LF is not cut in two here."""
    if not 0 < place < len(text):
        return True
    before, after = text[place - 1], text[place]
    if (before, after) == ("\r", "\n") or before == "\u200d" or after == "\u200d":
        return False
    if "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff":
        return False  # two of them make a flag
    if "\udc80" <= before <= "\udcff" and "\udc80" <= after <= "\udcff":
        return False  # bytes that are no UTF-8 stay together
    return not (
        unicodedata.combining(after)
        or unicodedata.category(after)[0] == "M"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
