"""completion: names that a command line may go on with, from listings that cost little and write nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import MemtoolError
from memtool.formats.syntax.tag import TAG, owner
from memtool.layouts.load import NAMES
from memtool.store.workspace import Workspace

MOST = 1_000
"""Names offered at once; nobody reads more, and typing a letter more leaves fewer."""

_MOST_LINES = 100_000
_MOST_BYTES = 1 << 24
"""Larger files are passed by: 16 MB."""
_LATEST_TURNS = 100
_LATEST_ARCS = 100
_TURN_BYTES = 1 << 18
"""Longer turns are not opened for the name of their session: 256 kB."""
_TALKING = ("session-state", "long-term", "semantic", "learnings", "rules")
"""Roles whose lines say whose they are."""
_SESSION = re.compile(r'"session": ?"([^"\\]{1,128})"')
_CATEGORY = re.compile(r"[-*+] \[([a-z][a-z0-9_]+)\]")


class Offer(Struct, frozen=True):
    """A name that may stand next, with a few words on what it is, where there are any.

    `instead` of what was typed, which it does not begin with.
    """

    value: str
    about: str = ""
    instead: bool = False


def layouts() -> list[Offer]:
    """Every layout."""
    return [Offer(name) for name in sorted(NAMES)]


def roles(workspace: Workspace, *, single: bool = False) -> list[Offer]:
    """The roles that a search can be narrowed to; `single`: those of one file each, which can be got."""
    places = workspace.layout.places
    if not single:
        return _offers(one.role for one in places if one.indexed or one.role == "turn")
    many = {one.role for one in places if one.template.slots}
    return _offers(one.role for one in places if one.readable and one.role not in many)


def groups(workspace: Workspace, actor: str | None) -> list[Offer]:
    """The groups that there are, for who acts for none of them; else those that the actor may read."""
    layout = workspace.layout
    if layout.groups is None:
        return []
    if actor is not None:
        return _offers(layout.readable_by(actor))
    found = workspace.disk.folder(PurePosixPath(layout.groups))
    return _offers([workspace.settings["groups.main"], *(found.folders if found else ())])


def categories(workspace: Workspace) -> list[Offer]:
    """The categories that the layout knows, and those that facts have besides."""
    lines = _lines(workspace, _paths(workspace, "semantic", None))
    said = [match[1] for line in lines if (match := _CATEGORY.match(line))]
    return _offers([*filter(None, workspace.layout.categories), *sorted({*said})])


def owners(workspace: Workspace, kind: str, group: str | None) -> list[Offer]:
    """The users, or the sessions, that memory speaks of; of a group's memory, where one is named."""
    paths = [path for role in _TALKING for path in _paths(workspace, role, group)]
    said = (match for line in _lines(workspace, paths) for match in re.finditer(TAG, line))
    named = {match[2] for match in said if match[1] == kind and owner(kind, match[2])}
    if kind == "session":
        named.update(_open_sessions(workspace) if group is None else ())
        named.update(_sessions_of_arcs(workspace) if group is None else ())
        named.update(_sessions_of_turns(workspace, group))
    return _offers(sorted(named))


def _open_sessions(workspace: Workspace) -> Iterable[str]:
    folder = workspace.layout.path("session-turns", name="x").parent.parent
    found = workspace.disk.folder(folder)
    return found.folders if found else ()


def _sessions_of_arcs(workspace: Workspace) -> Iterator[str]:
    from memtool.verbs.sessions.episodes import episodes as arcs

    found = islice(arcs(workspace, []), _LATEST_ARCS)
    return (one.arc.session for one in found if owner("session", one.arc.session))


def _sessions_of_turns(workspace: Workspace, group: str | None) -> Iterator[str]:
    """The sessions of the latest turns."""
    for path in islice(_latest_turns(workspace, group), _LATEST_TURNS):
        stat = workspace.disk.stat(path)
        if stat is not None and stat.size <= _TURN_BYTES:
            content = workspace.disk.read_bytes(path) or b""
            for match in _SESSION.finditer(content.decode("utf-8", "replace")):
                if owner("session", match[1]):
                    yield match[1]


def _latest_turns(workspace: Workspace, group: str | None) -> Iterator[PurePosixPath]:
    """Turns from the newest day back, a folder at a time."""
    waiting = [workspace.layout.folder("turn", group=group)]
    while waiting:
        path = waiting.pop()
        found = workspace.disk.folder(path)
        if found is not None:
            waiting += [path / name for name in sorted(found.folders)]
            yield from (path / name for name in reversed(found.files))


def facts(workspace: Workspace, typed: str, mine: Collection[str]) -> list[Offer]:
    """The ids of active facts that begin as typed, with what each says; those of `mine` and of nobody's."""
    from memtool.formats import semantic
    from memtool.verbs.memory.fact_files import Stated, is_of

    found: list[Offer] = []
    for path in _paths(workspace, "semantic", None):
        for line in _lines(workspace, [path]):
            if f"^{typed}" not in line and "^" in line:
                continue  # the id stands in the line, and is another
            record = semantic.Line(line).record
            if record is None or record.superseded is not None:
                continue
            one = Stated(path, 0, record)
            if one.name.startswith(typed) and is_of(one, mine):
                found.append(Offer(one.name, one.text))
                if len(found) == MOST:
                    return found
    return found


def keys(workspace: Workspace, mine: Collection[str]) -> list[Offer]:
    """The keys that facts are kept under."""
    return [Offer(one.value[2:], one.about) for one in facts(workspace, "k-", mine)]


def rules(workspace: Workspace, *, archived: bool) -> list[Offer]:
    """The ids of the rules that hold, or of those that were archived, with what each says."""
    from memtool.verbs.facts import rules as kept

    found = kept.archived(workspace) if archived else kept.active(workspace)
    return [Offer(one.id, one.text) for one in found]


def candidates(workspace: Workspace, mine: Collection[str]) -> list[Offer]:
    """The ids of what waits, with what each says."""
    from memtool.formats.syntax import json_text

    folder = workspace.layout.path("session-buffer", name="x").parent.parent
    found = workspace.disk.folder(folder)
    paths = [workspace.layout.path("session-buffer", name=name) for name in (found.folders if found else ())]
    offers: dict[str, Offer] = {}
    for line in _lines(workspace, [*paths, workspace.layout.path("pending")]):
        try:
            row = json_text.loads(line)[0]
        except json_text.NotJson:
            continue
        if isinstance(row, dict) and isinstance(row.get("id"), str) and _is_of(row.get("owner"), mine):
            claim = [row.get(key, "") for key in ("subject", "predicate", "object")]
            offers[row["id"]] = Offer(row["id"], str(row.get("rule") or " ".join(map(str, claim))))
    return [*offers.values()]


def _is_of(tag: object, mine: Collection[str]) -> bool:
    return not mine or tag in mine


def episodes(workspace: Workspace, typed: str) -> list[Offer]:
    """What an arc can be shown by: `latest`, its session, or, once a folder is typed, its path."""
    from memtool.verbs.sessions.episodes import episodes as arcs

    found = [*islice(arcs(workspace, []), _LATEST_ARCS)]
    if "/" in typed:
        return [Offer(str(one.path), ", ".join(one.arc.themes)) for one in found]
    named = {one.arc.session: Offer(one.arc.session, ", ".join(one.arc.themes)) for one in found}
    return [Offer("latest", "the last session"), *(offer for name, offer in named.items() if name)]


def quarantined(workspace: Workspace, typed: str) -> list[Offer]:
    """What is in quarantine: by the path it had among the turns, or, once that is typed, its whole one."""
    from memtool.verbs.history.quarantine import kept

    folder = workspace.layout.folder("quarantine")
    offers = []
    for one in islice(kept(workspace, []), MOST):
        inner = one.path.is_relative_to(folder) and not str(one.path).startswith(typed or "/")
        name = one.path.relative_to(folder) if inner else one.path
        offers.append(Offer(str(name), one.record.reason if one.record else ""))
    return offers


def _offers(names: Iterable[str]) -> list[Offer]:
    return [Offer(name) for name in dict.fromkeys(names)]


def _paths(workspace: Workspace, role: str, group: str | None) -> Iterator[PurePosixPath]:
    """The files of a role: its fixed places, and what lies in the folders of the others."""
    if not workspace.has(role):
        return
    for place in workspace.layout.places:
        if place.role != role or (group is not None and not place.grouped):
            continue
        inside = PurePosixPath(workspace.layout.groups or "", group) if group else PurePosixPath()
        pattern = place.template.pattern
        if not place.template.slots:
            yield inside / pattern
            continue
        folder = inside / pattern.partition("{")[0].rpartition("/")[0]
        found = workspace.disk.folder(folder)
        for name in found.files if found else ():
            at = workspace.located(str(folder / name))
            if at is not None and at.role == role:
                yield folder / name


def entries(workspace: Workspace, group: str) -> list[Offer]:
    """What commands changed and may be taken back, the last one first; of a group, what is in its folder."""
    from memtool.core.history import undo
    from memtool.verbs.journal.undo import lies_in, only_marks

    every = undo.entries(workspace.journal.recent())
    mine = (one for one in every if not one.undone and lies_in(workspace, one, group))
    said = (one for one in mine if not only_marks(workspace, one))
    return [Offer(one.id, one.records[0].author.command) for one in islice(said, MOST)]


def _lines(workspace: Workspace, paths: Iterable[PurePosixPath]) -> Iterator[str]:
    """The lines of files, up to a number that is read in a moment; a file that cannot be read has none."""
    left = _MOST_LINES
    for path in paths:
        try:
            stat = workspace.disk.stat(path)
            if stat is None or stat.size > _MOST_BYTES:
                continue
            for _, line in islice(workspace.disk.lines(path), left):
                left -= 1
                yield line
        except MemtoolError:
            continue
