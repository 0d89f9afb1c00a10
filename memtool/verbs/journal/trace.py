"""trace: where a line of memory comes from, step by step down to who said it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.text.text import fold
from memtool.errors import BadUsage, MemtoolError
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import admits, heard
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.journal.trace_origin import Link, commits, evidence, meant, removals, told, turns

HEADS = (
    "semantic",
    "rules",
    "long-term",
    "learnings",
    "core",
    "working-memory",
    "memories",
    "note",
    "episode",
    "rules-archive",
)
"""Roles whose lines are memory: what is traced, in this order."""
STATE = ("session-state", "session-state-archive")
NOTES = ("daily-note",)
_PLACE = re.compile(r"(.+):(\d{1,7})")
_ID = re.compile(r"\^?([a-z]-[0-9A-Za-z-]{2,64})")


class Traced(Struct, frozen=True):
    """A chain for each line that was found: the line first, then what it goes back to."""

    chains: tuple[tuple[Link, ...], ...]
    notices: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether of one line more is known than that it is there."""
        return any(len(chain) > 1 or chain[0].step != "memory" for chain in self.chains)


class _Page(Struct, frozen=True):
    path: str
    located: Located
    text: str


def trace(
    workspace: Workspace,
    text: str,
    shelves: SearchIndexes,
    today: date,
    *,
    limit: int,
    group: str | None = None,
) -> Traced:
    """Where memory has a text from: a line of it, given by words of it, by its id, or as path:line.

    The files are asked what bears the line out, the notes and turns who said it, and the journal who wrote
    it; where memory does not say it any more, the journal who took it out. Raises BadUsage for a text that
    says nothing.
    """
    asked = " ".join(text.split())
    if not asked:
        raise BadUsage("there is nothing to trace: the text is empty")
    notices: list[str] = []
    pages = _pages(workspace, group, notices)
    every = _found(pages, asked)
    heads = every[:limit]
    if len(every) > limit:
        more = len(every) - limit
        notices.append(f"{more} more line{'s' * (more != 1)} of memory say it; -n {len(every)} traces all")
    states = [(one.path, one.text) for one in pages if one.located.role in STATE]
    notes = [(one.path, one.text) for one in pages if one.located.role in NOTES]
    notes.sort(key=lambda row: row[0].rpartition("/")[2])
    wrote = commits(workspace, [_key(page, number) for page, number in heads])
    chains: list[tuple[Link, ...]] = []
    for page, number in heads:
        known = meant(page.located.role, page.text, number)
        raw = page.text.split("\n")[number - 1].strip()
        links = [Link("memory", page.path, number, raw, {"id": known.id} if known.id else {})]
        links += [one for one in [wrote.get(_key(page, number))] if one]
        proofs = list(evidence(workspace, known.id)) if known.id else []
        said = tuple(dict.fromkeys([*(one for _, quotes in proofs for one in quotes), *known.said]))
        links += [link for link, _ in proofs]
        if page.located.role not in (*STATE, *NOTES):
            links += told("state", states, said)
        if page.located.role not in NOTES:
            links += told("note", notes, said)
        links += turns(workspace, shelves, said, today, group, notices)
        chains.append(tuple(links))
    if not heads:
        links = [] if group is not None else [*removals(workspace, asked)]
        links += turns(workspace, shelves, [asked], today, group, notices)
        chains += [tuple(links)] if links else []
    return Traced(tuple(chains), tuple(heard(workspace, group, dict.fromkeys(notices))))


def _key(page: _Page, number: int) -> tuple[str, bytes]:
    return page.path, page.text.split("\n")[number - 1].encode("utf-8", "surrogateescape")


def _pages(workspace: Workspace, group: str | None, notices: list[str]) -> list[_Page]:
    """The files that may hold the line or speak of it, of those that this group may read."""
    listing = workspace.documents()
    notices += [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    found: list[_Page] = []
    for path in sorted(listing.files):
        located = workspace.located(path)
        if located is None or located.role not in (*HEADS, *STATE, *NOTES):
            continue
        if not admits(workspace, located, group):
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            notices.append(str(error))
            continue
        if document is not None:
            found.append(_Page(path, located, document.text))
    return found


def _found(pages: Sequence[_Page], asked: str) -> list[tuple[_Page, int]]:
    """The lines that are meant: by place, by id, or by words; memory before state and notes."""
    if (place := _PLACE.fullmatch(asked)) is not None:
        for page in pages:
            if page.path == place[1] and 0 < int(place[2]) <= page.text.count("\n") + 1:
                return [(page, int(place[2]))]
    for roles in ((*HEADS,), STATE, NOTES):
        mine = [one for one in pages if one.located.role in roles]
        mine.sort(key=lambda one: roles.index(one.located.role))
        found = _lines(mine, asked)
        if found:
            return found
    return []


def _lines(pages: Iterable[_Page], asked: str) -> list[tuple[_Page, int]]:
    named = _ID.fullmatch(asked)
    needle = fold(asked)
    found: list[tuple[_Page, int]] = []
    for page in pages:
        if named is None and needle.split(" ", 1)[0] not in fold(page.text):
            continue
        for number, raw in enumerate(page.text.split("\n"), 1):
            if named is not None and raw.rstrip().endswith(f"^{named[1]}"):
                return [(page, number)]
            if needle in " ".join(fold(raw).split()):
                found.append((page, number))
    return found
