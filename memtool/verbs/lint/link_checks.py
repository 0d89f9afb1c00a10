"""Links of all files: broken links, ambiguous links, and notes that no link leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from memtool.core.lint.file_links import (
    ANY_BLOCK,
    FileLinks,
    LinkReference,
    letters_and_digits,
    matches_headings,
)
from memtool.core.lint.link_heuristics import (
    display_link,
    display_target,
    is_dated,
    may_be_a_heading,
    may_be_a_name,
    names_tree_file,
    without_position,
)
from memtool.core.lint.problem import Problem, line_fingerprint
from memtool.core.lint.similar_names import SimilarNames
from memtool.core.notes.link import is_media
from memtool.core.notes.link_resolver import (
    LinkResolution,
    LinkResolver,
    MissingTarget,
    ResolvedLink,
)
from memtool.layouts.layout import Layout, LocatedFile
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import CheckedFiles
from memtool.verbs.lint.request import LintSelection
from memtool.verbs.lint.unlisted_files import UnlistedFiles
from memtool.verbs.notes.canvases import files_on_canvases


class CrossFileProblem(Struct, frozen=True):
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
            problem.fingerprint,
            self.tried,
            self.name,
        ]

    @staticmethod
    def of(record: list[Any]) -> CrossFileProblem:
        """Return the value of a record; the inverse of `record`."""
        *problem, tried, name = record
        return CrossFileProblem(Problem(*problem), tuple(tried), name)


_MOST_FINGERPRINTS = 4_000
_INSTRUCTION_ROLES = frozenset({"core", "soul", "workspace", "working-memory"})
"""Roles of instructions for an agent: a wikilink in them is an example."""
_RECORD_ROLES = frozenset(
    {"daily-note", "session-state", "session-state-archive", "working-buffer", "episode"}
)
"""Roles of records: a wikilink in them may name a note that does not exist yet."""


def check_links(workspace: Workspace, files: CheckedFiles) -> Iterator[CrossFileProblem]:
    """Yield the problems of the links of all files, and the notes without links."""
    yield from LinkChecker(workspace, files, files.links_by_path()).faults()


def target_paths(files: CheckedFiles) -> list[str]:
    """Return the sorted paths of all possible link targets, folders included."""
    return sorted({*files.stats, *files.listing.files, *(path for path, _ in files.listing.skipped)})


class LinkedFiles(Struct, frozen=True):
    """The other files to which each file links, by the path of the latter."""

    targets: Mapping[str, tuple[str, ...]]


class LinkChecker:
    """Resolves the links of files, and reports those that are broken or ambiguous.

    `links` is the link data of all files; its owner may replace that of a file, and then calls `refresh`.
    """

    def __init__(self, workspace: Workspace, files: CheckedFiles, links: Mapping[str, FileLinks]) -> None:
        self._workspace = workspace
        self._layout: Layout = workspace.layout
        self._files = files
        self._links = links
        self._linked: set[str] = set()
        self._sources: set[str] = set()
        self._roles: dict[str, LocatedFile | None] = {}
        self._paths = [*files.listing.files, *(path for path, _ in files.listing.skipped)]
        self._similar_paths = SimilarNames(
            {letters_and_digits(_stem(path)): path for path in reversed(self._paths)}
        )
        self._targets: dict[tuple[str, str, bool], LinkResolution] = {}
        self._anchors: dict[str, Counter[str]] = {}
        self._names = LinkResolver(
            self._paths, (link_data.note_names(path) for path, link_data in self._links.items())
        )

    def refresh(self, path: str, before: FileLinks | None) -> None:
        """Take notice that the link data of a file has changed; `before` is the earlier one."""
        self._anchors.pop(path, None)
        data = self._links.get(path)
        names = data.note_names(path) if data is not None else None
        earlier = before.note_names(path) if before is not None else None
        if names != earlier:
            self._names.replace_note(earlier, names)
            self._targets.clear()

    def find_linked(self, known: Mapping[str, tuple[str, ...]]) -> LinkedFiles:
        """Return to which files each file links, without looking for problems; for some it is known."""
        found = {path: known[path] if path in known else self._linked_from(path) for path in self._links}
        self._targets.clear()
        return LinkedFiles(found)

    def _linked_from(self, path: str) -> tuple[str, ...]:
        targets = (self._target(path, reference) for reference in self._links[path].references)
        paths = {target.path for target in targets if isinstance(target, ResolvedLink)}
        return tuple(paths - {path})

    def add_linked(self, linked: LinkedFiles) -> None:
        """Take over what `find_linked` found, for `unlinked`."""
        self._linked.update(*linked.targets.values())
        self._sources.update(path for path, targets in linked.targets.items() if targets)

    def faults(self) -> Iterator[CrossFileProblem]:
        """Yield the problems of links, then those of notes."""
        for path in self._links:
            yield from self.faults_of(path)
        yield from self.unlinked(self._links)

    def faults_of(self, path: str) -> Iterator[CrossFileProblem]:
        """Yield the problems of the links of one file."""
        link_data = self._links[path]
        role = self._role(path)
        for reference in link_data.references:
            target = self._linked_by(path, reference)
            if not link_data.is_template:
                yield from self._check_link(path, role, reference, target)

    def _linked_by(self, path: str, reference: LinkReference) -> LinkResolution:
        """Resolve a link of a file, and take notice of both."""
        target = self._target(path, reference)
        if isinstance(target, ResolvedLink) and target.path != path:
            self._linked.add(target.path)
            self._sources.add(path)
        return target

    def _located(self, path: str) -> LocatedFile | None:
        if path not in self._roles:
            self._roles[path] = self._layout.locate(path)
        return self._roles[path]

    def _role(self, path: str) -> str:
        located = self._located(path)
        return located.role if located is not None else ""

    def _target(self, path: str, link: LinkReference) -> LinkResolution:
        """Resolve a link; a query or a line number is not part of the path of a Markdown link."""
        if not link.target:
            return ResolvedLink(path, "self")
        key = (link.target, path.rpartition("/")[0], link.is_wiki)
        target = self._targets.get(key)
        if target is None:
            target = self._names.resolve_target(link.target, path, wiki=link.is_wiki)
            bare_target = without_position(link.target)
            if isinstance(target, MissingTarget) and not link.is_wiki and bare_target != link.target:
                target = (
                    self._names.resolve_target(bare_target, path, wiki=False)
                    if bare_target
                    else ResolvedLink(path, "self")
                )
            self._targets[key] = target
        return target

    def _check_link(
        self,
        path: str,
        role: str,
        link: LinkReference,
        target: LinkResolution,
    ) -> Iterator[CrossFileProblem]:
        if link.is_wiki and role in _INSTRUCTION_ROLES:
            return
        match target:
            case MissingTarget(tried):
                yield from self._check_missing(path, role, link, tried)
            case ResolvedLink(to, by, others):
                if others and link.is_wiki:
                    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
                    message = (
                        f"ambiguous link: {display_link(link)} resolves to {to}, but also matches "
                        f"{others[0]}{more}"
                    )
                    yield self._problem_at(path, link, "M407", message)
                if link.anchor and by != "folder" and to in self._links:
                    yield from self._check_repeated(path, link, to, self._links[to])
                    yield from self._check_anchor(path, link, to, self._links[to])

    def _check_missing(
        self, path: str, role: str, link: LinkReference, tried: tuple[str, ...]
    ) -> Iterator[CrossFileProblem]:
        if not link.is_wiki:
            if names_tree_file(link.target, path, self._is_folder, strict=self._is_collected(path)):
                yield self._problem_at(
                    path, link, "M401", f"broken link: no such file {display_target(link)!r}", tried
                )
            return
        if not may_be_a_name(link.target) or is_dated(link.target):
            return
        similar_path = self._similar_paths.find(letters_and_digits(_stem(link.target)))
        if similar_path is None and link.anchor:  # a file name may have a `#`, at which a link's name ends
            similar_path = self._similar_paths.find(letters_and_digits(_stem(link.target + link.anchor)))
        hint = f" (did you mean {similar_path!r}?)" if similar_path is not None else ""
        name = "" if "/" in link.target else link.target
        if is_media(link.target):
            message = f"broken link: no such file {display_target(link)!r}{hint}"
            yield self._problem_at(path, link, "M401", message, tried, name)
        elif role in _RECORD_ROLES or (self._layout.notes.unwritten and similar_path is None):
            yield self._problem_at(
                path, link, "M404", f"link to a missing note: {display_target(link)!r}{hint}", tried, name
            )
        else:
            yield self._problem_at(
                path, link, "M401", f"broken link: no note named {display_target(link)!r}{hint}", tried, name
            )

    def _check_anchor(
        self, path: str, link: LinkReference, to: str, target_data: FileLinks
    ) -> Iterator[CrossFileProblem]:
        last_anchor = link.anchor.rpartition("#")[2].strip()
        target_name = "this file" if to == path else to
        if last_anchor.startswith("^"):
            if ANY_BLOCK not in target_data.blocks and last_anchor[1:].lower() not in target_data.blocks:
                yield self._problem_at(
                    path,
                    link,
                    "M403",
                    (f"broken link {display_link(link)}: no block {last_anchor} in {target_name}"),
                )
        elif not (link.is_wiki or may_be_a_heading(link.anchor)) or target_data.is_template:
            return
        elif not matches_headings(link.anchor, self._anchors_of(to, target_data)):
            yield self._problem_at(
                path, link, "M402", f"broken link {display_link(link)}: no such heading in {target_name}"
            )

    def _check_repeated(
        self, path: str, link: LinkReference, to: str, target_data: FileLinks
    ) -> Iterator[CrossFileProblem]:
        """Yield a wikilink to a heading that its note has more than once: it always leads to the first."""
        if not link.is_wiki or target_data.is_template or "#" in link.anchor:  # a path says which is meant
            return
        key = letters_and_digits(link.anchor)
        if key and (count := self._anchors_of(to, target_data)[key]) > 1:
            target_name = "this file" if to == path else to
            message = (
                f"ambiguous link: {display_link(link)} resolves to the first of {count} headings with this "
                f"name in {target_name}"
            )
            yield self._problem_at(path, link, "M407", message)

    def _anchors_of(self, path: str, target_data: FileLinks) -> Counter[str]:
        if path not in self._anchors:
            self._anchors[path] = target_data.heading_counts()
        return self._anchors[path]

    def unlinked(self, paths: Iterable[str]) -> Iterator[CrossFileProblem]:
        """Yield notes without links to them, if the tree links its notes or has an index of them.

        Call it after `faults` or `add_linked`, because it needs the links of all files.
        """
        maps = self._layout.notes.places.get("maps")
        index = self._read_index() if "index_lines" in self._layout.limits else None
        if index is None and not any(self._role(path) == "note" for path in self._linked):
            return
        for path in paths:
            located = self._located(path)
            if located is None or located.role != "note" or path in self._linked:
                continue
            if path in self._on_canvases or self._links[path].is_template:
                continue
            name = path.rpartition("/")[2]
            if index is not None:
                if "/" not in path and _stem(path) not in index[1]:  # a folder has an index of its own
                    yield CrossFileProblem(Problem(path, 1, 1, "M406", f"file not listed in {index[0]}"))
            elif self._is_collected(path) and not is_dated(name):
                is_map = maps is not None and path.startswith(f"{maps}/") and path in self._sources
                if not is_map:
                    yield CrossFileProblem(
                        Problem(path, 1, 1, "M405", "orphan note: no other file links to it")
                    )

    @cached_property
    def _on_canvases(self) -> frozenset[str]:
        return frozenset(files_on_canvases(self._workspace, self._files.listing.files, self._names))

    def _is_collected(self, path: str) -> bool:
        """Whether a file is a note of a collection that is navigated by links."""
        located = self._located(path)
        is_deep = located is not None and located.place.template.pattern.endswith("{rest}.md")
        return is_deep and self._layout.notes.linked

    def _read_index(self) -> tuple[str, str]:
        """The path and the text of the index."""
        path = self._layout.path("workspace")
        override = self._files.overrides.get(str(path))
        if override is not None:
            return str(path), override.decode("utf-8", "replace")
        document = self._workspace.read(path)
        return str(path), document.text if document else ""

    def _is_folder(self, path: str) -> bool:
        return path in self._files.stats and path not in self._files.listing.files

    def _problem_at(
        self,
        path: str,
        link: LinkReference,
        code: str,
        message: str,
        tried: tuple[str, ...] = (),
        name: str = "",
    ) -> CrossFileProblem:
        about = _fingerprint(f"{link.target}#{link.anchor}")
        return CrossFileProblem(Problem(path, link.line, link.column, code, message, about), tried, name)


@lru_cache(_MOST_FINGERPRINTS)
def _fingerprint(link: str) -> str:
    """The fingerprint of a broken link; an editor needs it again at each keystroke."""
    return line_fingerprint(link)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


_ORPHAN_CODE = "M405"
_MOST_SINGLE_ORPHANS = 10


def confirm_problems(
    workspace: Workspace,
    files: CheckedFiles,
    selection: LintSelection,
    faults: Iterable[CrossFileProblem],
    unlisted: UnlistedFiles | None = None,
) -> Iterator[Problem]:
    """Yield the selected problems, except broken links whose target may lie outside memory."""
    unlisted = unlisted or UnlistedFiles(workspace, files)
    orphans: dict[str, list[Problem]] = {}
    for fault in faults:
        problem = fault.problem
        if not selection.includes(problem.path, problem.code) or problem.path in files.ignored_sources:
            continue
        if problem.code == _ORPHAN_CODE:
            orphans.setdefault(problem.path.rpartition("/")[0], []).append(problem)
        elif not fault.tried or not unlisted.may_hold(fault.tried, fault.name):
            yield problem
    for folder, folder_orphans in orphans.items():
        if len(folder_orphans) <= _MOST_SINGLE_ORPHANS:
            yield from folder_orphans
        else:
            first = folder_orphans[0].path
            message = (
                f"{len(folder_orphans)} orphan notes in this folder, including {first}: no other "
                "file links to them"
            )
            yield Problem(folder or ".", 1, 1, _ORPHAN_CODE, message)
