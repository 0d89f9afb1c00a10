"""`memory_list`: which memory files there are, in a listing that stays short however many they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from memtool.errors import OutsideWorkspace
from memtool.serve.mcp.argument import Argument, Text, Whole
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.tool import Reply, Tool, noted, path_line
from memtool.store.files import guard
from memtool.verbs.access.get import MemoryFile, list_files

MOST = 200
"""Lines of a listing; where there are more files, folders are counted instead of opened."""


ARGUMENTS = (
    Argument(
        "path",
        Text(1_000),
        "Only files in this folder, such as memory/notes; all if left out.",
        others=("prefix", "folder", "directory", "dir"),
    ),
    Argument("depth", Whole(1, 20), "Folders deeper than this are counted, not opened; 1 to 20."),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """List what `memory_get` would read."""
    found = list_files(desk.workspace, desk.scope)
    folder = _folder(given["path"])
    inside = [one for one in found.files if not folder or f"{one.path}/".startswith(f"{folder}/")]
    if not inside:
        where = f"there is no memory file in {folder}" if folder else "memory is empty"
        return Reply(noted(where, found.notices))
    base = folder.count("/") + 1 if folder else 0
    deepest = max(one.path.count("/") for one in inside) - base + 1
    depth = min(given["depth"] or deepest, deepest)
    lines = _lines(inside, base + depth)
    while len(lines) > MOST and depth > 1:
        depth -= 1
        lines = _lines(inside, base + depth)
    notices = list(found.notices)
    if len(lines) > MOST:
        notices.append(f"{len(lines) - MOST:,} more are not shown; name a folder by path")
        lines = lines[:MOST]
    return Reply(noted("\n".join(lines), notices))


def _folder(path: str | None) -> str:
    """A folder as paths begin with it. Raises OutsideWorkspace for what leads out."""
    if path is None or path.strip("./") == "":
        if path is not None and ".." in path:
            raise OutsideWorkspace(f"{path} is outside the workspace: '..' is not allowed in a path")
        return ""
    return str(guard.clean(path))


def _lines(inside: Sequence[MemoryFile], levels: int) -> list[str]:
    """A line a file with its role and size; what lies deeper than `levels` is counted by its folder."""
    lines: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for one in inside:
        steps = one.path.split("/")
        if len(steps) <= levels:
            lines[one.path] = f"{path_line(one.path)} ({one.role}, {_size(one.size)})"
        else:
            top = "/".join(steps[:levels]) + "/"
            counted[top] += 1
            lines[top] = f"{path_line(top)} ({counted[top]} file{'s' * (counted[top] != 1)})"
    return list(lines.values())


def _size(size: int) -> str:
    return f"{size} B" if size < 1_000 else f"{size / 1_000:.1f} kB"


TOOL = Tool(
    "memory_list",
    "List memory files",
    "List the files of memory with what each is for and its size.",
    ARGUMENTS,
    call,
)
