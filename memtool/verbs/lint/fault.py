"""Fault: what is wrong between files, before anybody has looked for a link's target beside them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from memtool.core.lint.problem import Problem


class Fault(Struct, frozen=True):
    """A problem between files; of a link that leads nowhere, where it was looked for, and its name.

    `name` is empty where a link names a path.
    """

    problem: Problem
    tried: tuple[str, ...] = ()
    name: str = ""

    def record(self) -> list[Any]:
        """The same as JSON values."""
        one = self.problem
        return [one.path, one.line, one.col, one.code, one.message, one.about, self.tried, self.name]

    @staticmethod
    def of(record: list[Any]) -> Fault:
        """What a record says; the inverse of `record`."""
        *problem, tried, name = record
        return Fault(Problem(*problem), tuple(tried), name)
