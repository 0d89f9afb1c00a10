"""Files: every file of memory checked, those that have not changed from what is known of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from memtool.core.lint.checked import Checked
from memtool.core.lint.problem import Problem
from memtool.core.lint.subject import Subject
from memtool.core.lint.ties import Ties
from memtool.core.records.document import Listing, Stat
from memtool.errors import BadUsage, MemtoolError, Unreadable
from memtool.index.engine import Stamp
from memtool.index.freshness import diff
from memtool.store.files import globs
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.lint import memory
from memtool.verbs.lint.memory import Known, Memory
from memtool.verbs.lint.selection import Selection
from memtool.verbs.lint.subjects import Subjects
from memtool.verbs.lint.wanted import Progress, Wanted

IGNORED = ".memignore"
"""The file at the root that names, as `.gitignore` does, what lint passes over."""
_FEW = 32
_LINKED = (".md", ".markdown")


class Files(Struct):
    """The files of a workspace as lint sees them.

    `found` holds what is known of each that was checked, `silent` of those that are passed over and read for
    their links alone; `lost` are texts without a role, `unread` is what could not be read or listed, with the
    reason. `whole` is what the system says of each file and folder. `is_new`: something is to be kept.
    """

    listing: Listing
    whole: dict[str, os.stat_result]
    subjects: Subjects
    passes_over: Callable[[str], bool]
    memory: Memory
    found: dict[str, Known] = field(default_factory=dict)
    silent: dict[str, Known] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    given: Mapping[str, bytes] = field(default_factory=dict)
    read: int = 0
    is_new: bool = False
    _ties: dict[str, Ties | None] = field(default_factory=dict)

    def ties(self) -> dict[str, Ties]:
        """The ties of the files that have any, those that are passed over among them, by path."""
        found: dict[str, Ties] = {}
        for path in sorted({*self.found, *self.silent}):
            if path in self._ties:
                own = self._ties[path]
            else:
                record = self.memory.ties.get(path)
                own = Ties.of(record) if record is not None else None
            if own is not None:
                found[path] = own
        return found

    def take(self, path: str, stamp: Stamp, checked: Checked) -> None:
        """Hold what the check of a file found."""
        self.found[path] = memory.of(stamp, checked)
        self._ties[path] = checked.ties

    def take_ties(self, path: str, stamp: Stamp, ties: Ties | None) -> None:
        """Hold the ties of a file that is passed over."""
        self.silent[path] = Known(stamp)
        self._ties[path] = ties


def passes_over(workspace: Workspace) -> Callable[[str], bool]:
    """Whether a path is one that `.memignore` names. Raises BadUsage for a line that is no pattern."""
    try:
        document = workspace.read(PurePosixPath(IGNORED))
    except MemtoolError as error:
        raise BadUsage(f"{IGNORED} cannot be read: {error}") from error
    lines = document.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n") if document else []
    return globs.matcher(lines, IGNORED)


def files(workspace: Workspace, wanted: Wanted, selection: Selection) -> Files:
    """Look at every file, and check what is new or may have changed. Raises BadUsage."""
    whole: dict[str, os.stat_result] = {}
    listing = workspace.everything(whole)
    ignored = passes_over(workspace)
    subjects = Subjects(workspace)
    key = wanted.key if wanted.group is None else None
    held = memory.load(workspace, key)
    done = Files(listing, whole, subjects, ignored, held)
    listed = {path: stat for path, stat in listing.files.items() if not ignored(path)}
    if wanted.group is None:
        silent = _silent(workspace, done)
    else:  # of other groups nothing is read
        silent = {}
        listed = {path: stat for path, stat in listed.items() if selection.may_read(path)}
    named = _named(workspace, wanted, listed)
    known = {path: one for path, one in held.known.items() if one.is_silent == (path in silent)}
    compared = diff({**listed, **silent, **named}, {path: one.stamp for path, one in known.items()})
    asks = {*compared.added, *compared.changed, *compared.doubtful}
    done.found = {path: known[path] for path in listed if path in known and path not in asks}
    done.silent = {path: known[path] for path in silent if path in known and path not in asks}
    waiting: dict[str, Subject] = {}
    for path in sorted(asks):
        subject = subjects.plain(path) if path in named else subjects.of(path)
        if subject is not None:
            waiting[path] = subject
        elif subjects.is_lost(path):
            done.lost.append(path)
    _read(workspace, waiting, known, done, frozenset(silent), wanted.progress)
    done.is_new = bool(done.read or compared.removed or len(held.known) != len(done.found) + len(done.silent))
    done.unread.update(_unlisted(listing, ignored))
    done.unread = {
        path: why for path, why in done.unread.items() if wanted.group is None or selection.may_read(path)
    }
    return done


def _silent(workspace: Workspace, done: Files) -> dict[str, Stat]:
    """Files that are passed over, and are read for their links all the same."""
    most = workspace.settings["search.max_file_bytes"]
    return {
        path: stat
        for path, stat in done.listing.files.items()
        if path.lower().endswith(_LINKED)
        and done.passes_over(path)
        and stat.size <= most
        and done.subjects.of(path) is not None
    }


def _named(workspace: Workspace, wanted: Wanted, listed: dict[str, Stat]) -> dict[str, Stat]:
    """Files that are asked for by name and lie where nothing is listed."""
    found: dict[str, Stat] = {}
    for path in wanted.paths:
        if path and path not in listed and path not in wanted.given:
            try:
                stat = workspace.disk.stat(PurePosixPath(path))
            except Unreadable:
                continue
            if stat is not None:
                found[path] = stat
    return found


def _read(
    workspace: Workspace,
    waiting: dict[str, Subject],
    known: dict[str, Known],
    done: Files,
    silent: frozenset[str],
    progress: Progress | None,
) -> None:
    """Read and check what is waiting, folder by folder; what has the bytes it had is not checked again."""
    if not waiting:
        return
    from memtool.formats.lint.check import check, linked

    by_folder: dict[str, list[str]] = {}
    for path in waiting:
        folder, _, name = path.rpartition("/")
        by_folder.setdefault(folder, []).append(name)
    count = 0
    for folder, names in by_folder.items():
        prefix = f"{folder}/" if folder else ""
        for name, stat, content in _contents(workspace, folder, names):
            path = prefix + name
            count += 1
            if progress is not None and (count % _FEW == 0 or count == len(waiting)):
                progress(count, len(waiting))
            if isinstance(content, Unreadable) or stat is None:
                if path not in silent:
                    done.unread[path] = str(content)
                continue
            done.read += 1
            stamp = Stamp.of(stat, done.listing.at_ns, etag_of(content))
            old = known.get(path)
            if old is not None and old.stamp.etag == stamp.etag:
                (done.silent if path in silent else done.found)[path] = Known(stamp, old.found)
            elif path in silent:
                done.take_ties(path, stamp, linked(content, waiting[path]))
            else:
                done.take(path, stamp, check(content, waiting[path], _faults))
    if progress is not None:
        progress(len(waiting), len(waiting))


def _contents(
    workspace: Workspace, folder: str, names: list[str]
) -> Iterator[tuple[str, Stat | None, bytes | Unreadable]]:
    """The files of a folder, each with its stat from before it was read, or the reason why it cannot be."""
    try:
        if folder:
            yield from workspace.disk.files(PurePosixPath(folder), names)
            return
    except MemtoolError as error:
        for name in names:
            yield name, None, Unreadable(str(error))
        return
    for name in names:
        path = PurePosixPath(name)
        try:
            stat, content = workspace.disk.stat(path), workspace.disk.read_bytes(path)
        except MemtoolError as error:
            yield name, None, Unreadable(str(error))
            continue
        if stat is not None and content is not None:
            yield name, stat, content


def give(done: Files, given: Mapping[str, bytes]) -> None:
    """Put contents that an editor has in place of what their files say."""
    from memtool.formats.lint.check import check

    done.given = given
    for path, content in given.items():
        stamp = Stamp(len(content), 0, 0, 0, 0, etag_of(content))
        done.take(path, stamp, check(content, done.subjects.plain(path), _faults))
        done.unread.pop(path, None)


def _faults(name: str, record: Any) -> Iterable[tuple[str, str]]:
    from memtool.store.config.schemas import faults

    return faults(name, record)


def _unlisted(listing: Listing, ignored: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    for path, why in listing.unreadable:
        if not ignored(path):
            yield path or ".", why


def unread_problem(path: str, why: str) -> Problem:
    """The problem of what could not be read."""
    return Problem(path, 1, 1, "M100", f"it cannot be read: {why}")
