"""Places: files that lie where nobody looks for them, or are named so that nobody finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memtool.core.lint.moment import is_real
from memtool.core.lint.problem import Problem
from memtool.store.workspace import Workspace
from memtool.verbs.lint.files import Files
from memtool.verbs.lint.wanted import Selection

_DAY = re.compile(r"((?:19|20)\d\d)([-_. ]?)(\d{1,2})\2(\d{1,2})(?=\D|$)", re.ASCII)


def problems(workspace: Workspace, files: Files) -> Iterator[Problem]:
    """The files with a name that is nearly that of another, and the links."""
    yield from _misnamed(workspace, files)
    yield from _days(workspace, files)
    for path, kind in files.listing.skipped:
        is_memory = files.subjects.of(path) is not None or workspace.layout.enters(path)
        if is_memory and not files.passes_over(path):
            yield Problem(path, 1, 1, "M310", f"it is {kind}, which no search follows")


def lost(workspace: Workspace, files: Files, selection: Selection) -> Iterator[Problem]:
    """Texts without a role: each by itself, or a folder in which nothing has one, once for all of them.

    Only those that are asked for.
    """
    folders: dict[str, list[str]] = {}
    for path in sorted(files.lost):
        if not selection.keeps(path, "M308"):
            continue
        folder = _outermost(workspace, path)
        if folder:
            folders.setdefault(folder, []).append(path)
        else:
            yield Problem(path, 1, 1, "M308", "it has no role here: memtool neither searches nor shows it")
    for folder, paths in folders.items():
        count = f"{len(paths)} texts" if len(paths) > 1 else "one text"
        said = f"the folder has no role here: memtool neither searches nor shows {count} in it"
        yield Problem(folder, 1, 1, "M308", said)


def _outermost(workspace: Workspace, path: str) -> str:
    """The outermost folder on the way to a file in which nothing has a place; empty where there is none."""
    steps = path.split("/")[:-1]
    for count in range(1, len(steps) + 1):
        folder = "/".join(steps[:count])
        if not workspace.layout.enters(folder):
            return folder
    return ""


def _misnamed(workspace: Workspace, files: Files) -> Iterator[Problem]:
    """Files whose names are those of memory files but for their capitals."""
    fixed = workspace.layout.fixed()
    exact = set(fixed.values()) | {place.template.pattern for place in workspace.layout.places}
    for path in files.listing.files:
        if files.passes_over(path):
            continue
        group = files.subjects.group(path)
        own = path.removeprefix(f"{workspace.layout.groups}/{group}/") if group else path
        meant = fixed.get(own.casefold())
        if meant is not None and own not in exact:
            beside = path[: len(path) - len(own)] + meant
            if beside not in files.listing.files:
                said = f"agents look for {beside}, and do not find {path}"
                yield Problem(path, 1, 1, "M309", said)


def _days(workspace: Workspace, files: Files) -> Iterator[Problem]:
    """Notes beside the daily notes whose names are days, in another spelling or such as there are not."""
    layout = workspace.layout
    if not layout.has("daily-note"):
        return
    for path in files.listing.files:
        folder, _, name = path.rpartition("/")
        found = _DAY.match(name)
        if found is None or not name.endswith(".md") or files.passes_over(path):
            continue
        if found[2] == "-" and len(name) == len("2025-01-15.md") and is_real(name[:-3]):
            continue
        located = layout.role_of(path)
        if located is None or located.role != "note":
            continue
        home = str(layout.path("daily-note", group=located.group, day=date(2000, 1, 1))).rpartition("/")[0]
        if folder == home:
            yield from _day(path, found, name)


def _day(path: str, found: re.Match[str], name: str) -> Iterator[Problem]:
    digits = len(found[3]) + len(found[4])
    if not found[2] and digits != 4:  # a number such as 20250
        return
    try:
        day = date(int(found[1]), int(found[3]), int(found[4]))
    except ValueError:
        if found[2] == "-" and digits == 4:
            yield Problem(path, 1, 1, "M206", f"{found[0]} is a day that there is not")
        return
    rest = name[found.end() : -len(".md")]
    if not rest:
        said = f"it is named like a day, but not as {day.isoformat()}.md: it counts as a note"
        yield Problem(path, 1, 1, "M311", said)
