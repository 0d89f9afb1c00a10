"""A question to the memory and its answer, in one shape for every kind of search."""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatchcase

from msgspec import Struct

from memtool.core.records.hit import Hit
from memtool.layouts.layout import Located


class Question(Struct, frozen=True):
    """What is looked for, and where: roles, a path pattern, days (both included) and a group narrow it."""

    text: str
    today: date
    roles: tuple[str, ...] = ()
    path: str | None = None
    since: date | None = None
    until: date | None = None
    group: str | None = None
    limit: int | None = None
    context: int = 0

    def admits(self, path: str, located: Located, groups: tuple[str, ...] | None = None) -> bool:
        """Whether a file lies where this question looks, roles aside. Undated files lie in no days.

        `groups` are those whose memory may be read; None for all.
        """
        if self.path is not None and not fnmatchcase(path, self.path):
            return False
        if groups is not None and (located.group or "") not in groups:
            return False
        if self.since is None and self.until is None:
            return True
        day = located.day
        return day is not None and (self.since or day) <= day <= (self.until or day)


class Answer(Struct, frozen=True):
    """The hits, best first; what is worth knowing about how they were found; whether something was missed.

    `could_not_tell` means: nothing was found, and something that might have held it could not be read.
    """

    hits: tuple[Hit, ...]
    notices: tuple[str, ...] = ()
    could_not_tell: bool = False
    details: tuple[str, ...] = ()
