"""Which short texts, the signs of patterns, a text contains: known from its earlier versions where it can be."""

from __future__ import annotations

from collections.abc import Callable

_LONGEST_SIGN = 64


class KnownSigns:
    """The signs that a text contains, to be asked with `in`; a sign has at most 64 characters."""

    def __init__(self, text: str) -> None:
        self._text = self._changed = text
        self._absent: set[str] = set()
        self._absent_before: set[str] = set()

    def __contains__(self, sign: object) -> bool:
        assert isinstance(sign, str)
        assert len(sign) <= _LONGEST_SIGN
        if sign in self._absent:
            return False
        if sign in (self._changed if sign in self._absent_before else self._text):
            return True
        self._absent.add(sign)
        return False

    def of_changed_text(self, text: str) -> KnownSigns:
        """The signs of the next version of the text.

        A sign that this version is known not to contain can only be where the next one differs from it.
        """
        start, end = changed_span(self._text, text)
        signs = KnownSigns(text)
        signs._changed = text[max(0, start - _LONGEST_SIGN) : end + _LONGEST_SIGN]
        signs._absent_before = self._absent
        return signs


def changed_span(old: str, new: str) -> tuple[int, int]:
    """The span of a new text around which it is like the old one."""
    most = min(len(old), len(new))
    start = _longest(most, lambda begin, end: old[begin:end] == new[begin:end])
    behind = _longest(
        most - start,
        lambda begin, end: old[len(old) - end : len(old) - begin] == new[len(new) - end : len(new) - begin],
    )
    return start, len(new) - behind


def _longest(most: int, is_alike: Callable[[int, int], bool]) -> int:
    """The largest number up to `most` of characters that are alike; a span is, or a part of it is not."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if is_alike(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
