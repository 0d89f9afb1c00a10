"""Baseline: the problems that an old tree has already, so that only new ones are told.

A problem is known by its file, its code and what its line says, not by its line's number; so lines may move.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct, field

from memtool.core.lint.problem import Problem
from memtool.errors import BadUsage, Newer

_VERSION = 1
_Known = tuple[str, str, str]


class Baseline(Struct, frozen=True):
    """How often each problem is known."""

    known: Counter[_Known] = field(default_factory=Counter)


class Compared(Struct, frozen=True):
    """The problems that a baseline does not know, how many it knew, and how many of its own are gone."""

    new: tuple[Problem, ...]
    known: int
    gone: int


def taken(problems: Iterable[Problem]) -> Baseline:
    """The baseline that knows just these problems."""
    return Baseline(Counter(map(_key, problems)))


def compared(problems: Iterable[Problem], baseline: Baseline) -> Compared:
    """The problems against a baseline; of several that are the same, as many are known as it counts."""
    left = baseline.known.copy()
    new: list[Problem] = []
    count = 0
    for problem in problems:
        key = _key(problem)
        if left[key] > 0:
            left[key] -= 1
            count += 1
        else:
            new.append(problem)
    return Compared(tuple(new), count, sum(left.values()))


def among(baseline: Baseline, is_asked: Callable[[str, str], bool]) -> Baseline:
    """What a baseline knows of the files and codes that are asked for; others are not gone."""
    return Baseline(Counter({key: count for key, count in baseline.known.items() if is_asked(*key[:2])}))


def render(baseline: Baseline) -> str:
    """The text of a baseline's file: a problem a line, in order, so that it merges well."""
    rows = [
        json.dumps({"path": path, "code": code, "about": about, "count": count})
        for (path, code, about), count in sorted(baseline.known.items())
    ]
    body = "".join(f"\n    {row}{',' * (row is not rows[-1])}" for row in rows)
    return f'{{\n  "version": {_VERSION},\n  "problems": [{body}{chr(10) + "  " if rows else ""}]\n}}\n'


def parse(text: str, name: str) -> Baseline:
    """Read a baseline's file; `name` is what it is called in a message. Raises BadUsage, Newer."""
    try:
        found = json.loads(text.removeprefix("\ufeff"))
        version = found["version"]
        if isinstance(version, int) and version > _VERSION:
            raise Newer(f"the baseline {name} is of version {version}; update memtool")
        known: Counter[_Known] = Counter()
        for row in found["problems"]:
            known[str(row["path"]), str(row["code"]), str(row["about"])] += max(0, int(row["count"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise BadUsage(f"{name} is no baseline of memtool lint; write one with --write-baseline") from error
    return Baseline(known)


def _key(problem: Problem) -> _Known:
    return problem.path, problem.code, problem.about
