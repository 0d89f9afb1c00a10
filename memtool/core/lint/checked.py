"""What the check of one file found."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Seen
from memtool.core.lint.ties import Ties

RULES = 6
"""Goes up with every change of what is found, so that nothing is kept that other checks have found."""


class Checked(Struct, frozen=True):
    """What is wrong with a file, what it says that others may say, what a person excused in it, and its ties.

    It has ties where links lead from it and to it.
    """

    problems: tuple[Problem, ...]
    seen: Seen
    excuses: Excuses
    ties: Ties | None = None
