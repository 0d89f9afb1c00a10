"""Permissions: files and folders of memory that other users of the machine can read or change."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from memtool.core.lint.problem import Problem
from memtool.store.files.exposure import ExposedPath, exposed_paths
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import CheckedFiles, ignore_predicate
from memtool.verbs.lint.request import LintSelection
from memtool.verbs.lint.subjects import SubjectResolver

_READ, _WRITE = CODES = "M503", "M504"
_ROOT = "."


def check_permissions(
    workspace: Workspace, files: CheckedFiles, selection: LintSelection
) -> Iterator[Problem]:
    """Yield one problem for all selected files that others can read, and one for all that they can change."""
    groups: dict[tuple[str, bool], list[ExposedPath]] = {}
    for item in selected_exposed(workspace, files, selection):
        groups.setdefault((permission_code(item), item.is_folder), []).append(item)
    for (code, is_folder), items in groups.items():
        first, is_many = items[0], len(items) > 1
        kind = "folder" if is_folder else "file"
        subject = f"{len(items)} memory {kind}s, including {first.path}" if is_many else f"this memory {kind}"
        verb = "add and replace files in" if is_folder else "change" if code == _WRITE else "read"
        message = f"other users can {verb} {subject} (mode {first.mode:04o})"
        yield Problem(_ROOT if is_many else first.path, 1, 1, code, message, kind, is_fixable=True)


def permission_code(item: ExposedPath) -> str:
    """Return the code of the problem of an exposed file."""
    return _WRITE if item.is_writable else _READ


def selected_exposed(
    workspace: Workspace, files: CheckedFiles, selection: LintSelection
) -> Iterator[ExposedPath]:
    """Yield the selected files of memory, and their folders, that other users can access."""
    paths = [path for path in sorted(files.checks) if selection.includes_path(path)]
    for item in _exposed(workspace, files.stats, paths):
        if selection.includes(item.path, permission_code(item)):
            yield item


def exposed_memory(workspace: Workspace) -> Iterator[ExposedPath]:
    """Yield all files of memory, and their folders, that other users can access. Raises BadUsage."""
    stats: dict[str, os.stat_result] = {}
    listing, subjects = workspace.memory_listing(stats), SubjectResolver(workspace)
    is_ignored = ignore_predicate(workspace)
    paths = (path for path in sorted(listing.files) if not is_ignored(path))
    yield from _exposed(workspace, stats, [path for path in paths if subjects.resolve(path) is not None])


def _exposed(
    workspace: Workspace, stats: Mapping[str, os.stat_result], paths: Sequence[str]
) -> Iterator[ExposedPath]:
    if not workspace.layout.notes.private:
        paths = [path for path in paths if _role(workspace, path) not in {"", "note"}]
        if not paths:
            return  # a folder of the user's own documents, who decides who reads them
    yield from exposed_paths(workspace.root, stats, paths)


def _role(workspace: Workspace, path: str) -> str:
    located = workspace.role_of(path)
    return located.role if located is not None else ""
