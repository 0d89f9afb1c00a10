"""Layout mapping: the place in one layout of a file of another, by their roles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.layouts.layout import Layout, LocatedFile, Place
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.layouts.resources import resource_tables

GROUP_FILE = "group-file"
"""The role of a group's files in a layout without groups, where nobody may read them."""
_WITHOUT_ROLE = ".other"
"""The end of the name of such a file that had no role, before that of its place: it keeps its path."""

_NOTE, _DAILY = "note", "daily-note"
_PROMPT_ROLES = ("core", "workspace")
"""The roles of the files that people write for every prompt; layouts put a file under one or the other."""


class MappedPath(Struct, frozen=True):
    """The possible new paths of a file, the best first, since it may exist already; none if the file stays.

    `new_role` is the role that the new layout gives to the first of them, or, if the file stays, to its own
    path; None if the new layout has no role for it.
    """

    paths: tuple[str, ...]
    new_role: str | None


def map_path(path: str, located: LocatedFile, old: Layout, new: Layout) -> MappedPath:
    """Map a file of the old layout to its place in the new one.

    The file moves to a place of its role with the same slots or the same file name; an identity file and an
    index of memory move to the role that the new layout uses for them, and so do other files in every prompt,
    such as `TOOLS.md`, unless other programs read them at their path. A daily note without a place becomes a
    note, and so does a file that would get another role at its old path. All other files stay. If the new
    layout has no groups, their files move to a folder that is not searched, and from there back.
    """
    if located.group is not None and new.groups is None:
        rest = path.partition("/")[2] + (_WITHOUT_ROLE if located.role == GROUP_FILE else "")
        return MappedPath((str(new.path(GROUP_FILE, rest=rest)),), GROUP_FILE)
    if located.role == GROUP_FILE and new.groups is not None:
        return _restored_path(str(located.slots["rest"]), new)
    targets = (
        [*_paths_in_role(path, located, old, new)]
        or [*_identity_paths(path, located, new)]
        or [*_prompt_paths(path, located, new)]
    )
    own_location = new.locate(path)
    reads_as = own_location.role if own_location else None
    if not targets and (located.role == _DAILY or reads_as not in {None, located.role}):
        targets = [*_paths_for_name(path, located, new, _NOTE, PurePosixPath(path).stem)]
    if not targets or path in targets:
        return MappedPath((), reads_as)
    new_location = new.locate(targets[0])
    return MappedPath(tuple(dict.fromkeys(targets)), new_location.role if new_location else None)


def locate_in_group(path: str, layout: Layout) -> LocatedFile | None:
    """The file of a group that has no role: one in a group's folder, or in what other layouts call one."""
    top, _, rest = path.partition("/")
    group, _, inner = rest.partition("/")
    if not inner or group.startswith(".") or layout.locate(path) is not None:
        return None
    if layout.groups is not None:
        is_of_group = top == layout.groups
    else:
        locations = (other.locate(path) for other in _layouts_with_groups())
        is_of_group = any(located is not None and located.group is not None for located in locations)
    return LocatedFile(GROUP_FILE, layout.place(GROUP_FILE), {"rest": rest}, group) if is_of_group else None


def own_location(path: str, located: LocatedFile) -> tuple[LocatedFile, str]:
    """A file's location and path; of a group's file in a layout without groups, those in its own layout.

    Such a file has its path in the group if no layout gives it a role.
    """
    if located.role != GROUP_FILE:
        return located, path
    rest = str(located.slots["rest"]).removesuffix(_WITHOUT_ROLE)
    group = rest.partition("/")[0]
    for layout in _layouts_with_groups():
        original = layout.locate(f"{layout.groups}/{rest}")
        if original is not None and original.group == group:
            return original, rest
    return located, rest


def daily_folders() -> tuple[str, ...]:
    """Names of the folders in which other programs store daily notes."""
    return tuple(_table()["daily"]["folders"])


def is_identity(located: LocatedFile, path: str) -> bool:
    """Whether a file is the agent's identity, under any of the roles that layouts use for it."""
    return any(
        located.role == row["role"] or (located.role == row["as"] and PurePosixPath(path).stem == row["name"])
        for row in _table()["alike"]
    )


def _table() -> dict[str, Any]:
    return resource_tables("migrations.toml")


def _layouts_with_groups() -> list[Layout]:
    layouts = (load_layout(name) for name in LAYOUT_NAMES)
    return [layout for layout in layouts if layout.groups is not None]


def _restored_path(rest: str, new: Layout) -> MappedPath:
    """The path in a layout with groups of a file that a layout without groups kept for one."""
    group, _, inner = rest.partition("/")
    if not inner:
        return MappedPath((), None)
    if rest.endswith(_WITHOUT_ROLE):
        path = f"{new.groups}/{rest.removesuffix(_WITHOUT_ROLE)}"
        return MappedPath((path,), located.role if (located := new.locate(path)) else None)
    for layout in (new, *_layouts_with_groups()):
        path = f"{layout.groups}/{rest}"
        located = layout.locate(path)
        if located is not None and located.group == group:
            if layout is not new:
                mapped = map_path(path, located, layout, new)
                return mapped if mapped.paths else MappedPath((path,), mapped.new_role)
            return MappedPath((path,), located.role)
    return MappedPath((f"{new.groups}/{rest}",), None)


def _paths_in_role(path: str, located: LocatedFile, old: Layout, new: Layout) -> Iterator[str]:
    """The paths of a file in the places of its own role."""
    stem = PurePosixPath(path).stem
    name = str(located.slots.get("rest") or located.slots.get("name") or stem)
    is_only = _is_single_file(old, located.role) and _is_single_file(new, located.role)
    places = _places_of(new, located.role, located.group)
    if "/" in name:
        places.sort(key=lambda place: place.template.slots == ("name",))  # they lose the folders
    for place in places:
        needed_slots, known_slots = {*place.template.slots}, dict(located.slots)
        if needed_slots == known_slots.keys() and (needed_slots or is_only or _stem(place) == stem):
            yield from _fill(new, place, located.group, known_slots)
        elif not needed_slots and _stem(place) == name:
            yield from _fill(new, place, located.group, {})
        elif needed_slots in ({"name"}, {"rest"}) and known_slots.keys() <= {"name", "rest"}:
            yield from _fill_with_name(new, place, located.group, name)


def _identity_paths(path: str, located: LocatedFile, new: Layout) -> Iterator[str]:
    """The paths of an identity file or of an index under the role that the new layout uses for it."""
    for row in _table()["alike"]:
        if located.role == row["role"]:
            yield from _paths_for_name(path, located, new, row["as"], row["name"])
        elif located.role == row["as"] and PurePosixPath(path).stem == row["name"]:
            for place in _places_of(new, row["role"], located.group):
                yield from _fill(new, place, located.group, {})
    for row in _table()["index"]:
        if PurePosixPath(path).stem == row["name"] and located.role in {row["role"], row["as"]}:
            other_role = row["as"] if located.role == row["role"] else row["role"]
            yield from _paths_for_name(path, located, new, other_role, row["name"])


def _prompt_paths(path: str, located: LocatedFile, new: Layout) -> Iterator[str]:
    """The paths in every prompt, under the other role for such files, of a file that is in every prompt."""
    if located.role not in _PROMPT_ROLES or located.place.inject != "always" or located.place.read_by:
        return
    name = str(located.slots.get("rest") or located.slots.get("name") or PurePosixPath(path).stem)
    for role in _PROMPT_ROLES:
        if role != located.role:
            for candidate in _paths_for_name(path, located, new, role, name):
                new_located = new.locate(candidate)
                if new_located is not None and new_located.place.inject == "always":
                    yield candidate


def _paths_for_name(path: str, located: LocatedFile, new: Layout, role: str, name: str) -> Iterator[str]:
    """The paths that a file of this name can have in a role."""
    for place in _places_of(new, role, located.group):
        needed_slots = {*place.template.slots}
        if not needed_slots and _stem(place) == name:
            yield from _fill(new, place, located.group, {})
        elif needed_slots in ({"name"}, {"rest"}) and place.template.pattern.endswith(
            PurePosixPath(path).suffix
        ):
            yield from _fill_with_name(new, place, located.group, name)


def _fill_with_name(new: Layout, place: Place, group: str | None, name: str) -> Iterator[str]:
    """The paths of a place for a name, without its folders or with `-` for `/` if the place has none."""
    if "rest" in place.template.slots:
        yield from _fill(new, place, group, {"rest": name})
        return
    for candidate in dict.fromkeys((name.rpartition("/")[2], name.replace("/", "-"))):
        yield from _fill(new, place, group, {"name": candidate})


def _fill(new: Layout, place: Place, group: str | None, slots: dict[str, Any]) -> Iterator[str]:
    """The path of a place, if the layout gives that path the same role."""
    filled_path = place.template.fill({slot: slots[slot] for slot in place.template.slots})
    path = filled_path if group is None else f"{new.groups}/{group}/{filled_path}"
    located = new.locate(path)
    if located is not None and (located.role, located.group) == (place.role, group):
        yield path


def _places_of(layout: Layout, role: str, group: str | None) -> list[Place]:
    if group is not None and layout.groups is None:
        return []
    current = [place for place in layout.places if place.role == role and not place.old]
    return [place for place in current if group is None or place.grouped]


def _is_single_file(layout: Layout, role: str) -> bool:
    """Whether a role consists of a single file."""
    places = _places_of(layout, role, None)
    return len(places) == 1 and not places[0].template.slots


def _stem(place: Place) -> str:
    return PurePosixPath(place.template.pattern).stem
