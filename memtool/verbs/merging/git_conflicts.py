"""merge --conflicts: merge by record the files in which git left conflict markers.

A clone without memtool's merge driver is left with them. The two versions are taken from the text between and
around the markers, because memtool may have written to the file since; the base is in git's index.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from memtool.core.lint.conflict_markers import Conflict, conflict_versions, find_conflicts
from memtool.core.records.document import Document
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Replace
from memtool.core.text.two_way import merge_without_base
from memtool.errors import Locked, MemtoolError, UnfinishedCommit, Unwritable
from memtool.formats.three_way import has_records, merge_file
from memtool.layouts.layout import LocatedFile
from memtool.store.commit.retry import retry_when_stale
from memtool.store.files import git_state
from memtool.store.root import enclosing_work_tree
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import without_forgotten_lines
from memtool.verbs.merging.conflict_copies import CopyReport
from memtool.verbs.merging.git_driver import driver_fault

_BASE, _OURS, _THEIRS = 1, 2, 3
"""Git's numbers of the versions of a path in its index (git-ls-files(1), "Unmerged")."""
_PROSE = (".md", ".markdown")
Stages = dict[int, str]
"""The ids of the versions of an unmerged path in git's object store, by their number."""


def merge_git_conflicts(workspace: Workspace) -> Iterator[CopyReport]:
    """Merge each memory file in which git left markers, in a commit of its own; yield what became of it.

    These are the files that git lists as unmerged, and files of records that have markers all the same,
    except turns. Git's index is not changed. Raises Locked, Unwritable and UnfinishedCommit; an unmerged file
    that cannot be read is left.
    """
    unmerged = unmerged_files(workspace.root)
    for path in sorted({*unmerged, *_record_files(workspace)}):
        try:
            report = _merge_conflicts(workspace, path, unmerged.get(path))
        except (Locked, Unwritable, UnfinishedCommit):
            raise
        except MemtoolError as error:
            report = _left(path, str(error)) if path in unmerged else None
        if report is not None:
            yield report


def unmerged_files(root: str) -> dict[str, Stages]:
    """The paths below a root that git lists as unmerged; none outside a repository, or where git fails."""
    if enclosing_work_tree(root) is None:
        return {}
    found: dict[str, Stages] = {}
    for line in git_output(root, "ls-files", "--unmerged", "-z").split(b"\0"):
        about, tab, name = line.partition(b"\t")
        if tab:
            _, blob, stage = about.split()
            path = name.decode("utf-8", "surrogateescape")
            found.setdefault(path, {})[int(stage)] = blob.decode("ascii")
    return found


def conflict_notice(workspace: Workspace) -> str:
    """How many unmerged memory files have markers, for a notice; "" for none."""
    if not git_state.is_unfinished(workspace.root):
        return ""
    paths = [path for path in unmerged_files(workspace.root) if _has_markers(workspace, path)]
    noun = count_noun(len(paths), "file")
    return f"git left conflict markers in {noun}, such as {paths[0]}" if paths else ""


def _has_markers(workspace: Workspace, path: str) -> bool:
    """Whether a file is one of memory and has conflicts; not if it cannot be read."""
    try:
        document = workspace.read(PurePosixPath(path)) if workspace.role_of(path) is not None else None
    except MemtoolError:
        return False
    return document is not None and bool(find_conflicts(document.text, is_markdown=False))


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
def _merge_conflicts(workspace: Workspace, path: str, stages: Stages | None) -> CopyReport | None:
    """What becomes of a file; None if it is no file of memory, or has no markers."""
    located = workspace.role_of(path)
    if located is None:
        return None
    with workspace.lock(does_pending=False):
        document = workspace.read_text(PurePosixPath(path))
        if document is None:
            return None
        is_markdown = path.lower().endswith(_PROSE)
        conflicts = find_conflicts(document.text, is_markdown=is_markdown and stages is None)
        if not conflicts:
            return None
        merged = _merged(workspace, located, document, conflicts, stages)
        if merged is None:
            return _left(path, "both versions changed the same part; merge them by hand")
        change = Replace(document.path, merged, document.etag)
        workspace.commit((change,))
    return CopyReport(path, path, "merged", plan=(change,))


def _merged(
    workspace: Workspace,
    located: LocatedFile,
    document: Document,
    conflicts: Sequence[Conflict],
    stages: Stages | None,
) -> str | None:
    """The text of a file with conflicts, merged by record; None if it cannot be.

    Where nothing was removed since git wrote the file, the versions in git's index are merged, and what was
    added since then is added to the result: git may have placed a record of both versions twice.
    """
    shown_base, ours, theirs = conflict_versions(document.text, conflicts)
    merge = partial(merge_file, located.role, located.place.format, document.path.name)
    without_forgotten = partial(without_forgotten_lines, workspace, role=located.role)
    if stages is None:
        theirs = without_forgotten(theirs, f"{shown_base or ''}\n{ours}")
        return (
            merge_without_base(merge, ours, theirs) if shown_base is None else merge(shown_base, ours, theirs)
        )
    base, *sides = (_blob(workspace.root, stages.get(number)) for number in (_BASE, _OURS, _THEIRS))
    if not _has_removed((ours, theirs), base, sides):
        merged = merge(base, sides[0], without_forgotten(sides[1], f"{base}\n{sides[0]}"))
        known = _lines(*sides)
        left = "".join(line for line in ours.splitlines(keepends=True) if _bare(line) in known)
        if merged is not None and (merged := merge(left, ours, merged)) is not None:
            return merged
    return merge(base, ours, without_forgotten(theirs, f"{base}\n{ours}"))


def _has_removed(written: tuple[str, str], base: str, sides: list[str]) -> bool:
    """Whether a line is not in a file with conflicts that one side added, or neither side deleted."""
    lines, (ours, theirs), before = _lines(*written), map(_lines, sides), _lines(base)
    return not ((ours | theirs) - before <= lines and before & ours & theirs <= lines)


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _lines(*texts: str) -> set[str]:
    return {_bare(line) for text in texts for line in text.splitlines(keepends=True)}


def _blob(root: str, name: str | None) -> str:
    """A version of a file; empty where there is none, as the base of a file that both sides added."""
    content = b"" if name is None else git_output(root, "cat-file", "blob", name)
    return content.decode("utf-8", "surrogateescape")


def git_output(root: str, *arguments: str) -> bytes:
    """What git prints in a folder; nothing where it fails or is missing. Runs none of its programs."""
    command = ["git", "-c", "core.fsmonitor=false", "-C", root, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""
