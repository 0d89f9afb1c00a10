"""Health: what a look at one thing found, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

State = Literal["ok", "note", "wrong", "unknown"]
"""`note`: worth knowing, and nothing has to be done; `wrong`: something has; `unknown`: nobody could tell."""


class Check(Struct, frozen=True):
    """One line of a page of health: what was looked at, how it is, and the command to run next, if any."""

    name: str
    state: State
    said: str
    run: str = ""


def answer(checks: Iterable[Check]) -> int:
    """The exit code: 1 where something needs doing, else 3 where something could not be told, else 0."""
    states = {check.state for check in checks}
    return 1 if "wrong" in states else 3 if "unknown" in states else 0


def counted(number: int, what: str) -> str:
    """`1 file`, `2 files`, `2 entries`."""
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


def such_as(names: list[str], what: str) -> str:
    """How many of something there are, and the first of them."""
    return counted(len(names), what) + (f", such as {names[0]}" if len(names) > 1 else f", {names[0]}")
