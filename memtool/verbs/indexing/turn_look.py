"""A look at the folders of turns: what the index of transcripts has to catch up with.

A turn is written by linking or renaming a whole file into its day's folder, which changes the folder's stamp.
So a folder whose stamp is the one that was indexed has the same files, and only the others are listed. What
that cannot show is an edit in place, which leaves the folder's stamp alone: the files of a history of a usual
size are looked at one by one all the same, and of a larger one so many at every look, in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from memtool.core.records.document import Stat
from memtool.errors import OutsideWorkspace, Unreadable
from memtool.index.freshness import is_racy
from memtool.index.transcripts.transcripts import Known, Transcripts
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import groups, is_turn

EVERY = 2_000
"""Files of which each is looked at every time; of more, only so many as `SOME`, the next ones each time."""
SOME = 500


class Look(Struct):
    """What must be done to the index.

    `read` are files to be read, by folder and name; with a `Known`, one whose text may still be what is
    indexed. Of these, `certain` counts those that are new or look different. `next_place` is where the next
    look at some of many files goes on.
    """

    at_ns: int
    read: dict[str, dict[str, Known | None]] = field(default_factory=dict)
    gone: list[int] = field(default_factory=list)
    folders: dict[str, tuple[Stat, int]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    certain: int = 0
    next_place: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.read or self.gone or self.folders or self.left)

    @property
    def count(self) -> int:
        """How many files must be read."""
        return sum(map(len, self.read.values()))

    def compare(self, folder: str, name: str, known: Known | None, stat: Stat) -> None:
        """Want a file to be read, unless it is what is known of it."""
        differs = known is None or known.stamp[:4] != stat
        if differs or (known is not None and is_racy(stat, known.stamp.at_ns)):
            self.read.setdefault(folder, {})[name] = known
            self.certain += differs


def look(workspace: Workspace, index: Transcripts, start: int | None) -> Look:
    """Compare the folders of turns with the index; `start` is where the next of many files begin.

    Without one every file is looked at.
    """
    found = Look(workspace.disk.clock_ns())
    known = index.folders()
    children = _children(known)
    seen: set[str] = set()
    hidden: list[str] = []
    for group in groups(workspace):
        waiting = [str(workspace.layout.folder("turn", group=group))]
        while waiting:
            name = waiting.pop()
            seen.add(name)
            try:
                stat = workspace.disk.folder_stat(name)
                if stat is None:
                    seen.discard(name)
                    continue
                if name in known and known[name][0] == stat and not is_racy(stat, known[name][1]):
                    waiting += sorted(children.get(name, ()), reverse=True)
                    continue
                listed = workspace.disk.folder(PurePosixPath(name))
            except (Unreadable, OutsideWorkspace) as error:
                found.unread.append(str(error))
                hidden.append(name)
                continue
            if listed is None:
                seen.discard(name)
                continue
            _compare(workspace, index, found, name, listed.files)
            if known.get(name) != (listed.stat, found.at_ns):
                found.folders[name] = listed.stat, found.at_ns
            waiting += [f"{name}/{child}" for child in sorted(listed.folders, reverse=True)]
    for name in known:
        if name not in seen and not any(name.startswith(f"{one}/") for one in hidden):
            found.left.append(name)
            found.gone += [one.id for one in index.in_folder(name).values()]
    _look_at_files(workspace, index, found, start)
    return found


def look_at(workspace: Workspace, index: Transcripts, paths: Iterable[str]) -> Look:
    """Look at just these files; the watcher's quick way."""
    found = Look(workspace.disk.clock_ns())
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if is_turn(name):
            by_folder.setdefault(folder, []).append(name)
    for folder, names in by_folder.items():
        _compare(workspace, index, found, folder, names, only=names)
    return found


def _compare(
    workspace: Workspace,
    index: Transcripts,
    found: Look,
    folder: str,
    names: Iterable[str],
    only: Iterable[str] | None = None,
) -> None:
    """Compare the files of one folder, or `only` some, with what is indexed of them."""
    known = index.in_folder(folder)
    if only is not None:
        known = {name: known[name] for name in only if name in known}
    try:
        stats = workspace.disk.stats(PurePosixPath(folder), {name for name in names if is_turn(name)})
    except Unreadable as error:
        found.unread.append(str(error))
        return
    for name in sorted(stats):
        found.compare(folder, name, known.get(name), stats[name])
    found.gone += [one.id for name, one in known.items() if name not in stats]


def _look_at_files(workspace: Workspace, index: Transcripts, found: Look, start: int | None) -> None:
    """Look at files in folders that have not changed, for edits in place."""
    if start is None:
        by_folder = index.every()
    else:
        rows = index.window(start, SOME)
        found.next_place = rows[-1][2].id + 1 if rows else 0
        some: dict[str, dict[str, Known]] = {}
        for folder, name, known in rows:
            some.setdefault(folder, {})[name] = known
        by_folder = some
    going = set(found.gone)
    for folder, files in by_folder.items():
        if folder in found.folders:  # all its files were looked at already
            continue
        try:
            stats = workspace.disk.stats(PurePosixPath(folder), files)
        except Unreadable as error:
            found.unread.append(str(error))
            continue
        if start is None and stats == index.settled(folder):
            continue
        for name, stat in stats.items():
            known = files[name]
            if known.id not in going:
                found.compare(folder, name, known, stat)


def _children(known: Mapping[str, object]) -> dict[str, list[str]]:
    """The folders right below each folder."""
    children: dict[str, list[str]] = {}
    for path in known:
        children.setdefault(path.rpartition("/")[0], []).append(path)
    return children
