"""Health checks: the state of one thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

HealthState = Literal["ok", "note", "wrong", "unknown"]
"""`note`: information that needs no action; `wrong`: needs action; `unknown`: could not be determined."""


class HealthCheck(Struct, frozen=True):
    """One line of a health report: what was checked, its state, and the command to run next, if any."""

    name: str
    state: HealthState
    message: str
    next_command: str = ""


def health_exit_code(checks: Iterable[HealthCheck]) -> int:
    """The exit code: 1 if anything needs action, else 3 if anything is unknown, else 0."""
    states = {check.state for check in checks}
    return 1 if "wrong" in states else 3 if "unknown" in states else 0


def count_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `2 entries`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def count_with_example(names: list[str], noun: str) -> str:
    """The number of some things and the first of them: `3 files, including a.md`."""
    return count_noun(len(names), noun) + (f", including {names[0]}" if len(names) > 1 else f", {names[0]}")
