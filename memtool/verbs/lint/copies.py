"""Conflict copies of files of memory, and their removal where they say nothing else than the original."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.lint.conflict_copies import copy_names, is_version_of
from memtool.core.lint.link_heuristics import without_position
from memtool.core.lint.problem import Problem
from memtool.core.notes.link_resolver import LinkResolver, ResolvedLink
from memtool.core.records.document import Document
from memtool.core.records.plan import Remove
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import CheckedFiles

SAME, OTHER = "M312", "M313"
"""The codes of a copy that can be removed, and of one that a person has to look at."""


class NamedCopy(Struct, frozen=True):
    """A path with the name of a conflict copy of `original`; `is_certain` if only programs name files so."""

    path: str
    original: str
    is_certain: bool


class ConflictCopy(Struct, frozen=True):
    """A conflict copy: its document, the path of its original, and whether both have the same bytes.

    It is removable if it is the same, only programs give such a name, and no other file links to it.
    """

    document: Document
    original: str
    is_same: bool
    is_certain: bool
    is_removable: bool


def check_copies(workspace: Workspace, files: CheckedFiles) -> Iterator[Problem]:
    """Yield a problem for each conflict copy."""
    for copy in conflict_copies(workspace, files):
        code = SAME if copy.is_removable else OTHER
        state = "with the same content" if copy.is_same else "with different content"
        if copy.is_same and not copy.is_removable:
            state += (
                ", but another file links to the copy"
                if copy.is_certain
                else ", but this file may be an ordinary note"
            )
        message = f"sync conflict copy of {copy.original}, {state}"
        yield Problem(str(copy.document.path), 1, 1, code, message, is_fixable=copy.is_removable)


def removals(workspace: Workspace, files: CheckedFiles) -> Iterator[Remove]:
    """Yield the removal of each removable conflict copy."""
    for copy in conflict_copies(workspace, files):
        if copy.is_removable:
            yield Remove(copy.document.path, copy.document.etag)


def conflict_copies(workspace: Workspace, files: CheckedFiles) -> Iterator[ConflictCopy]:
    """Yield the copies whose original is beside them and can be read."""
    for named in named_copies(files.listing.files, files.is_ignored):
        if named.original not in files.listing.files:
            continue
        try:
            copy, own = (workspace.read(PurePosixPath(path)) for path in (named.path, named.original))
        except MemtoolError:  # reported as unreadable
            continue
        if copy is None or own is None:
            continue
        is_same = copy.etag == own.etag
        if is_same or named.is_certain or is_version_of(copy.text, own.text):
            is_removable = is_same and named.is_certain and not _is_linked(named.path, files)
            yield ConflictCopy(copy, named.original, is_same, named.is_certain, is_removable)


def named_copies(
    paths: Iterable[str], is_ignored: Callable[[str], bool], others: Collection[str] = ()
) -> Iterator[NamedCopy]:
    """Yield the paths whose names are those of conflict copies, in order.

    Each has the path of its original: the last one for a copy of a copy. A copy whose name is not certain has
    its original among the paths. `others` are paths that are no files.
    """
    known = {*paths}
    for path in sorted(known.union(others)):
        if (found := _named(path, known)) is not None and not is_ignored(path):
            yield found


def _named(path: str, known: Collection[str]) -> NamedCopy | None:
    folder, slash, name = path.rpartition("/")
    for named in copy_names(name):
        original = f"{folder}{slash}{named.original}"
        if named.is_certain:
            inner = _named(original, known)
            is_inner = inner is not None and (inner.original in known or original not in known)
            return NamedCopy(path, inner.original if inner and is_inner else original, is_certain=True)
        if original in known:
            return NamedCopy(path, original, is_certain=False)
    return None


def _is_linked(path: str, files: CheckedFiles) -> bool:
    """Whether another file has a link to this one."""
    links = files.links_by_path()
    resolver = LinkResolver(files.listing.files, (link.note_names(source) for source, link in links.items()))
    for source, file_links in links.items():
        for reference in file_links.references if source != path else ():
            target = reference.target if reference.is_wiki else without_position(reference.target)
            found = resolver.resolve_target(target, source, wiki=reference.is_wiki) if target else None
            if isinstance(found, ResolvedLink) and found.path == path:
                return True
    return False
