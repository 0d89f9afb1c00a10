"""What the check of one file found."""

from __future__ import annotations

from dataclasses import dataclass

from memtool.core.lint.excuse import Excuses
from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Seen

RULES = 1
"""Goes up with every change of what is found, so that nothing is kept that other checks have found."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What is wrong with a file, what it says that others may say, and what a person excused in it."""

    problems: tuple[Problem, ...]
    seen: Seen
    excuses: Excuses
