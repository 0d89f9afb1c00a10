"""trace: find where a line of memory comes from, back to the turn in which it was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.scope import Scope
from memtool.core.text.text import fold
from memtool.errors import BadUsage, MemtoolError
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices
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
"""Roles whose lines are memory, in the order in which they are traced."""
STATE = ("session-state", "session-state-archive")
NOTES = ("daily-note",)
_PLACE = re.compile(r"(.+):(\d{1,7})")
_ID = re.compile(r"\^?([a-z]-[0-9A-Za-z-]{2,64})")


class Traced(Struct, frozen=True):
    """A chain for each matching line: the line first, then its origins."""

    chains: tuple[tuple[Link, ...], ...]
    notices: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether at least one chain has an origin."""
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
    scope: Scope,
    *,
    limit: int,
) -> Traced:
    """Trace the origins of lines of memory, given by words, by id, or as path:line.

    Evidence comes from the files, speakers from notes and turns, and writers from the journal. If no line of
    memory matches, the journal is searched for a removal of the text. Raises BadUsage for an empty text.
    """
    query = " ".join(text.split())
    if not query:
        raise BadUsage("there is nothing to trace: the text is empty")
    notices: list[str] = []
    files = _pages(workspace, scope, notices)
    matches = _found(files, query)
    traced_lines = matches[:limit]
    if len(matches) > limit:
        more = len(matches) - limit
        notices.append(f"{more} more line{'s' * (more != 1)} of memory say it; -n {len(matches)} traces all")
    states = [(file.path, file.text) for file in files if file.located.role in STATE]
    notes = [(file.path, file.text) for file in files if file.located.role in NOTES]
    notes.sort(key=lambda row: row[0].rpartition("/")[2])
    commit_steps = commits(workspace, [_key(file, number) for file, number in traced_lines])
    chains: list[tuple[Link, ...]] = []
    for file, number in traced_lines:
        identity = meant(file.located.role, file.text, number)
        line_text = file.text.split("\n")[number - 1].strip()
        steps = [Link("memory", file.path, number, line_text, {"id": identity.id} if identity.id else {})]
        steps += [step for step in [commit_steps.get(_key(file, number))] if step]
        evidence_steps = list(evidence(workspace, identity.id)) if identity.id else []
        texts = tuple(
            dict.fromkeys([*(quote for _, quotes in evidence_steps for quote in quotes), *identity.said])
        )
        steps += [step for step, _ in evidence_steps]
        if file.located.role not in (*STATE, *NOTES):
            steps += told("state", states, texts)
        if file.located.role not in NOTES:
            steps += told("note", notes, texts)
        steps += turns(workspace, shelves, texts, today, scope, notices)
        chains.append(tuple(steps))
    if not traced_lines:
        steps = [] if scope.group is not None else [*removals(workspace, query)]
        steps += turns(workspace, shelves, [query], today, scope, notices)
        chains += [tuple(steps)] if steps else []
    return Traced(tuple(chains), tuple(visible_notices(workspace, scope, dict.fromkeys(notices))))


def _key(file: _Page, number: int) -> tuple[str, bytes]:
    return file.path, file.text.split("\n")[number - 1].encode("utf-8", "surrogateescape")


def _pages(workspace: Workspace, scope: Scope, notices: list[str]) -> list[_Page]:
    """The files in the scope that may hold the line or its origins."""
    listing = workspace.documents()
    notices += [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    files: list[_Page] = []
    for path in sorted(listing.files):
        located = workspace.located(path)
        if located is None or located.role not in (*HEADS, *STATE, *NOTES):
            continue
        if not scope.admits(located.group):
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            notices.append(str(error))
            continue
        if document is not None:
            files.append(_Page(path, located, document.text))
    return files


def _found(files: Sequence[_Page], query: str) -> list[tuple[_Page, int]]:
    """The matching lines, by position, id or words; memory comes before session state and notes."""
    if (place := _PLACE.fullmatch(query)) is not None:
        for file in files:
            if file.path == place[1] and 0 < int(place[2]) <= file.text.count("\n") + 1:
                return [(file, int(place[2]))]
    for roles in ((*HEADS,), STATE, NOTES):
        candidates = [candidate for candidate in files if candidate.located.role in roles]
        candidates.sort(key=lambda candidate: roles.index(candidate.located.role))
        matches = _lines(candidates, query)
        if matches:
            return matches
    return []


def _lines(files: Iterable[_Page], query: str) -> list[tuple[_Page, int]]:
    id_match = _ID.fullmatch(query)
    needle = fold(query)
    matches: list[tuple[_Page, int]] = []
    for file in files:
        if id_match is None and needle.split(" ", 1)[0] not in fold(file.text):
            continue
        for number, line in enumerate(file.text.split("\n"), 1):
            if id_match is not None and line.rstrip().endswith(f"^{id_match[1]}"):
                return [(file, number)]
            if needle in " ".join(fold(line).split()):
                matches.append((file, number))
    return matches
