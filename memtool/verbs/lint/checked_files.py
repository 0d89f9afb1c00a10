"""The files that lint checks: changed ones are read and checked, unchanged ones come from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.lint.check_result import FileCheck
from memtool.core.lint.file_links import FileLinks
from memtool.core.lint.lint_target import LintTarget
from memtool.core.lint.problem import Problem
from memtool.core.records.document import FileStat, TreeListing, etag_of
from memtool.errors import BadUsage, MemtoolError, UnreadableFile
from memtool.index.engine import FileStamp
from memtool.index.freshness import compare_stamps
from memtool.store.files import globs
from memtool.store.workspace import Workspace
from memtool.verbs.lint import lint_cache
from memtool.verbs.lint.lint_cache import CachedCheck, LintCache
from memtool.verbs.lint.request import LintRequest, LintSelection, Progress
from memtool.verbs.lint.subjects import SubjectResolver

IGNORE_FILE = ".memignore"
"""The file at the root that lists ignored paths, in the syntax of `.gitignore`."""
_PROGRESS_STEP = 32
_LINKED_SUFFIXES = (".md", ".markdown")


class CheckedFiles(Struct):
    """The files of a workspace and the results of their checks.

    `checks` holds the checks of files, `ignored_sources` those of ignored files that are read for their links
    only; `without_role` are texts without a role, `unread` maps unreadable paths to the reason. `stats` holds
    the stat of each file and folder. `needs_saving` says that the cache must be saved.
    """

    listing: TreeListing
    stats: dict[str, os.stat_result]
    subjects: SubjectResolver
    is_ignored: Callable[[str], bool]
    cache: LintCache
    checks: dict[str, CachedCheck] = field(default_factory=dict)
    ignored_sources: dict[str, CachedCheck] = field(default_factory=dict)
    without_role: list[str] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    overrides: Mapping[str, bytes] = field(default_factory=dict)
    read_count: int = 0
    needs_saving: bool = False
    _links: dict[str, FileLinks | None] = field(default_factory=dict)

    def links_by_path(self) -> dict[str, FileLinks]:
        """Return the link data of all files that have any, ignored files included, by path."""
        for path, cached in self.cache.links():
            self._links.setdefault(path, cached)
        self.cache.raw_links = b""
        paths = sorted({*self.checks, *self.ignored_sources})
        return {path: links for path in paths if (links := self._links.get(path)) is not None}

    def copy(self) -> CheckedFiles:
        """The same results, which stay as they are when those of this value change."""
        return replace(self, checks={**self.checks}, _links={**self._links})

    def add_check(self, path: str, stamp: FileStamp, checked: FileCheck) -> None:
        """Store the result of a file's check."""
        self.checks[path] = lint_cache.cached_check(stamp, checked)
        self._links[path] = checked.links

    def add_links(self, path: str, stamp: FileStamp, links: FileLinks | None) -> None:
        """Store the link data of an ignored file."""
        self.ignored_sources[path] = CachedCheck(stamp)
        self._links[path] = links


def ignore_predicate(workspace: Workspace) -> Callable[[str], bool]:
    """Return the predicate for paths that `.memignore` names. Raises BadUsage for an invalid pattern."""
    try:
        document = workspace.read(PurePosixPath(IGNORE_FILE))
    except MemtoolError as error:
        raise BadUsage(str(error)) from error
    lines = document.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n") if document else []
    return globs.matcher(lines, IGNORE_FILE)


def check_files(
    workspace: Workspace, request: LintRequest, selection: LintSelection, known: CheckedFiles | None = None
) -> CheckedFiles:
    """List every file, and check those that are new or may have changed. Raises BadUsage.

    The results for other files are those of `known`, without it those of the cache.
    """
    stats: dict[str, os.stat_result] = {}
    listing = workspace.memory_listing(stats)
    is_ignored = ignore_predicate(workspace)
    subjects = SubjectResolver(workspace)
    key = request.key if request.group is None else None
    if known is not None:
        cache = LintCache({**known.checks, **known.ignored_sources})
    else:
        cache = lint_cache.load_cache(workspace, key)
    checked_files = CheckedFiles(listing, stats, subjects, is_ignored, cache)
    checked_files._links = {**known._links} if known is not None else {}
    listed = {path: stat for path, stat in listing.files.items() if not is_ignored(path)}
    if request.group is None:
        ignored_sources = _ignored_link_sources(workspace, checked_files)
    else:  # no file of another group is read
        ignored_sources = {}
        listed = {path: stat for path, stat in listed.items() if selection.is_in_group(path)}
    requested = _requested_by_name(workspace, request, listed)
    checks = {
        path: check
        for path, check in cache.checks.items()
        if check.is_ignored_source == (path in ignored_sources)
    }
    difference = compare_stamps(
        {**listed, **ignored_sources, **requested}, {path: check.stamp for path, check in checks.items()}
    )
    to_check = {*difference.added, *difference.changed, *difference.doubtful}
    checked_files.checks = {path: checks[path] for path in listed if path in checks and path not in to_check}
    checked_files.ignored_sources = {
        path: checks[path] for path in ignored_sources if path in checks and path not in to_check
    }
    waiting: dict[str, LintTarget] = {}
    for path in sorted(to_check):
        subject = subjects.resolve_or_plain(path) if path in requested else subjects.resolve(path)
        if subject is not None:
            waiting[path] = subject
        elif subjects.is_text(path):
            checked_files.without_role.append(path)
    _read_and_check(workspace, waiting, checks, checked_files, frozenset(ignored_sources), request.progress)
    checked_files.needs_saving = bool(
        checked_files.read_count
        or difference.removed
        or len(cache.checks) != len(checked_files.checks) + len(checked_files.ignored_sources)
    )
    checked_files.unread.update(_unlisted(listing, is_ignored))
    checked_files.unread = {
        path: why
        for path, why in checked_files.unread.items()
        if request.group is None or selection.is_in_group(path)
    }
    return checked_files


def _ignored_link_sources(workspace: Workspace, checked_files: CheckedFiles) -> dict[str, FileStat]:
    """The ignored files that are read for their links."""
    most_bytes = workspace.settings["search.max_file_bytes"]
    return {
        path: stat
        for path, stat in checked_files.listing.files.items()
        if path.lower().endswith(_LINKED_SUFFIXES)
        and checked_files.is_ignored(path)
        and stat.size <= most_bytes
        and checked_files.subjects.resolve(path) is not None
    }


def _requested_by_name(
    workspace: Workspace, request: LintRequest, listed: dict[str, FileStat]
) -> dict[str, FileStat]:
    """The files requested by name that no listing contains."""
    stats: dict[str, FileStat] = {}
    for path in request.paths:
        if path and path not in listed and path not in request.overrides:
            try:
                stat = workspace.disk.stat(PurePosixPath(path))
            except UnreadableFile:
                continue
            if stat is not None:
                stats[path] = stat
    return stats


def _read_and_check(
    workspace: Workspace,
    subjects: dict[str, LintTarget],
    checks: dict[str, CachedCheck],
    checked_files: CheckedFiles,
    ignored_sources: frozenset[str],
    progress: Progress | None,
) -> None:
    """Read and check files folder by folder; a file whose bytes have not changed is not checked again."""
    if not subjects:
        return
    from memtool.formats.lint.check import check_file, links_of_file

    by_folder: dict[str, list[str]] = {}
    for path in subjects:
        folder, _, name = path.rpartition("/")
        by_folder.setdefault(folder, []).append(name)
    count = 0
    for folder, names in by_folder.items():
        prefix = f"{folder}/" if folder else ""
        for name, stat, content in _contents(workspace, folder, names):
            path = prefix + name
            count += 1
            if progress is not None and (count % _PROGRESS_STEP == 0 or count == len(subjects)):
                progress(count, len(subjects))
            if isinstance(content, UnreadableFile) or stat is None:
                if path not in ignored_sources:
                    checked_files.unread[path] = str(content)
                continue
            checked_files.read_count += 1
            stamp = FileStamp.of(stat, checked_files.listing.at_ns, etag_of(content))
            check_before = checks.get(path)
            if check_before is not None and check_before.stamp.etag == stamp.etag:
                (checked_files.ignored_sources if path in ignored_sources else checked_files.checks)[path] = (
                    CachedCheck(stamp, check_before.record)
                )
            elif path in ignored_sources:
                checked_files.add_links(path, stamp, links_of_file(content, subjects[path]))
            else:
                checked_files.add_check(path, stamp, check_file(content, subjects[path], _schema_faults))
    if progress is not None:
        progress(len(subjects), len(subjects))


def _contents(
    workspace: Workspace, folder: str, names: list[str]
) -> Iterator[tuple[str, FileStat | None, bytes | UnreadableFile]]:
    """Yield the files of a folder, each with its stat from before the read and its content or the error."""
    try:
        if folder:
            yield from workspace.disk.read_files(PurePosixPath(folder), names)
            return
    except MemtoolError as error:
        for name in names:
            yield name, None, UnreadableFile(str(error))
        return
    for name in names:
        path = PurePosixPath(name)
        try:
            stat, content = workspace.disk.stat(path), workspace.disk.read_bytes(path)
        except MemtoolError as error:
            yield name, None, UnreadableFile(str(error))
            continue
        if stat is not None and content is not None:
            yield name, stat, content


def apply_overrides(checked_files: CheckedFiles, overrides: Mapping[str, bytes]) -> None:
    """Replace the contents of files by those of an editor's buffers, and check them."""
    from memtool.formats.lint.check import check_file

    checked_files.overrides = overrides
    for path, content in overrides.items():
        stamp = FileStamp(len(content), 0, 0, 0, 0, etag_of(content))
        checked_files.add_check(
            path, stamp, check_file(content, checked_files.subjects.resolve_or_plain(path), _schema_faults)
        )
        checked_files.unread.pop(path, None)


def _schema_faults(name: str, record: Any) -> Iterable[tuple[str, str]]:
    from memtool.store.config.schemas import violations

    return violations(name, record)


def _unlisted(listing: TreeListing, is_ignored: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    for path, why in listing.unreadable:
        if not is_ignored(path):
            yield path or ".", why


def unreadable_problem(path: str, why: str) -> Problem:
    """Return the problem of a file that could not be read."""
    reason = why.removeprefix(f"{path} ").removeprefix("cannot be read: ")
    return Problem(path, 1, 1, "M100", f"cannot be read: {'it ' if reason.startswith('is ') else ''}{reason}")
