"""Enumerations in sentences: `a`, `a and b`, `a, b and c`."""

from __future__ import annotations

from collections.abc import Sequence


def enumeration(items: Sequence[str], conjunction: str = "and") -> str:
    """Items as they are listed in a sentence, with the conjunction before the last one; "" for none."""
    *others, last = items or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last
