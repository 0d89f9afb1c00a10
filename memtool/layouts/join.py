"""Joining two layouts on role: where a file of the one has its place in the other."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.layouts.layout import Layout, Located, Place
from memtool.layouts.load import text_of

_NOTE, _DAILY = "note", "daily-note"


class Aim(Struct, frozen=True):
    """Where a file goes: `paths`, the best first, for the best may be taken; empty where it stays.

    `reads_as` is the role that the file has in the new layout at the first of them, or, staying, at its own
    path: None where no row of the new layout is about it.
    """

    paths: tuple[str, ...]
    reads_as: str | None


def aim(path: str, located: Located, old: Layout, new: Layout) -> Aim:
    """Where a file of the old layout belongs in the new one.

    A role's file goes to a place of that role that its slots fill, or whose file name it has; an identity
    that the other layout keeps under another role goes there. A day's note that has no place, and what the
    new layout would take for something else where it lies, becomes a note. All else stays.
    """
    found = [*_places(path, located, old, new)] or [*_alike(path, located, new)]
    here = new.role_of(path)
    reads_as = here.role if here else None
    if not found and (located.role == _DAILY or reads_as not in {None, located.role}):
        found = [*_named(path, located, new, _NOTE, PurePosixPath(path).stem)]
    if not found or path in found:
        return Aim((), reads_as)
    target = new.role_of(found[0])
    return Aim(tuple(dict.fromkeys(found)), target.role if target else None)


def daily_folders() -> tuple[str, ...]:
    """Names of the folders in which other programs keep daily notes."""
    return tuple(_table()["daily"]["folders"])


def is_identity(located: Located, path: str) -> bool:
    """Whether a file is the agent's own identity, under either of the roles that layouts keep it in."""
    return any(
        located.role == row["role"] or (located.role == row["as"] and PurePosixPath(path).stem == row["name"])
        for row in _table()["alike"]
    )


@functools.cache
def _table() -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text_of("migrations.toml"))


def _places(path: str, located: Located, old: Layout, new: Layout) -> Iterator[str]:
    stem = PurePosixPath(path).stem
    name = str(located.slots.get("rest") or located.slots.get("name") or stem)
    only = _only(old, located.role) and _only(new, located.role)
    for place in _of(new, located.role, located.group):
        wanted, given = {*place.template.slots}, dict(located.slots)
        if wanted == given.keys() and (wanted or only or _stem(place) == stem):
            yield from _filled(new, place, located.group, given)
        elif not wanted and _stem(place) == name:
            yield from _filled(new, place, located.group, {})
        elif wanted in ({"name"}, {"rest"}) and given.keys() <= {"name", "rest"}:
            yield from _spelled(new, place, located.group, name)


def _alike(path: str, located: Located, new: Layout) -> Iterator[str]:
    """The place of an identity that the other layout keeps under another role."""
    for row in _table()["alike"]:
        if located.role == row["role"]:
            yield from _named(path, located, new, row["as"], row["name"])
        elif located.role == row["as"] and PurePosixPath(path).stem == row["name"]:
            for place in _of(new, row["role"], located.group):
                yield from _filled(new, place, located.group, {})


def _named(path: str, located: Located, new: Layout, role: str, name: str) -> Iterator[str]:
    """The places of a role that a file by this name can have."""
    for place in _of(new, role, located.group):
        wanted = {*place.template.slots}
        if not wanted and _stem(place) == name:
            yield from _filled(new, place, located.group, {})
        elif wanted in ({"name"}, {"rest"}) and place.template.pattern.endswith(PurePosixPath(path).suffix):
            yield from _spelled(new, place, located.group, name)


def _spelled(new: Layout, place: Place, group: str | None, name: str) -> Iterator[str]:
    """A place filled with a name; where it takes no folders, with the last of its steps, else with all."""
    if "rest" in place.template.slots:
        yield from _filled(new, place, group, {"rest": name})
        return
    for one in dict.fromkeys((name.rpartition("/")[2], name.replace("/", "-"))):
        yield from _filled(new, place, group, {"name": one})


def _filled(new: Layout, place: Place, group: str | None, slots: dict[str, Any]) -> Iterator[str]:
    """The path, unless the layout would read something else at it."""
    filled = place.template.fill({slot: slots[slot] for slot in place.template.slots})
    path = filled if group is None else f"{new.groups}/{group}/{filled}"
    located = new.role_of(path)
    if located is not None and (located.role, located.group) == (place.role, group):
        yield path


def _of(layout: Layout, role: str, group: str | None) -> list[Place]:
    if group is not None and layout.groups is None:
        return []
    found = [place for place in layout.places if place.role == role and not place.old]
    return [place for place in found if group is None or place.grouped]


def _only(layout: Layout, role: str) -> bool:
    """Whether a role has one single file."""
    found = _of(layout, role, None)
    return len(found) == 1 and not found[0].template.slots


def _stem(place: Place) -> str:
    return PurePosixPath(place.template.pattern).stem
