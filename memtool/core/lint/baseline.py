"""Baseline: a record of the problems that a tree has already, so that lint reports only new ones.

A problem is identified by its file, its code and a fingerprint of its line's text, so lines may move.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct, field

from memtool.core.lint.problem import Problem
from memtool.errors import BadUsage, NewerVersion

_VERSION = 1
_ProblemKey = tuple[str, str, str]


class Baseline(Struct, frozen=True):
    """How often each problem occurs."""

    counts: Counter[_ProblemKey] = field(default_factory=Counter)


class BaselineComparison(Struct, frozen=True):
    """The problems not in a baseline, the number in it, and the number of its entries without a problem."""

    new: tuple[Problem, ...]
    known_count: int
    resolved_count: int


def baseline_of(problems: Iterable[Problem]) -> Baseline:
    """The baseline of exactly these problems."""
    return Baseline(Counter(map(_key, problems)))


def compare(problems: Iterable[Problem], baseline: Baseline) -> BaselineComparison:
    """Compare problems with a baseline; of equal problems, as many as it counts are known."""
    remaining = baseline.counts.copy()
    new: list[Problem] = []
    known_count = 0
    for problem in problems:
        key = _key(problem)
        if remaining[key] > 0:
            remaining[key] -= 1
            known_count += 1
        else:
            new.append(problem)
    return BaselineComparison(tuple(new), known_count, sum(remaining.values()))


def restrict(baseline: Baseline, is_selected: Callable[[str, str], bool]) -> Baseline:
    """The part of a baseline for the selected files and codes; only that part can be compared."""
    return Baseline(Counter({key: count for key, count in baseline.counts.items() if is_selected(*key[:2])}))


def render(baseline: Baseline) -> str:
    """The text of a baseline file: one problem a line, sorted, so that it merges well."""
    rows = [
        json.dumps({"path": path, "code": code, "about": about, "count": count})
        for (path, code, about), count in sorted(baseline.counts.items())
    ]
    body = "".join(f"\n    {row}{',' * (row is not rows[-1])}" for row in rows)
    return f'{{\n  "version": {_VERSION},\n  "problems": [{body}{chr(10) + "  " if rows else ""}]\n}}\n'


def parse(text: str, name: str) -> Baseline:
    """Parse a baseline file; `name` is its name in error messages. Raises BadUsage and NewerVersion."""
    try:
        record = json.loads(text.removeprefix("\ufeff"))
        version = record["version"]
        if isinstance(version, int) and version > _VERSION:
            raise NewerVersion(f"{name} was written by a newer version of memtool; update memtool")
        counts: Counter[_ProblemKey] = Counter()
        for row in record["problems"]:
            counts[str(row["path"]), str(row["code"]), str(row["about"])] += max(0, int(row["count"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise BadUsage(
            f"{name} is not a baseline file from memtool lint; to create one, use --write-baseline"
        ) from error
    return Baseline(counts)


def _key(problem: Problem) -> _ProblemKey:
    return problem.path, problem.code, problem.fingerprint
