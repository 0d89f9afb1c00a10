"""Links of all files: broken links, ambiguous links, and notes that no link leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.lint.link_text import (
    is_dated,
    leads_to_a_file,
    may_be_a_heading,
    may_be_a_name,
    shown,
    without_place,
)
from memtool.core.lint.problem import Problem, about_line
from memtool.core.lint.ties import ANY, Reference, Ties, is_among, letters
from memtool.core.notes.names import Found, Missing, Names, Target, name_key
from memtool.errors import MemtoolError
from memtool.layouts.layout import Layout, Located
from memtool.store.workspace import Workspace
from memtool.verbs.lint.files import Files
from memtool.verbs.lint.wanted import Selection
from memtool.verbs.notes.canvases import standing


class Fault(Struct, frozen=True):
    """A problem between files; for a broken link, the paths that were tried and the name it links to.

    `name` is empty if the link names a path.
    """

    problem: Problem
    tried: tuple[str, ...] = ()
    name: str = ""

    def record(self) -> list[Any]:
        """Return the fields as JSON values."""
        problem = self.problem
        return [
            problem.path,
            problem.line,
            problem.col,
            problem.code,
            problem.message,
            problem.about,
            self.tried,
            self.name,
        ]

    @staticmethod
    def of(record: list[Any]) -> Fault:
        """Return the value of a record; the inverse of `record`."""
        *problem, tried, name = record
        return Fault(Problem(*problem), tuple(tried), name)


_TOLD = frozenset({"core", "soul", "workspace", "working-memory"})
"""Roles of instructions for an agent: a wikilink in them is an example."""
_LOGS = frozenset({"daily-note", "session-state", "session-state-archive", "working-buffer", "episode"})
"""Roles of records: a wikilink in them may name a note that does not exist yet."""
_OUTLINES = "logseq/config.edn"
"""The file of a Logseq graph, in which a page exists as soon as a link names it."""


def faults(workspace: Workspace, files: Files) -> Iterator[Fault]:
    """Yield the problems of the links of all files, and the notes without links."""
    yield from _Web(workspace, files).faults(files.ties())


def names(files: Files) -> list[str]:
    """Return the sorted paths of all possible link targets, folders included."""
    return sorted({*files.whole, *files.listing.files, *(path for path, _ in files.listing.skipped)})


class _Web:
    """Resolves the links of all files, and reports those that are broken or ambiguous."""

    def __init__(self, workspace: Workspace, files: Files) -> None:
        self._workspace = workspace
        self._layout: Layout = workspace.layout
        self._files = files
        self._linked: set[str] = set()
        self._leading: set[str] = set()
        self._roles: dict[str, Located | None] = {}
        self._targets: dict[tuple[str, str, bool], Target] = {}
        self._anchors: dict[str, frozenset[str]] = {}

    def faults(self, link_data_by_path: Mapping[str, Ties]) -> Iterator[Fault]:
        """Yield the problems of links, then those of notes."""
        listing = self._files.listing
        paths = [*listing.files, *(path for path, _ in listing.skipped)]
        self._names = Names(paths, (link_data.named(path) for path, link_data in link_data_by_path.items()))
        self._spelled = {
            letters(path.rpartition("/")[2].removesuffix(".md")): path for path in reversed(paths)
        }
        for path, link_data in link_data_by_path.items():
            role = self._role(path)
            for reference in link_data.references:
                target = self._target(path, reference)
                if isinstance(target, Found) and target.path != path:
                    self._linked.add(target.path)
                    self._leading.add(path)
                if not link_data.is_template:
                    yield from self._fault(path, role, reference, target, link_data_by_path)
        yield from self._unlinked(link_data_by_path)

    def _located(self, path: str) -> Located | None:
        if path not in self._roles:
            self._roles[path] = self._layout.role_of(path)
        return self._roles[path]

    def _role(self, path: str) -> str:
        located = self._located(path)
        return located.role if located is not None else ""

    def _target(self, path: str, link: Reference) -> Target:
        """Resolve a link; a query or a line number is not part of the path of a Markdown link."""
        if not link.target:
            return Found(path, "self")
        key = (link.target, path.rpartition("/")[0], link.is_wiki)
        target = self._targets.get(key)
        if target is None:
            target = self._names.named(link.target, path, wiki=link.is_wiki)
            bare_target = without_place(link.target)
            if isinstance(target, Missing) and not link.is_wiki and bare_target != link.target:
                target = (
                    self._names.named(bare_target, path, wiki=False) if bare_target else Found(path, "self")
                )
            self._targets[key] = target
        return target

    def _fault(
        self, path: str, role: str, link: Reference, target: Target, link_data_by_path: Mapping[str, Ties]
    ) -> Iterator[Fault]:
        if link.is_wiki and role in _TOLD:
            return
        match target:
            case Missing(tried):
                yield from self._missing(path, role, link, tried)
            case Found(to, by, others):
                if others and link.is_wiki:
                    more = f", or {len(others) - 1} more" if len(others) > 1 else ""
                    message = f"{shown(link)} leads to {to}, and could mean {others[0]}{more}"
                    yield self._at(path, link, "M407", message)
                if link.anchor and by != "folder" and to in link_data_by_path:
                    yield from self._anchor(path, link, to, link_data_by_path[to])

    def _missing(self, path: str, role: str, link: Reference, tried: tuple[str, ...]) -> Iterator[Fault]:
        if not link.is_wiki:
            if leads_to_a_file(link.target, path, self._is_folder, strict=self._is_collected(path)):
                yield self._at(path, link, "M401", f"{shown(link)}: there is no such file", tried)
            return
        if not may_be_a_name(link.target) or is_dated(link.target):
            return
        similar_path = self._spelled.get(letters(_stem(link.target)))
        hint = f", but {similar_path} is there" if similar_path is not None else ""
        name = "" if "/" in link.target else link.target
        if role in _LOGS or self._layout.notes.unwritten or _OUTLINES in self._files.listing.files:
            yield self._at(path, link, "M404", f"{shown(link)}: there is no such note yet{hint}", tried, name)
        else:
            yield self._at(path, link, "M401", f"{shown(link)}: nothing is called so{hint}", tried, name)

    def _anchor(self, path: str, link: Reference, to: str, target_data: Ties) -> Iterator[Fault]:
        last_anchor = link.anchor.rpartition("#")[2].strip()
        target_name = "this file" if to == path else to
        if last_anchor.startswith("^"):
            if ANY not in target_data.blocks and last_anchor[1:].lower() not in target_data.blocks:
                yield self._at(path, link, "M403", f"{shown(link)}: {target_name} has no block {last_anchor}")
        elif not (link.is_wiki or may_be_a_heading(link.anchor)) or target_data.is_template:
            return
        elif not is_among(link.anchor, self._anchors_of(to, target_data)):
            yield self._at(path, link, "M402", f"{shown(link)}: {target_name} has no such heading")

    def _anchors_of(self, path: str, target_data: Ties) -> frozenset[str]:
        if path not in self._anchors:
            self._anchors[path] = target_data.anchors()
        return self._anchors[path]

    def _unlinked(self, link_data_by_path: Mapping[str, Ties]) -> Iterator[Fault]:
        """Yield notes without links to them, if the tree links its notes or has an index of them."""
        maps = self._layout.notes.places.get("maps")
        index = self._index() if "index_lines" in self._layout.limits else None
        if index is None and not any(self._role(path) == "note" for path in self._linked):
            return
        self._linked.update(standing(self._workspace, self._files.listing.files, self._names))
        for path, link_data in link_data_by_path.items():
            located = self._located(path)
            if located is None or located.role != "note" or path in self._linked or link_data.is_template:
                continue
            name = path.rpartition("/")[2]
            if index is not None:
                if "/" not in path and _stem(path) not in index[1]:  # a folder has an index of its own
                    yield Fault(Problem(path, 1, 1, "M406", f"{index[0]} does not name this file"))
            elif self._is_collected(path) and not is_dated(name):
                is_map = maps is not None and path.startswith(f"{maps}/") and path in self._leading
                if not is_map:
                    yield Fault(Problem(path, 1, 1, "M405", "no other file links to this note"))

    def _is_collected(self, path: str) -> bool:
        """Whether a file is a note of a collection that is navigated by links."""
        located = self._located(path)
        is_deep = located is not None and located.place.template.pattern.endswith("{rest}.md")
        return is_deep and self._layout.notes.linked

    def _index(self) -> tuple[str, str]:
        """The path and the text of the index."""
        path = self._layout.path("workspace")
        override = self._files.given.get(str(path))
        if override is not None:
            return str(path), override.decode("utf-8", "replace")
        document = self._workspace.read(path)
        return str(path), document.text if document else ""

    def _is_folder(self, path: str) -> bool:
        return path in self._files.whole and path not in self._files.listing.files

    def _at(
        self, path: str, link: Reference, code: str, message: str, tried: tuple[str, ...] = (), name: str = ""
    ) -> Fault:
        about = about_line(f"{link.target}#{link.anchor}")
        return Fault(Problem(path, link.line, link.column, code, message, about), tried, name)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


_MOST = 2000
"""Most folders searched for a name; if there are more, a link is not reported as broken."""


class Elsewhere:
    """The files of a workspace outside the folders that hold memory."""

    def __init__(self, workspace: Workspace, files: Files) -> None:
        self._workspace = workspace
        self._files = files
        self._unlisted = {path for path, _ in files.listing.unreadable}
        self._known: dict[str, bool] = {"": True}

    def may_hold(self, fault: Fault) -> bool:
        """Whether the target of a broken link may exist outside the listed files."""
        if not fault.name and any(path.rstrip("/") in self._files.whole for path in fault.tried):
            return True  # a folder
        if any(self._is_there(path) or self._is_there(f"{path}.md") for path in fault.tried):
            return True
        if not fault.name or self._names is None:
            return bool(fault.name)
        return not self._names.isdisjoint({name_key(fault.name), name_key(f"{fault.name}.md")})

    def _is_there(self, path: str) -> bool:
        parent, _, name = path.rstrip("/").rpartition("/")
        if parent and not self._is_known(parent):
            return self._stands(path)
        return name.startswith(".") and self._stands(path)

    def _is_known(self, folder: str) -> bool:
        """Whether the contents of a folder are listed, or the folder does not exist."""
        is_known = self._known.get(folder)
        if is_known is None:
            parent = folder.rpartition("/")[0]
            is_listed = folder in self._files.whole and folder not in self._unlisted
            is_known = is_listed or (self._is_known(parent) and not self._stands(folder))
            self._known[folder] = is_known
        return is_known

    def _stands(self, path: str) -> bool:
        """Whether a path exists, or cannot be accessed."""
        try:
            return self._workspace.disk.stat(PurePosixPath(path)) is not None
        except MemtoolError:
            return True

    @cached_property
    def _names(self) -> frozenset[str] | None:
        """The names of all unlisted files as links compare them; None if they cannot all be listed."""
        if self._unlisted:
            return None
        listing = self._workspace.outside(self._files.listing, _MOST)
        if listing is None or listing.unreadable:
            return None
        return frozenset(name_key(path.rpartition("/")[2]) for path in listing.files)


_ORPHAN = "M405"
_MANY = 10


def problems(
    workspace: Workspace, files: Files, selection: Selection, faults: Iterable[Fault]
) -> Iterator[Problem]:
    """Yield the selected problems, except broken links whose target may lie outside memory."""
    unlisted = Elsewhere(workspace, files)
    orphans: dict[str, list[Problem]] = {}
    for fault in faults:
        problem = fault.problem
        if not selection.keeps(problem.path, problem.code) or problem.path in files.silent:
            continue
        if problem.code == _ORPHAN:
            orphans.setdefault(problem.path.rpartition("/")[0], []).append(problem)
        elif not fault.tried or not unlisted.may_hold(fault):
            yield problem
    for folder, folder_orphans in orphans.items():
        if len(folder_orphans) <= _MANY:
            yield from folder_orphans
        else:
            first = folder_orphans[0].path
            message = f"no other file links to {len(folder_orphans)} notes of this folder, such as {first}"
            yield Problem(folder or ".", 1, 1, _ORPHAN, message)
