"""completion: names that complete a command line, from fast listings; nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.speech import turn_chat, turn_session
from memtool.core.records.turn import Turn
from memtool.errors import MemtoolError
from memtool.formats.syntax.owner_tag import TAG_PATTERN, parse_owner
from memtool.layouts.load import LAYOUT_NAMES
from memtool.store.workspace import Workspace

MOST_OFFERS = 1_000
"""Most names offered at once."""

_MOST_LINES = 100_000
_MOST_BYTES = 1 << 24
"""Larger files are skipped: 16 MB."""
_LATEST_TURNS = 100
_LATEST_EPISODES = 100
_TURN_BYTES = 1 << 18
"""Longer turns are not searched for the name of their session: 256 kB."""
_OWNED_ROLES = ("session-state", "long-term", "semantic", "learnings", "rules")
"""Roles whose lines have owner tags."""
_CATEGORY = re.compile(r"[-*+] \[([a-z][a-z0-9_]+)\]")


class CompletionOffer(Struct, frozen=True):
    """A completion with a short description.

    `replaces` marks a value that replaces the typed text, rather than extending it.
    """

    value: str
    description: str = ""
    replaces: bool = False


def layouts() -> list[CompletionOffer]:
    """Return the names of all layouts."""
    return [CompletionOffer(name) for name in sorted(LAYOUT_NAMES)]


def roles(workspace: Workspace, *, single: bool = False) -> list[CompletionOffer]:
    """Return the roles that can be searched; with `single`, readable roles of exactly one file."""
    places = workspace.layout.places
    if not single:
        return _offers(place.role for place in places if place.indexed or place.role == "turn")
    multiple = {place.role for place in places if place.template.slots}
    return _offers(place.role for place in places if place.readable and place.role not in multiple)


def groups(workspace: Workspace, actor: str | None) -> list[CompletionOffer]:
    """Return all groups, or those that the acting group may read."""
    layout = workspace.layout
    if layout.groups is None:
        return []
    if actor is not None:
        return _offers(layout.readable_by(actor))
    folder = workspace.disk.list_folder(PurePosixPath(layout.groups))
    return _offers([workspace.settings["groups.main"], *(folder.folders if folder else ())])


def categories(workspace: Workspace) -> list[CompletionOffer]:
    """Return the categories of the layout, and those used by facts."""
    lines_read = _lines(workspace, _paths(workspace, "semantic", None))
    used = [match[1] for line in lines_read if (match := _CATEGORY.match(line))]
    return _offers([*filter(None, workspace.layout.categories), *sorted({*used})])


def owners(workspace: Workspace, kind: str, group: str | None) -> list[CompletionOffer]:
    """Return the users or sessions that memory mentions, optionally only in a group's memory."""
    paths = [path for role in _OWNED_ROLES for path in _paths(workspace, role, group)]
    matches = (match for line in _lines(workspace, paths) for match in re.finditer(TAG_PATTERN, line))
    names = {match[2] for match in matches if match[1] == kind and parse_owner(kind, match[2])}
    if kind == "session":
        names.update(_open_sessions(workspace) if group is None else ())
        names.update(_sessions_of_episodes(workspace) if group is None else ())
        turns = _recent_turns(workspace, group)
        names.update(name for turn in turns if parse_owner(kind, name := turn_session(turn)))
    return _offers(sorted(names))


def _open_sessions(workspace: Workspace) -> Iterable[str]:
    folder = workspace.layout.path("session-turns", name="x").parent.parent
    listed = workspace.disk.list_folder(folder)
    return listed.folders if listed else ()


def _sessions_of_episodes(workspace: Workspace) -> Iterator[str]:
    from memtool.verbs.sessions.episodes import list_episodes

    latest = islice(list_episodes(workspace, []), _LATEST_EPISODES)
    return (file.header.session for file in latest if parse_owner("session", file.header.session))


def chats(workspace: Workspace, group: str | None) -> list[CompletionOffer]:
    """Return the chats of the latest turns."""
    names = (turn_chat(turn) for turn in _recent_turns(workspace, group))
    return _offers(sorted({name for name in names if name and name.isprintable()}))


def _recent_turns(workspace: Workspace, group: str | None) -> Iterator[Turn]:
    """Yield the latest turns, without long ones."""
    from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

    for path in islice(_latest_turns(workspace, group), _LATEST_TURNS):
        stat = workspace.disk.stat(path)
        if stat is not None and stat.size <= _TURN_BYTES:
            match read_turn(workspace.disk.read_bytes(path) or b""):
                case CurrentTurn(turn):
                    yield turn


def _latest_turns(workspace: Workspace, group: str | None) -> Iterator[PurePosixPath]:
    """Yield turns from the newest day backwards, a folder at a time."""
    waiting = [workspace.layout.folder("turn", group=group)]
    while waiting:
        path = waiting.pop()
        listed = workspace.disk.list_folder(path)
        if listed is not None:
            waiting += [path / name for name in sorted(listed.folders)]
            yield from (path / name for name in reversed(listed.files))


def facts(workspace: Workspace, typed: str) -> list[CompletionOffer]:
    """Return the ids of active facts that begin as typed."""
    from memtool.formats import semantic
    from memtool.verbs.memory_files.semantic_files import StoredFact

    offers: list[CompletionOffer] = []
    for path in _paths(workspace, "semantic", None):
        for line in _lines(workspace, [path]):
            if f"^{typed}" not in line and "^" in line:
                continue  # the line has another id
            record = semantic.SemanticLine(line).record
            if record is None or record.superseded is not None:
                continue
            fact = StoredFact(path, 0, record)
            if fact.name.startswith(typed):
                offers.append(CompletionOffer(fact.name, fact.text))
                if len(offers) == MOST_OFFERS:
                    return offers
    return offers


def keys(workspace: Workspace) -> list[CompletionOffer]:
    """Return the keys of facts."""
    return [CompletionOffer(offer.value[2:], offer.description) for offer in facts(workspace, "k-")]


def rules(workspace: Workspace, *, archived: bool) -> list[CompletionOffer]:
    """Return the ids of active or archived rules, with their texts."""
    from memtool.verbs.facts import rules as rule_verbs

    matches = rule_verbs.archived_rules(workspace) if archived else rule_verbs.active_rules(workspace)
    return [CompletionOffer(rule.id, rule.text) for rule in matches]


def candidates(workspace: Workspace) -> list[CompletionOffer]:
    """Return the ids of pending candidates, with their texts."""
    from memtool.formats.syntax import json_text

    folder = workspace.layout.path("session-buffer", name="x").parent.parent
    listed = workspace.disk.list_folder(folder)
    paths = [
        workspace.layout.path("session-buffer", name=name) for name in (listed.folders if listed else ())
    ]
    offers: dict[str, CompletionOffer] = {}
    for line in _lines(workspace, [*paths, workspace.layout.path("pending")]):
        try:
            row = json_text.loads(line)[0]
        except json_text.InvalidJson:
            continue
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            claim = [row.get(key, "") for key in ("subject", "predicate", "object")]
            offers[row["id"]] = CompletionOffer(row["id"], str(row.get("rule") or " ".join(map(str, claim))))
    return [*offers.values()]


def episodes(workspace: Workspace, typed: str) -> list[CompletionOffer]:
    """Return names of episodes: `latest`, their sessions, or, once a folder is typed, their paths."""
    from memtool.verbs.sessions.episodes import list_episodes

    latest = [*islice(list_episodes(workspace, []), _LATEST_EPISODES)]
    if "/" in typed:
        return [CompletionOffer(str(file.path), ", ".join(file.header.themes)) for file in latest]
    offers_by_session = {
        file.header.session: CompletionOffer(file.header.session, ", ".join(file.header.themes))
        for file in latest
    }
    return [
        CompletionOffer("latest", "the last session"),
        *(offer for name, offer in offers_by_session.items() if name),
    ]


def quarantined(workspace: Workspace, typed: str) -> list[CompletionOffer]:
    """Return the files in quarantine, relative to its folder, or with full paths once that is typed."""
    from memtool.verbs.history.quarantine import list_quarantine

    folder = workspace.layout.folder("quarantine")
    offers = []
    for entry in islice(list_quarantine(workspace, []), MOST_OFFERS):
        is_inside = entry.path.is_relative_to(folder) and not str(entry.path).startswith(typed or "/")
        name = entry.path.relative_to(folder) if is_inside else entry.path
        offers.append(CompletionOffer(str(name), entry.record.reason if entry.record else ""))
    return offers


def _offers(names: Iterable[str]) -> list[CompletionOffer]:
    return [CompletionOffer(name) for name in dict.fromkeys(names)]


def _paths(workspace: Workspace, role: str, group: str | None) -> Iterator[PurePosixPath]:
    """Yield the files of a role: its fixed paths, and those listed in its folders."""
    if not workspace.has(role):
        return
    for place in workspace.layout.places:
        if place.role != role or (group is not None and not place.grouped):
            continue
        prefix = PurePosixPath(workspace.layout.groups or "", group) if group else PurePosixPath()
        pattern = place.template.pattern
        if not place.template.slots:
            yield prefix / pattern
            continue
        folder = prefix / pattern.partition("{")[0].rpartition("/")[0]
        listed = workspace.disk.list_folder(folder)
        for name in listed.files if listed else ():
            located = workspace.role_of(str(folder / name))
            if located is not None and located.role == role:
                yield folder / name


def journal_entries(workspace: Workspace, group: str) -> list[CompletionOffer]:
    """Return the journal entries that can be undone, the newest first, optionally only a group's."""
    from memtool.core.history import undo
    from memtool.verbs.journal.undo import is_bookkeeping, is_in_group

    every = undo.journal_entries(workspace.journal.newest_first())
    selectable = (entry for entry in every if not entry.undone and is_in_group(workspace, entry, group))
    changes = (entry for entry in selectable if not is_bookkeeping(workspace, entry))
    return [
        CompletionOffer(entry.id, entry.records[0].author.command) for entry in islice(changes, MOST_OFFERS)
    ]


def _lines(workspace: Workspace, paths: Iterable[PurePosixPath]) -> Iterator[str]:
    """Yield the lines of files, up to `_MOST_LINES`; unreadable files are skipped."""
    lines_left = _MOST_LINES
    for path in paths:
        try:
            stat = workspace.disk.stat(path)
            if stat is None or stat.size > _MOST_BYTES:
                continue
            for _, line in islice(workspace.disk.read_lines(path), lines_left):
                lines_left -= 1
                yield line
        except MemtoolError:
            continue
