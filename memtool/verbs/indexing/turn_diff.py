"""What the index of transcripts lacks, compared with the folders of turns.

A turn is written by linking or renaming a whole file into its day's folder, which changes the folder's stamp.
So a folder whose stamp is the one that was indexed has the same files, and only the others are listed. An
edit in place leaves the folder's stamp alone: the files of a history of a usual size are compared one by one
all the same, and of a larger one so many at every comparison, in turn.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct, field

from memtool.core.records.document import FileStat
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.index.freshness import is_racy
from memtool.index.transcripts.transcripts import IndexedFile, Transcripts
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import history_groups, is_turn_name

COMPARE_ALL_LIMIT = 2_000
"""Files of which each is compared every time; of more, the next `COMPARED_PER_SEARCH`."""
COMPARED_PER_SEARCH = 500


class TurnDiff(Struct):
    """What the index of transcripts lacks.

    `read` are files to be read, by folder and name; with an `IndexedFile`, one whose text may still be what
    is indexed. Of these, `certain` counts those that are new or look different. `removed` are numbers of
    files, `removed_folders` paths. `next_start` is where the next comparison of some of many files goes on,
    and `recompute` makes the same comparison once more.
    """

    at_ns: int
    recompute: Callable[[], TurnDiff]
    read: dict[str, dict[str, IndexedFile | None]] = field(default_factory=dict)
    removed: list[int] = field(default_factory=list)
    folders: dict[str, tuple[FileStat, int]] = field(default_factory=dict)
    removed_folders: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    certain: int = 0
    next_start: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.read or self.removed or self.folders or self.removed_folders)

    @property
    def count(self) -> int:
        """How many files must be read."""
        return sum(map(len, self.read.values()))

    def masked(self) -> list[int]:
        """The numbers of the files that may not be what is indexed of them."""
        known = (known for files in self.read.values() for known in files.values())
        return [*self.removed, *(file.id for file in known if file)]

    def compare(self, folder: str, name: str, known: IndexedFile | None, stat: FileStat) -> None:
        """Have a file read, unless it is what is indexed of it."""
        differs = known is None or known.stamp[:4] != stat
        if differs or (known is not None and is_racy(stat, known.stamp.at_ns)):
            self.read.setdefault(folder, {})[name] = known
            self.certain += differs


def diff_turns(workspace: Workspace, index: Transcripts, start: int | None) -> TurnDiff:
    """Compare the folders of turns with the index; `start` is where the next of many files begin.

    Without one every file is compared.
    """
    diff = TurnDiff(workspace.disk.clock_ns(), lambda: diff_turns(workspace, index, start))
    indexed = index.folders()
    children = _children(indexed)
    seen: set[str] = set()
    unlisted: list[str] = []
    for group in history_groups(workspace):
        waiting = [str(workspace.layout.folder("turn", group=group))]
        while waiting:
            name = waiting.pop()
            seen.add(name)
            try:
                stat = workspace.disk.folder_stat(name)
                if stat is None:
                    seen.discard(name)
                    continue
                if name in indexed and indexed[name][0] == stat and not is_racy(stat, indexed[name][1]):
                    waiting += sorted(children.get(name, ()), reverse=True)
                    continue
                listed = workspace.disk.list_folder(PurePosixPath(name))
            except (UnreadableFile, OutsideWorkspace) as error:
                diff.unread.append(str(error))
                unlisted.append(name)
                continue
            if listed is None:
                seen.discard(name)
                continue
            _compare(workspace, index, diff, name, listed.files)
            if indexed.get(name) != (listed.stat, diff.at_ns):
                diff.folders[name] = listed.stat, diff.at_ns
            waiting += [f"{name}/{child}" for child in sorted(listed.folders, reverse=True)]
    for name in indexed:
        if name not in seen and not any(name.startswith(f"{folder}/") for folder in unlisted):
            diff.removed_folders.append(name)
            diff.removed += [known.id for known in index.in_folder(name).values()]
    _compare_unchanged_folders(workspace, index, diff, start)
    return diff


def diff_turn_files(workspace: Workspace, index: Transcripts, paths: Sequence[str]) -> TurnDiff:
    """Compare just these files with the index."""
    diff = TurnDiff(workspace.disk.clock_ns(), lambda: diff_turn_files(workspace, index, paths))
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if is_turn_name(name):
            by_folder.setdefault(folder, []).append(name)
    for folder, names in by_folder.items():
        _compare(workspace, index, diff, folder, names, only=names)
    return diff


def read_start(folder: str) -> int:
    """Where the next comparison of some of many files begins.

    It is stored beside the index without a seal: a wrong value only changes the order of comparison.
    """
    with contextlib.suppress(OSError, ValueError):
        handle = os.open(_start_file(folder), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return max(0, int(os.read(handle, 20) or b"0"))
        finally:
            os.close(handle)
    return 0


def write_start(folder: str, start: int) -> None:
    """Store where the next comparison begins, if the disk lets one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with contextlib.suppress(OSError):
        handle = os.open(_start_file(folder), flags, 0o600)
        try:
            os.pwrite(handle, f"{start:<20}".encode(), 0)
        finally:
            os.close(handle)


def _start_file(folder: str) -> str:
    return f"{folder}.place"


def _compare(
    workspace: Workspace,
    index: Transcripts,
    diff: TurnDiff,
    folder: str,
    names: Iterable[str],
    only: Iterable[str] | None = None,
) -> None:
    """Compare the files of one folder, or `only` some, with what is indexed of them."""
    indexed = index.in_folder(folder)
    if only is not None:
        indexed = {name: indexed[name] for name in only if name in indexed}
    try:
        stats = workspace.disk.stat_files(
            PurePosixPath(folder), {name for name in names if is_turn_name(name)}
        )
    except UnreadableFile as error:
        diff.unread.append(str(error))
        return
    for name in sorted(stats):
        diff.compare(folder, name, indexed.get(name), stats[name])
    diff.removed += [known.id for name, known in indexed.items() if name not in stats]


def _compare_unchanged_folders(
    workspace: Workspace, index: Transcripts, diff: TurnDiff, start: int | None
) -> None:
    """Compare files in folders that have not changed, for edits in place."""
    by_folder: Mapping[str, Mapping[str, IndexedFile]]
    if start is None:
        by_folder = index.every()
    else:
        rows = index.window(start, COMPARED_PER_SEARCH)
        diff.next_start = rows[-1][2].id + 1 if rows else 0
        window: dict[str, dict[str, IndexedFile]] = {}
        for folder, name, known in rows:
            window.setdefault(folder, {})[name] = known
        by_folder = window
    removed = set(diff.removed)
    for folder, files in by_folder.items():
        if folder in diff.folders:  # all its files were compared already
            continue
        try:
            stats = workspace.disk.stat_files(PurePosixPath(folder), files)
        except UnreadableFile as error:
            diff.unread.append(str(error))
            continue
        if start is None and stats == index.unchanged_stats(folder):
            continue
        for name, stat in stats.items():
            known = files[name]
            if known.id not in removed:
                diff.compare(folder, name, known, stat)


def _children(folders: Iterable[str]) -> dict[str, list[str]]:
    """The folders right below each folder."""
    children: dict[str, list[str]] = {}
    for path in folders:
        children.setdefault(path.rpartition("/")[0], []).append(path)
    return children
