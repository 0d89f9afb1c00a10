"""Path templates: path patterns with slots, for building and for parsing paths."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from memtool.core.text.regex import regex
from memtool.errors import BadUsage

_SLOT = r"\{(\w+)(?::([^{}]*))?\}"
_COMPONENT = r"(?!\.)[^/\0]+"
_DATE = {"%Y": "(?P<year>[0-9]{4})", "%m": "(?P<month>[0-9]{2})", "%d": "(?P<dom>[0-9]{2})"}
_MAX_DIGITS = 100
"""Of a number in a path; file names are limited to 255 bytes, and Python limits the digits of an int."""


class PathTemplate:
    """A path pattern such as `memory/{day:%Y-%m-%d}.md`.

    Slots: `{day:FORMAT}` is a valid date; `{seq:020}` a number padded to 20 digits; `{rest}` one or more path
    components; `{md}` the extension `md` in any case; any other name is one component or a part of it, and
    cannot begin with a dot. `fill` and `match` are inverse.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.slots = tuple(match[1] for match in regex(_SLOT).finditer(pattern))
        self.fixed_prefix = pattern.partition("{")[0]

    def fill(self, slots: Mapping[str, Any]) -> str:
        """The path with these slots. Raises BadUsage for a slot that is missing or has an invalid value."""

        def slot_text(match: re.Match[str]) -> str:
            name, form = match[1], match[2] or ""
            if name not in slots:
                raise BadUsage(f"no value for {name} in the path {self.pattern}")
            value = slots[name]
            if isinstance(value, date):
                return _day(value, form)
            return format(value, form) if form else str(value)

        path = regex(_SLOT).sub(slot_text, self.pattern)
        if self.match(path) is None:
            raise BadUsage(f"invalid path {path!r}: it does not match {self.pattern}")
        return path

    def match(self, path: str) -> dict[str, Any] | None:
        """The slots of a path, None if it does not match."""
        if not self.slots:
            return {} if path == self.pattern else None
        path_match = self._regex.fullmatch(path) if path.startswith(self.fixed_prefix) else None
        if path_match is None:
            return None
        slots: dict[str, Any] = {}
        for name in self.slots:
            if name == "day":
                try:
                    slots[name] = date(
                        int(path_match["year"]), int(path_match["month"]), int(path_match["dom"])
                    )
                except ValueError:
                    return None
            else:
                slots[name] = int(path_match[name]) if name == "seq" else path_match[name]
        return slots

    def can_match_in(self, folder: str) -> bool:
        """False only if no file directly in this folder matches; "" is the root."""
        fixed_folder = self.fixed_prefix.rpartition("/")[0]
        if fixed_folder and not f"{folder}/".startswith(f"{fixed_folder}/"):
            return False
        return "rest" in self.slots or self.pattern.count("/") == (folder.count("/") + 1 if folder else 0)

    @functools.cached_property
    def _regex(self) -> re.Pattern[str]:
        parts, done = [], 0
        for match in regex(_SLOT).finditer(self.pattern):
            parts += [re.escape(self.pattern[done : match.start()]), _slot_pattern(match[1], match[2] or "")]
            done = match.end()
        return re.compile("".join([*parts, re.escape(self.pattern[done:])]))


def _day(day: date, form: str) -> str:
    """A date in a format; unlike `strftime`, years before 1000 have four digits."""
    parts = {"%Y": f"{day.year:04}", "%m": f"{day.month:02}", "%d": f"{day.day:02}"}
    return regex(r"%.").sub(lambda code: parts[code[0]], form)


def _slot_pattern(name: str, form: str) -> str:
    if name == "day":
        return regex(r"%.").sub(lambda code: _DATE[code[0]], form)
    if name == "seq":
        width = int(form or 1)
        return rf"(?P<seq>[0-9]{{{width}}}|[1-9][0-9]{{{width},{_MAX_DIGITS - 1}}})"
    if name == "md":
        return r"(?P<md>[mM][dD])"
    return rf"(?P<{name}>{_COMPONENT}(?:/{_COMPONENT})*)" if name == "rest" else rf"(?P<{name}>{_COMPONENT})"
