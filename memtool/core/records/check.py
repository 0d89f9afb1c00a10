"""Health checks: the state of one thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

State = Literal["ok", "note", "wrong", "unknown"]
"""`note`: information that needs no action; `wrong`: needs action; `unknown`: could not be determined."""


class Check(Struct, frozen=True):
    """One line of a health report: what was checked, its state, and the command to run next, if any."""

    name: str
    state: State
    said: str
    run: str = ""


def answer(checks: Iterable[Check]) -> int:
    """The exit code: 1 if anything needs action, else 3 if anything is unknown, else 0."""
    states = {check.state for check in checks}
    return 1 if "wrong" in states else 3 if "unknown" in states else 0


def counted(number: int, what: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `2 entries`."""
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


def such_as(names: list[str], what: str) -> str:
    """The number of some things and the first of them: `3 files, such as a.md`."""
    return counted(len(names), what) + (f", such as {names[0]}" if len(names) > 1 else f", {names[0]}")
