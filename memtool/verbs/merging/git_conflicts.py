"""merge --conflicts: merge by record the files in which git left conflict markers.

A clone without memtool's merge driver is left with them. The two versions are taken from the text between and
around the markers, because memtool may have written to the file since; the base is in git's index. Markers in
a file without versions there may be a person's own text, and are merged only if the caller names the file.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from memtool.core.lint.conflict_markers import Conflict, conflict_versions, find_conflicts
from memtool.core.records.document import Document
from memtool.core.records.plan import Replace
from memtool.core.text.two_way import merge_without_base
from memtool.errors import BadUsage, Locked, MemtoolError, UnfinishedCommit, UnreadableFile, Unwritable
from memtool.formats.three_way import has_records, merge_file
from memtool.layouts.layout import LocatedFile
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.git_output import git_output
from memtool.store.files import git_state
from memtool.store.root import enclosing_work_tree
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import without_forgotten_lines
from memtool.verbs.merging.conflict_copies import CopyReport
from memtool.verbs.merging.git_driver import driver_fault

_BASE, _OURS, _THEIRS = 1, 2, 3
"""Git's numbers of the versions of a path in its index (git-ls-files(1), "Unmerged")."""
_DELETED = "one side deleted this file, and the other changed it; keep it (git add) or remove it (git rm)"
_PROSE = (".md", ".markdown")
Stages = dict[int, str]
"""The ids of the versions of an unmerged path in git's object store, by their number."""
Versions = tuple[str, str, str]
"""The texts of the base, ours and theirs; empty for a version that does not exist."""


def merge_git_conflicts(workspace: Workspace, only: str | None = None) -> Iterator[CopyReport]:
    """Merge each memory file in which git left markers, in a commit of its own; yield what became of it.

    These are the files that git lists as unmerged. Other files of records with markers outside of code are
    left, except turns, which are not looked at. With `only`, a path, that file alone is merged, whether or
    not git lists it. Git's index is not changed. Raises Locked, Unwritable and UnfinishedCommit, and BadUsage
    where `only` is no file of memory; an unmerged file that cannot be read is left.
    """
    unmerged = unmerged_files(workspace.root)
    if only is not None and workspace.role_of(only) is None:
        raise BadUsage(f"{only} is not a memory file")
    paths = {*unmerged, *_record_files(workspace)} if only is None else {only}
    for path in sorted(paths):
        try:
            report = _merge_conflicts(workspace, path, unmerged.get(path), is_named=only is not None)
        except (Locked, Unwritable, UnfinishedCommit):
            raise
        except MemtoolError as error:
            report = _left(path, str(error)) if path in unmerged or only is not None else None
        if report is not None:
            yield report


def unmerged_files(root: str) -> dict[str, Stages]:
    """The paths below a root that git lists as unmerged; none outside a repository, or where git fails."""
    if enclosing_work_tree(root) is None:
        return {}
    found: dict[str, Stages] = {}
    for line in (git_output(root, "ls-files", "--unmerged", "-z") or b"").split(b"\0"):
        about, tab, name = line.partition(b"\t")
        if tab:
            _, blob, stage = about.split()
            path = name.decode("utf-8", "surrogateescape")
            found.setdefault(path, {})[int(stage)] = blob.decode("ascii")
    return found


def conflict_notice(workspace: Workspace) -> str:
    """How many unmerged memory files have markers, for a notice; "" for none."""
    unmerged = unmerged_files(workspace.root)
    paths = [path for path, stages in unmerged.items() if _has_markers(workspace, path, stages)]
    if len(paths) == 1:
        return f"git left conflict markers in {paths[0]}"
    return f"git left conflict markers in {len(paths)} files, including {paths[0]}" if paths else ""


def _has_markers(workspace: Workspace, path: str, stages: Stages) -> bool:
    """Whether a file is one of memory and has conflicts; not if it cannot be read."""
    try:
        document = workspace.read(PurePosixPath(path)) if workspace.role_of(path) is not None else None
        return document is not None and bool(_conflicts_of(document, _versions(workspace.root, stages)))
    except MemtoolError:
        return False


def git_notices(workspace: Workspace) -> tuple[str, ...]:
    """What keeps git from merging memory here, each with the command to run."""
    notices = []
    if fault := driver_fault(workspace):
        notices.append(f"{fault}; run memtool merge --install")
    if conflicts := conflict_notice(workspace):
        notices.append(f"{conflicts}; run memtool merge --conflicts")
    return tuple(notices)


def report_git(workspace: Workspace) -> None:
    """Report what keeps git from merging memory here, once for each of git's indexes."""
    with contextlib.suppress(MemtoolError):  # the next command looks again
        for notice in git_notices(workspace):
            workspace.report(notice)
        git_state.record_report(workspace.root)


def _record_files(workspace: Workspace) -> Iterator[str]:
    for path in workspace.listing().files:
        located = workspace.role_of(path)
        if located is not None and located.role != "turn":
            name = path.rpartition("/")[2]
            if has_records(located.role, located.place.format, name):
                yield path


def _left(path: str, reason: str) -> CopyReport:
    return CopyReport(path, path, "left", reason)


@retry_when_stale
def _merge_conflicts(
    workspace: Workspace, path: str, stages: Stages | None, *, is_named: bool
) -> CopyReport | None:
    """What becomes of a file; None if it is no file of memory, or has no conflict."""
    located = workspace.role_of(path)
    if located is None:
        return None
    with workspace.lock(does_pending=False):
        document = workspace.read_text(PurePosixPath(path))
        if document is None:
            return None
        versions = None if stages is None else _versions(workspace.root, stages)
        conflicts = _conflicts_of(document, versions)
        if not conflicts:
            is_deleted = stages is not None and not {_OURS, _THEIRS} <= stages.keys()
            return _left(path, _DELETED) if is_deleted else None
        if versions is None and not is_named:
            command = f"memtool merge --conflicts --path {shlex.quote(path)}"
            return _left(
                path,
                "git does not list this file as unmerged; if its conflict markers come from a merge, run "
                f"{command}",
            )
        merged = _merged(workspace, located, document, conflicts, versions)
        if merged is None:
            return _left(path, "both versions changed the same part of the file; merge them by hand")
        change = Replace(document.path, merged, document.etag)
        workspace.commit((change,))
    return CopyReport(path, path, "merged", plan=(change,))


def _merged(
    workspace: Workspace,
    located: LocatedFile,
    document: Document,
    conflicts: Sequence[Conflict],
    versions: Versions | None,
) -> str | None:
    """The text of a file with conflicts, merged by record; None if it cannot be.

    Where nothing was removed since git wrote the file, the versions in git's index are merged, and what was
    added since then is added to the result: git may have placed a record of both versions twice.
    """
    shown_base, ours, theirs = conflict_versions(document.text, conflicts)
    merge = partial(merge_file, located.role, located.place.format, document.path.name)
    without_forgotten = partial(without_forgotten_lines, workspace, role=located.role)
    if versions is None:
        theirs = without_forgotten(theirs, f"{shown_base or ''}\n{ours}")
        if shown_base is not None:
            return merge(shown_base, ours, theirs)
        is_prose = not has_records(located.role, located.place.format, document.path.name)
        return merge_without_base(merge, ours, theirs, is_prose=is_prose)
    base, *sides = versions
    if not _has_removed((ours, theirs), base, sides):
        merged = merge(base, sides[0], without_forgotten(sides[1], f"{base}\n{sides[0]}"))
        known = _lines(*sides)
        left = "".join(line for line in ours.splitlines(keepends=True) if _bare(line) in known)
        if merged is not None and (merged := merge(left, ours, merged)) is not None:
            return merged
    return merge(base, ours, without_forgotten(theirs, f"{base}\n{ours}"))


def _conflicts_of(document: Document, versions: Versions | None) -> list[Conflict]:
    """The conflicts that git left in a file; of an unmerged one without those that a version of it had.

    Where git has no versions of a file, conflicts in code in Markdown are examples.
    """
    text = document.text
    is_prose = document.path.name.lower().endswith(_PROSE)
    conflicts = find_conflicts(text, is_markdown=is_prose and versions is None)
    known = [version.replace("\r\n", "\n") for version in versions or ()]
    shown = [text[conflict.start : conflict.end].replace("\r\n", "\n") for conflict in conflicts]
    return [
        conflict
        for conflict, passage in zip(conflicts, shown, strict=True)
        if not any(passage in version for version in known)
    ]


def _has_removed(written: tuple[str, str], base: str, sides: list[str]) -> bool:
    """Whether a line is not in a file with conflicts that one side added, or neither side deleted."""
    lines, (ours, theirs), before = _lines(*written), map(_lines, sides), _lines(base)
    return not ((ours | theirs) - before <= lines and before & ours & theirs <= lines)


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _lines(*texts: str) -> set[str]:
    return {_bare(line) for text in texts for line in text.splitlines(keepends=True)}


def _versions(root: str, stages: Stages) -> Versions:
    base, ours, theirs = (_blob(root, stages.get(number)) for number in (_BASE, _OURS, _THEIRS))
    return base, ours, theirs


def _blob(root: str, name: str | None) -> str:
    """A version of a file; empty where there is none, as the base of a file that both sides added.

    Raises UnreadableFile.
    """
    content = b"" if name is None else git_output(root, "cat-file", "blob", name)
    if content is None:
        raise UnreadableFile(
            f"git cannot read version {name} of this file; run git fsck, or merge the file by hand"
        )
    return content.decode("utf-8", "surrogateescape")
