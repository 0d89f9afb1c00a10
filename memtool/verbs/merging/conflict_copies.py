"""merge --conflicts: merge the conflict copies of programs that synchronise folders into their originals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from memtool.core.history.journal import CommitRecord
from memtool.core.history.undo import earlier_versions
from memtool.core.history.versions import CommitsByPath
from memtool.core.lint.conflict_copies import is_version_of
from memtool.core.records.document import Document
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Change, Plan, Remove, Replace
from memtool.core.text.two_way import merge_without_base, without_deleted
from memtool.errors import Locked, MemtoolError, UnfinishedCommit, Unwritable
from memtool.formats.three_way import has_records, merge_file
from memtool.layouts.layout import LocatedFile
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import ignore_predicate
from memtool.verbs.lint.copies import NamedCopy, named_copies
from memtool.verbs.memory_files.applied_receipts import expect_receipts
from memtool.verbs.memory_files.forgotten import without_forgotten_lines

_WITHOUT_LINES = (".json", ".canvas")
"""Ends of the names of files whose lines are no records: one without another is no file of that format."""


class CopyReport(Struct, frozen=True):
    """What became of a conflict copy, and of its original.

    `merged`: the records of the copy are in the original now, and the copy is removed. `removed`: the
    original had all of them before. `left`: both are as they were, for this `reason`.
    """

    path: str
    original: str
    outcome: Literal["merged", "removed", "left"]
    reason: str = ""
    plan: Plan = ()


def merge_conflict_copies(workspace: Workspace, only: str | None = None) -> Iterator[CopyReport]:
    """Merge each conflict copy into its original and remove it, in one commit; yield what became of it.

    With `only`, copies of the file at this path alone.
    The version that both are based on is not known. So nothing counts as deleted, except lines that the
    journal shows to have been deleted here from a version all of whose lines the other file has, and text
    that was forgotten. A copy without a certain name is merged only into a file of records that has half of
    its lines. Raises Locked, Unwritable and UnfinishedCommit; a copy that cannot be read is left.
    """
    expect_receipts(workspace)
    listing = workspace.memory_listing({})
    others = {path: f"the copy is {why}" for path, why in listing.skipped}
    others |= {path: f"the copy cannot be read: {why}" for path, why in listing.unreadable if path}
    history = CommitsByPath()
    for named in named_copies(listing.files, ignore_predicate(workspace), others):
        if only is not None and named.original != only:
            continue
        if named.path in others:
            yield _left(named, others[named.path])
            continue
        try:
            report = _merge_copy(workspace, named, history)
        except (Locked, Unwritable, UnfinishedCommit):
            raise
        except MemtoolError as error:
            report = _left(named, str(error))
        if report is not None:
            yield report


def copies_notice(workspace: Workspace) -> str:
    """How many conflict copies wait to be merged, for a notice; "" for none.

    A copy without a certain name counts if it would be merged.
    """
    listing = workspace.memory_listing({})
    named = named_copies(listing.files, ignore_predicate(workspace))
    paths = [copy.path for copy in named if _is_waiting(workspace, copy, listing.files)]
    if len(paths) == 1:
        return f"conflict copy {paths[0]}"
    return f"{count_noun(len(paths), 'conflict copy')}, including {paths[0]}" if paths else ""


def _is_waiting(workspace: Workspace, named: NamedCopy, files: Collection[str]) -> bool:
    located = workspace.role_of(named.original)
    if located is None or named.original not in files:
        return False
    if named.is_certain:
        return True
    original = PurePosixPath(named.original)
    if not has_records(located.role, located.place.format, original.name):
        return False
    try:
        copy, own = workspace.read(PurePosixPath(named.path)), workspace.read(original)
    except MemtoolError:  # lint reports it
        return False
    return copy is not None and own is not None and is_version_of(copy.text, own.text)


def _left(named: NamedCopy, reason: str) -> CopyReport:
    return CopyReport(named.path, named.original, "left", reason)


@retry_when_stale
def _merge_copy(workspace: Workspace, named: NamedCopy, history: CommitsByPath) -> CopyReport | None:
    """What becomes of a copy; None if it is none, or no longer there."""
    original = PurePosixPath(named.original)
    with workspace.lock():
        copy = workspace.read_text(PurePosixPath(named.path))
        own = workspace.read_text(original)
        if copy is None:
            return None
        if own is None:
            return _left(
                named, f"the original {named.original} does not exist; rename the copy, or remove it"
            )
        if not named.is_certain and copy.etag != own.etag and not is_version_of(copy.text, own.text):
            return None
        located = workspace.role_of(named.original)
        if located is None:
            return _left(named, f"{named.original} is not a memory file; merge the two files by hand")
        if not named.is_certain and not has_records(located.role, located.place.format, original.name):
            return _left(
                named,
                "the name alone does not prove that the file is a conflict copy; if it is one, merge or "
                "remove it by hand",
            )
        merged = own.text if copy.etag == own.etag else _merged(workspace, located, own, copy, history)
        if merged is None:
            is_json = original.name.endswith(_WITHOUT_LINES)
            reason = (
                "memtool cannot merge JSON files of this kind"
                if is_json
                else "the same part was changed in both the copy and the original"
            )
            return _left(named, f"{reason}; merge the two files by hand")
        removal = Remove(copy.path, copy.etag)
        changes: list[Change] = [removal]
        if merged != own.text:
            changes.insert(0, Replace(original, merged, own.etag))
        workspace.commit(tuple(changes))
    return CopyReport(
        named.path, named.original, "merged" if len(changes) > 1 else "removed", plan=tuple(changes)
    )


def _merged(
    workspace: Workspace, located: LocatedFile, own: Document, copy: Document, history: CommitsByPath
) -> str | None:
    """The text of two versions of a file, without what was forgotten or deleted here; None for a conflict."""
    name = own.path.name
    merge = partial(merge_file, located.role, located.place.format, name)
    if name.endswith(_WITHOUT_LINES):
        return merge("", own.text, copy.text)
    history.update(workspace.journal.newest_first())
    commits = [*history.of(str(own.path))]
    own_versions, copy_versions = (_versions(own.path, text, commits) for text in (own.text, copy.text))
    theirs = without_forgotten_lines(workspace, copy.text, own.text, located.role)
    theirs = _without_deleted(theirs, own_versions, own.text)
    ours = _without_deleted(own.text, copy_versions, copy.text)
    is_prose = not has_records(located.role, located.place.format, name)
    return merge_without_base(merge, ours, theirs, is_prose=is_prose)


def _versions(path: PurePosixPath, text: str, commits: Sequence[CommitRecord]) -> Iterator[str]:
    """What the file at a path contained before it contained this text, the newest first."""
    content = text.encode("utf-8", "surrogateescape")
    for version in earlier_versions(str(path), content, commits):
        yield version.decode("utf-8", "surrogateescape")


def _without_deleted(text: str, versions: Iterator[str], later: str) -> str:
    """A text without the lines that were deleted from an earlier version of the file it belongs to."""
    for version in versions:
        shorter = without_deleted(text, version, later)
        if shorter != text:
            return shorter
    return text
