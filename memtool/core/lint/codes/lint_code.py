"""Code: one kind of problem, with its stable name, severity, explanation and remedy."""

from __future__ import annotations

from msgspec import Struct

ERROR, WARNING, INFO = "error", "warning", "info"
SEVERITIES = (ERROR, WARNING, INFO)
"""The severities, the worst first."""


class LintCode(Struct, frozen=True):
    """One kind of problem. A code is never reused for another kind.

    `summary` is shown in lists, `reason` and `remedy` by `--explain`. `--fix` fixes the problems of a
    `fixable` code that have exactly one correct fix.
    """

    name: str
    severity: str
    summary: str
    reason: str
    remedy: str
    fixable: bool = False
