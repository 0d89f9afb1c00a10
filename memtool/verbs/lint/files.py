"""Files: every file of memory checked, those that have not changed from what is known of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memtool.core.document import Listing, Stat
from memtool.core.lint.checked import Checked
from memtool.core.lint.problem import Problem
from memtool.core.lint.subject import Subject
from memtool.errors import BadUsage, MemtoolError, Unreadable
from memtool.index.engine import Stamp
from memtool.index.freshness import diff
from memtool.store import globs
from memtool.store.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.lint import memory
from memtool.verbs.lint.memory import Known
from memtool.verbs.lint.selection import Selection
from memtool.verbs.lint.subjects import Subjects
from memtool.verbs.lint.wanted import Wanted

IGNORED = ".memignore"
"""The file at the root that names, as `.gitignore` does, what lint passes over."""
_FEW = 32


@dataclass
class Files:
    """The files of a workspace as lint sees them.

    `found` holds what is known of each that was checked; `lost` are texts without a role, `unread` is what
    could not be read or listed, with the reason. `whole` is what the system says of each file and folder.
    """

    listing: Listing
    whole: dict[str, os.stat_result]
    subjects: Subjects
    passes_over: Callable[[str], bool]
    found: dict[str, Known] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    read: int = 0
    _checked: list[tuple[str, Checked]] | None = None

    def checked(self) -> list[tuple[str, Checked]]:
        """The files of which there is anything to tell, by path."""
        if self._checked is None:
            self._checked = [
                (path, known.checked) for path, known in sorted(self.found.items()) if not known.is_plain
            ]
        return self._checked


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
    done = Files(listing, whole, subjects, ignored)
    key = wanted.key if wanted.group is None else None
    known = memory.load(workspace, key)
    listed = {path: stat for path, stat in listing.files.items() if not ignored(path)}
    if wanted.group is not None:  # of other groups nothing is read
        listed = {path: stat for path, stat in listed.items() if selection.may_read(path)}
    named = _named(workspace, wanted, listed)
    compared = diff({**listed, **named}, {path: one.stamp for path, one in known.items()})
    asks = {*compared.added, *compared.changed, *compared.doubtful}
    done.found = {path: known[path] for path in listed if path in known and path not in asks}
    waiting: dict[str, Subject] = {}
    for path in sorted(asks):
        subject = subjects.plain(path) if path in named else subjects.of(path)
        if subject is not None:
            waiting[path] = subject
        elif subjects.is_lost(path):
            done.lost.append(path)
    _read(workspace, waiting, known, done, wanted)
    if done.read or compared.gone or len(known) != len(done.found):
        memory.save(workspace, key, done.found)
    _given(subjects, wanted, done)
    done.unread.update(_unlisted(listing, ignored))
    done.unread = {
        path: why for path, why in done.unread.items() if wanted.group is None or selection.may_read(path)
    }
    return done


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
    wanted: Wanted,
) -> None:
    """Read and check what is waiting, folder by folder; what has the bytes it had is not checked again."""
    if not waiting:
        return
    from memtool.formats.lint.check import check

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
            if wanted.progress is not None and (count % _FEW == 0 or count == len(waiting)):
                wanted.progress(count, len(waiting))
            if isinstance(content, Unreadable) or stat is None:
                done.unread[path] = str(content)
                continue
            done.read += 1
            stamp = Stamp.of(stat, done.listing.at_ns, etag_of(content))
            old = known.get(path)
            if old is not None and old.stamp.etag == stamp.etag:
                done.found[path] = Known(stamp, old.found)
            else:
                done.found[path] = memory.of(stamp, check(content, waiting[path], _faults))
    if wanted.progress is not None:
        wanted.progress(len(waiting), len(waiting))


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


def _given(subjects: Subjects, wanted: Wanted, done: Files) -> None:
    """Contents that an editor has, in place of what its files say."""
    from memtool.formats.lint.check import check

    for path, content in wanted.given.items():
        stamp = Stamp(len(content), 0, 0, 0, 0, etag_of(content))
        done.found[path] = memory.of(stamp, check(content, subjects.plain(path), _faults))
        done.unread.pop(path, None)


def _faults(name: str, record: Any) -> Iterable[tuple[str, str]]:
    from memtool.store.schemas import faults

    return faults(name, record)


def _unlisted(listing: Listing, ignored: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    for path, why in listing.unreadable:
        if not ignored(path):
            yield path or ".", why


def unread_problem(path: str, why: str) -> Problem:
    """The problem of what could not be read."""
    return Problem(path, 1, 1, "M100", f"it cannot be read: {why}")
