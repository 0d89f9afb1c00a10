"""Placement: files without a role, misnamed files, misspelled daily notes, and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memtool.core.lint.problem import Problem
from memtool.core.lint.timestamps import is_valid_iso
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import CheckedFiles
from memtool.verbs.lint.request import LintSelection

_DATE_LIKE = re.compile(r"((?:19|20)\d\d)([-_. ]?)(\d{1,2})\2(\d{1,2})(?=\D|$)", re.ASCII)


def check_placement(workspace: Workspace, files: CheckedFiles) -> Iterator[Problem]:
    """Yield misnamed memory files, daily notes with misspelled days, and symbolic links."""
    yield from _misnamed(workspace, files)
    yield from _misspelled_days(workspace, files)
    for path, kind in files.listing.skipped:
        is_memory = files.subjects.resolve(path) is not None or workspace.layout.can_contain_roles(path)
        if is_memory and not files.is_ignored(path):
            yield Problem(
                path, 1, 1, "M310", f"this is {kind}, not a regular file; memtool does not search it"
            )


def check_without_role(
    workspace: Workspace, files: CheckedFiles, selection: LintSelection
) -> Iterator[Problem]:
    """Yield the selected texts without a role; a folder in which no file has one is one problem."""
    folders: dict[str, list[str]] = {}
    for path in sorted(files.without_role):
        if not selection.includes(path, "M308"):
            continue
        folder = _outermost_without_role(workspace, path)
        if folder:
            folders.setdefault(folder, []).append(path)
        else:
            yield Problem(path, 1, 1, "M308", "not part of the layout: memtool ignores this file")
    for folder, paths in folders.items():
        counted = f"{len(paths)} text files" if len(paths) > 1 else "1 text file"
        message = f"not part of the layout: memtool ignores this folder ({counted})"
        yield Problem(folder, 1, 1, "M308", message)


def _outermost_without_role(workspace: Workspace, path: str) -> str:
    """The outermost folder of a path in which no role has a place; empty if there is none."""
    steps = path.split("/")[:-1]
    for count in range(1, len(steps) + 1):
        folder = "/".join(steps[:count])
        if not workspace.layout.can_contain_roles(folder):
            return folder
    return ""


def _misnamed(workspace: Workspace, files: CheckedFiles) -> Iterator[Problem]:
    """Yield files whose names differ from those of memory files only in case."""
    fixed = workspace.layout.fixed_paths()
    exact = set(fixed.values()) | {place.template.pattern for place in workspace.layout.places}
    for path in files.listing.files:
        if files.is_ignored(path):
            continue
        group = files.subjects.group_of(path)
        relative = path.removeprefix(f"{workspace.layout.groups}/{group}/") if group else path
        expected_name = fixed.get(relative.casefold())
        if expected_name is not None and relative not in exact:
            expected_path = path[: len(path) - len(relative)] + expected_name
            if expected_path not in files.listing.files:
                message = f"wrong letter case in {path}: agents look for {expected_path}"
                yield Problem(path, 1, 1, "M309", message)


def _misspelled_days(workspace: Workspace, files: CheckedFiles) -> Iterator[Problem]:
    """Yield notes beside the daily notes whose names are invalid dates or dates in another spelling."""
    layout = workspace.layout
    if not layout.has_role("daily-note"):
        return
    for path in files.listing.files:
        folder, _, name = path.rpartition("/")
        match = _DATE_LIKE.match(name)
        if match is None or not name.endswith(".md") or files.is_ignored(path):
            continue
        if match[2] == "-" and len(name) == len("2025-01-15.md") and is_valid_iso(name[:-3]):
            continue
        located = layout.locate(path)
        if located is None or located.role != "note":
            continue
        daily_folder = str(layout.path("daily-note", group=located.group, day=date(2000, 1, 1))).rpartition(
            "/"
        )[0]
        if folder == daily_folder:
            yield from _check_day(path, match, name)


def _check_day(path: str, match: re.Match[str], name: str) -> Iterator[Problem]:
    digits = len(match[3]) + len(match[4])
    if not match[2] and digits != 4:  # a number such as 20250
        return
    try:
        day = date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        if match[2] == "-" and digits == 4:
            yield Problem(path, 1, 1, "M206", f"invalid date {match[0]} in the file name")
        return
    suffix = name[match.end() : -len(".md")]
    if not suffix:
        message = (
            f"date in a non-standard format: rename the file to {day.isoformat()}.md if it is a daily note"
        )
        yield Problem(path, 1, 1, "M311", message)
