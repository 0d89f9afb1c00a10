"""The files that lint checks: changed ones are read and checked, unchanged ones come from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field

from memtool.core.lint.problem import Problem
from memtool.core.lint.seen import Checked
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
from memtool.verbs.lint.subjects import Subjects
from memtool.verbs.lint.wanted import Progress, Selection, Wanted

IGNORED = ".memignore"
"""The file at the root that lists ignored paths, in the syntax of `.gitignore`."""
_FEW = 32
_LINKED = (".md", ".markdown")


class Files(Struct):
    """The files of a workspace and the results of their checks.

    `found` holds the checks of files, `silent` those of ignored files that are read for their links only;
    `lost` are texts without a role, `unread` maps unreadable paths to the reason. `whole` holds the stat of
    each file and folder. `is_new` says that the cache must be saved.
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
        """Return the link data of all files that have any, ignored files included, by path."""
        by_path: dict[str, Ties] = {}
        for path in sorted({*self.found, *self.silent}):
            if path in self._ties:
                link_data = self._ties[path]
            else:
                record = self.memory.ties.get(path)
                link_data = Ties.of(record) if record is not None else None
            if link_data is not None:
                by_path[path] = link_data
        return by_path

    def take(self, path: str, stamp: Stamp, checked: Checked) -> None:
        """Store the result of a file's check."""
        self.found[path] = memory.of(stamp, checked)
        self._ties[path] = checked.ties

    def take_ties(self, path: str, stamp: Stamp, ties: Ties | None) -> None:
        """Store the link data of an ignored file."""
        self.silent[path] = Known(stamp)
        self._ties[path] = ties


def passes_over(workspace: Workspace) -> Callable[[str], bool]:
    """Return the predicate for paths that `.memignore` names. Raises BadUsage for an invalid pattern."""
    try:
        document = workspace.read(PurePosixPath(IGNORED))
    except MemtoolError as error:
        raise BadUsage(f"{IGNORED} cannot be read: {error}") from error
    lines = document.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n") if document else []
    return globs.matcher(lines, IGNORED)


def files(workspace: Workspace, wanted: Wanted, selection: Selection) -> Files:
    """List every file, and check those that are new or may have changed. Raises BadUsage."""
    stats: dict[str, os.stat_result] = {}
    listing = workspace.everything(stats)
    is_ignored = passes_over(workspace)
    subjects = Subjects(workspace)
    key = wanted.key if wanted.group is None else None
    cache = memory.load(workspace, key)
    checked_files = Files(listing, stats, subjects, is_ignored, cache)
    listed = {path: stat for path, stat in listing.files.items() if not is_ignored(path)}
    if wanted.group is None:
        ignored_sources = _silent(workspace, checked_files)
    else:  # no file of another group is read
        ignored_sources = {}
        listed = {path: stat for path, stat in listed.items() if selection.may_read(path)}
    requested = _named(workspace, wanted, listed)
    checks = {
        path: check for path, check in cache.known.items() if check.is_silent == (path in ignored_sources)
    }
    difference = diff(
        {**listed, **ignored_sources, **requested}, {path: check.stamp for path, check in checks.items()}
    )
    to_check = {*difference.added, *difference.changed, *difference.doubtful}
    checked_files.found = {path: checks[path] for path in listed if path in checks and path not in to_check}
    checked_files.silent = {
        path: checks[path] for path in ignored_sources if path in checks and path not in to_check
    }
    waiting: dict[str, Subject] = {}
    for path in sorted(to_check):
        subject = subjects.plain(path) if path in requested else subjects.of(path)
        if subject is not None:
            waiting[path] = subject
        elif subjects.is_lost(path):
            checked_files.lost.append(path)
    _read(workspace, waiting, checks, checked_files, frozenset(ignored_sources), wanted.progress)
    checked_files.is_new = bool(
        checked_files.read
        or difference.removed
        or len(cache.known) != len(checked_files.found) + len(checked_files.silent)
    )
    checked_files.unread.update(_unlisted(listing, is_ignored))
    checked_files.unread = {
        path: why
        for path, why in checked_files.unread.items()
        if wanted.group is None or selection.may_read(path)
    }
    return checked_files


def _silent(workspace: Workspace, checked_files: Files) -> dict[str, Stat]:
    """The ignored files that are read for their links."""
    most_bytes = workspace.settings["search.max_file_bytes"]
    return {
        path: stat
        for path, stat in checked_files.listing.files.items()
        if path.lower().endswith(_LINKED)
        and checked_files.passes_over(path)
        and stat.size <= most_bytes
        and checked_files.subjects.of(path) is not None
    }


def _named(workspace: Workspace, wanted: Wanted, listed: dict[str, Stat]) -> dict[str, Stat]:
    """The files requested by name that no listing contains."""
    stats: dict[str, Stat] = {}
    for path in wanted.paths:
        if path and path not in listed and path not in wanted.given:
            try:
                stat = workspace.disk.stat(PurePosixPath(path))
            except Unreadable:
                continue
            if stat is not None:
                stats[path] = stat
    return stats


def _read(
    workspace: Workspace,
    waiting: dict[str, Subject],
    checks: dict[str, Known],
    checked_files: Files,
    ignored_sources: frozenset[str],
    progress: Progress | None,
) -> None:
    """Read and check files folder by folder; a file whose bytes have not changed is not checked again."""
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
                if path not in ignored_sources:
                    checked_files.unread[path] = str(content)
                continue
            checked_files.read += 1
            stamp = Stamp.of(stat, checked_files.listing.at_ns, etag_of(content))
            check_before = checks.get(path)
            if check_before is not None and check_before.stamp.etag == stamp.etag:
                (checked_files.silent if path in ignored_sources else checked_files.found)[path] = Known(
                    stamp, check_before.found
                )
            elif path in ignored_sources:
                checked_files.take_ties(path, stamp, linked(content, waiting[path]))
            else:
                checked_files.take(path, stamp, check(content, waiting[path], _faults))
    if progress is not None:
        progress(len(waiting), len(waiting))


def _contents(
    workspace: Workspace, folder: str, names: list[str]
) -> Iterator[tuple[str, Stat | None, bytes | Unreadable]]:
    """Yield the files of a folder, each with its stat from before the read and its content or the error."""
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


def give(checked_files: Files, given: Mapping[str, bytes]) -> None:
    """Replace the contents of files by those of an editor's buffers, and check them."""
    from memtool.formats.lint.check import check

    checked_files.given = given
    for path, content in given.items():
        stamp = Stamp(len(content), 0, 0, 0, 0, etag_of(content))
        checked_files.take(path, stamp, check(content, checked_files.subjects.plain(path), _faults))
        checked_files.unread.pop(path, None)


def _faults(name: str, record: Any) -> Iterable[tuple[str, str]]:
    from memtool.store.config.schemas import faults

    return faults(name, record)


def _unlisted(listing: Listing, is_ignored: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    for path, why in listing.unreadable:
        if not is_ignored(path):
            yield path or ".", why


def unread_problem(path: str, why: str) -> Problem:
    """Return the problem of a file that could not be read."""
    return Problem(path, 1, 1, "M100", f"it cannot be read: {why}")
