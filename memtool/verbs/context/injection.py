"""injection: what of memory stands in every prompt, role by role, each within its own limit."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.context.context import Section
from memtool.core.records.document import Document
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip
from memtool.errors import OutsideWorkspace, Unreadable
from memtool.formats import compaction, core_file
from memtool.formats.syntax import text_lines
from memtool.layouts.layout import Place
from memtool.store.workspace import Workspace
from memtool.verbs.sessions.episodes import episodes

NEWEST_FIRST = " (newest first)"
"""How the path of the section of all learnings ends."""
_ITEM = r"[-*+][ \t]"
_DATED = r"\s*(?:[-*+][ \t]+|#{1,6}[ \t]+)?\[(\d{4}-\d\d-\d\d[^\]]{0,30})\]"


def standing(
    workspace: Workspace,
    agent: str,
    notices: list[str],
    missed: list[str],
    *,
    group: str | None = None,
    latest_episode: bool = False,
) -> list[Section]:
    """The sections of every prompt, in the order of the layout; learnings newest first.

    `agent` is put where core files say `{{agent_name}}`. What is over its limit is cut at the end of a line,
    and `notices` name the first line that the agent would not see; `missed` says what could not be read.
    """
    sections: list[Section] = []
    done: set[str] = set()
    for place in workspace.layout.places:
        if place.inject != "always" or (group is not None and not place.grouped) or place.role in done:
            continue
        if place.role == "learnings":
            done.add(place.role)
            sections += _learnings(workspace, place, group, notices, missed)
            continue
        for path in paths(workspace, place, group, missed):
            if str(path) not in done and (document := _read(workspace, path, missed)) is not None:
                done.add(str(path))
                sections += _section(workspace, place, document, agent, notices)
    newest = newest_episode(workspace, group) if latest_episode else None
    if newest is not None:
        document = _read(workspace, newest, missed)
        sections += (
            _section(workspace, workspace.layout.place("episode"), document, agent, notices)
            if document
            else []
        )
    return sections


def paths(workspace: Workspace, place: Place, group: str | None, missed: list[str]) -> list[PurePosixPath]:
    """Where the files of a place are: the one path, or all names in its folder that are its own, sorted."""
    layout = workspace.layout
    above = PurePosixPath(layout.groups or "", group) if group is not None else PurePosixPath()
    if not place.template.slots:
        return [above / place.template.pattern]
    folder = above / place.template.pattern.partition("{")[0].rpartition("/")[0]
    try:
        found = workspace.disk.folder(workspace.disk.place(folder))  # which may be a link inside the root
    except (Unreadable, OutsideWorkspace) as error:
        missed.append(f"{folder} is left out: {error}")
        return []
    if found is not None and found.others:
        missed.append(
            f"{folder} holds {found.others} entries that are no files (links, pipes); they are left out"
        )
    named = [folder / name for name in found.files] if found is not None else []
    return [path for path in named if (located := layout.role_of(path)) and located.place is place]


def newest_episode(workspace: Workspace, group: str | None) -> PurePosixPath | None:
    """The arc of the session that ended last, in a group the last by name; None where there is none."""
    if not workspace.has("episode") or (group is not None and not workspace.layout.place("episode").grouped):
        return None
    if group is None:
        return next((one.path for one in episodes(workspace, [])), None)
    return max(paths(workspace, workspace.layout.place("episode"), group, []), default=None)


def _read(workspace: Workspace, path: PurePosixPath, missed: list[str]) -> Document | None:
    try:
        return workspace.read(path)
    except (Unreadable, OutsideWorkspace) as error:
        missed.append(str(error))
        return None


def _section(
    workspace: Workspace, place: Place, document: Document, agent: str, notices: list[str]
) -> Iterator[Section]:
    """The file as a section; nothing for one that says nothing."""
    text, before, limit = document.text.removeprefix("\ufeff"), 0, None
    limits, what = workspace.layout.limits, "its limit"
    if place.format == "core-file":
        page = core_file.parse(document.text)
        text, before, limit = core_file.inject(page, agent), page.meta.count("\n"), core_file.limit(page)
    elif place.format == "working-memory":
        limit = int(limits["working_memory"])
    elif place.role == "workspace" and "index_lines" in limits:
        limit = _index_limit(text, int(limits["index_lines"]), int(limits["index_bytes"]))
        what = "what is read of an index"
    unseen = text_lines.first_beyond(text.rstrip("\n"), limit) if limit is not None else None
    if unseen is not None and limit is not None:
        head = text[:limit]
        text = head if text[limit] == "\n" else head.rpartition("\n")[0] or head
        notices.append(
            f"{document.path} is longer than {what} of {limit} characters: the agent would not see it from "
            f"line {unseen + before} on"
        )
    if place.format == "long-term":
        text = compaction.without(text)
    if "\r" in text:  # the file of an editor that ends lines in CR LF
        text = text.replace("\r\n", "\n").removesuffix("\r")
    if text.strip():
        yield Section(str(document.path), place.role, text, unseen + before if unseen is not None else None)


def _index_limit(text: str, most_lines: int, most_bytes: int) -> int:
    """How many characters of an index are read: so many lines, or so many bytes if that is less."""
    rows = text.split("\n")
    by_lines = len("\n".join(rows[:most_lines])) + 1
    cut = text.encode("utf-8", "surrogateescape")[:most_bytes].decode("utf-8", "surrogateescape")
    while not text.startswith(cut):  # the last character was cut in two
        cut = cut[:-1]
    return min(by_lines, len(cut))


def _learnings(
    workspace: Workspace, place: Place, group: str | None, notices: list[str], missed: list[str]
) -> Iterator[Section]:
    """The newest entries of all learnings together, within their limit."""
    entries = lessons(workspace, place, group, missed)
    kept = [one.shown for one in entries if one.shown]
    limit = int(workspace.layout.limits["learnings"])
    if len(kept) < len(entries):
        notices.append(
            f"learnings are longer than their limit of {limit} characters: the agent would not see "
            f"the oldest {len(entries) - len(kept)} of {len(entries)}"
        )
    if kept:
        folder = workspace.layout.folder(place.role, group=group)
        yield Section(f"{folder}/{NEWEST_FIRST}", place.role, "\n".join(kept))


class Lesson(Struct, frozen=True):
    """An entry of a learnings file, and what of it is in every prompt; nothing where there is no room."""

    path: PurePosixPath
    line: int
    shown: str


def lessons(workspace: Workspace, place: Place, group: str | None, missed: list[str]) -> list[Lesson]:
    """The entries of all learnings, the newest first, those that fit into their limit first of all."""
    entries: list[tuple[float, int, PurePosixPath, int, str]] = []
    for path in paths(workspace, place, group, missed):
        document = _read(workspace, path, missed)
        for number, (line, entry) in enumerate(_entries(document.text) if document else ()):
            entries.append((_moment(entry), number, path, line, f"{entry} ({path.stem})"))
    entries.sort(key=lambda entry: entry[:2], reverse=True)
    room = int(workspace.layout.limits["learnings"])
    found: list[Lesson] = []
    fits = True
    for _, _, path, line, entry in entries:
        shown = clip(entry, room - 1) if not found else entry
        fits = fits and len(shown) + 1 <= room
        room -= len(shown) + 1 if fits else 0
        found.append(Lesson(path, line, shown if fits else ""))
    return found


def _entries(text: str) -> list[tuple[int, str]]:
    """The entries of a learnings file with their lines: list items, and paragraphs that stand alone."""
    found: list[tuple[int, str]] = []
    open_entry = False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        bare = line.rstrip("\r")
        if not bare.strip() or bare.startswith("#"):
            open_entry = False
        elif open_entry and not compiled(_ITEM).match(bare):
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{bare}")
        else:
            found.append((number, bare))
            open_entry = True
    return found


def _moment(entry: str) -> float:
    """When an entry was made, in seconds; entries without a time that reads are the oldest."""
    dated = compiled(_DATED).match(entry)
    with contextlib.suppress(ValueError, OverflowError):
        if dated is not None:
            moment = datetime.fromisoformat(dated[1])
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return float("-inf")
