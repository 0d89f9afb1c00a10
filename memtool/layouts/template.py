"""Templates: the pattern of a path with slots, read in both directions."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from memtool.errors import BadUsage

_SLOT = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_NAME = r"(?!\.)[^/\0]+"
_DATE = {"%Y": "(?P<year>[0-9]{4})", "%m": "(?P<month>[0-9]{2})", "%d": "(?P<dom>[0-9]{2})"}
_MOST_DIGITS = 100
"""Of a number in a path: no file name is longer than 255 bytes, and Python refuses to read endless digits."""


class Template:
    """A path pattern such as `memory/{day:%Y-%m-%d}.md`.

    Slots: `{day:FORMAT}` is a real date; `{seq:020}` a number padded to that many digits; `{rest}` one or
    more path components; any other name is one component, or a part of one, that begins with no dot.
    `fill` and `match` are inverse.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.slots = tuple(match[1] for match in _SLOT.finditer(pattern))
        self._begins = pattern.partition("{")[0]

    def fill(self, slots: Mapping[str, Any]) -> str:
        """The path with these slots. Raises BadUsage for a slot that is missing or cannot stand there."""

        def one(match: re.Match[str]) -> str:
            name, form = match[1], match[2] or ""
            if name not in slots:
                raise BadUsage(f"{self.pattern} needs a {name}")
            value = slots[name]
            if isinstance(value, date):
                return _day(value, form)
            return format(value, form) if form else str(value)

        path = _SLOT.sub(one, self.pattern)
        if self.match(path) is None:
            raise BadUsage(f"{path!r} cannot stand at {self.pattern}")
        return path

    def match(self, path: str) -> dict[str, Any] | None:
        """The slots of a path, or None when it does not fit."""
        if not self.slots:
            return {} if path == self.pattern else None
        found = self._regex.fullmatch(path) if path.startswith(self._begins) else None
        if found is None:
            return None
        slots: dict[str, Any] = {}
        for name in self.slots:
            if name == "day":
                try:
                    slots[name] = date(int(found["year"]), int(found["month"]), int(found["dom"]))
                except ValueError:
                    return None
            else:
                slots[name] = int(found[name]) if name == "seq" else found[name]
        return slots

    @functools.cached_property
    def _regex(self) -> re.Pattern[str]:
        parts, done = [], 0
        for match in _SLOT.finditer(self.pattern):
            parts += [re.escape(self.pattern[done : match.start()]), _expression(match[1], match[2] or "")]
            done = match.end()
        return re.compile("".join([*parts, re.escape(self.pattern[done:])]))


def _day(day: date, form: str) -> str:
    """The day in a form; `strftime` leaves the zeros off a year before 1000."""
    parts = {"%Y": f"{day.year:04}", "%m": f"{day.month:02}", "%d": f"{day.day:02}"}
    return re.sub(r"%.", lambda code: parts[code[0]], form)


def _expression(name: str, form: str) -> str:
    if name == "day":
        return re.sub(r"%.", lambda code: _DATE[code[0]], form)
    if name == "seq":
        width = int(form or 1)
        return rf"(?P<seq>[0-9]{{{width}}}|[1-9][0-9]{{{width},{_MOST_DIGITS - 1}}})"
    return rf"(?P<{name}>{_NAME}(?:/{_NAME})*)" if name == "rest" else rf"(?P<{name}>{_NAME})"
