"""`memory_list`: lists memory files, summed up by folder where they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from memtool.core.text.clean import path_line
from memtool.errors import OutsideWorkspace
from memtool.serve.mcp.arguments import IntegerType, TextType, ToolArgument
from memtool.serve.mcp.tool import McpTool, ToolReply, with_notices
from memtool.serve.mcp.tool_context import ToolContext
from memtool.store.files import path_guard
from memtool.verbs.access.get import MemoryFile, list_files

MOST_LINES = 200
"""Most lines of a listing; with more files, deep folders are one line with a count."""


ARGUMENTS = (
    ToolArgument(
        "path",
        TextType(1_000),
        "Only files in this folder, such as memory/notes (default: all).",
        aliases=("prefix", "folder", "directory", "dir"),
    ),
    ToolArgument(
        "depth",
        IntegerType(1, 20),
        "Maximum depth of folders to list, 1 to 20; files in deeper folders are only counted.",
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """List the files that `memory_get` can read."""
    listing = list_files(tool_context.workspace, tool_context.scope)
    folder = _folder(given["path"])
    inside = [file for file in listing.files if not folder or f"{file.path}/".startswith(f"{folder}/")]
    if not inside:
        where = f"no memory files in {folder}" if folder else "memory is empty"
        return ToolReply(with_notices(where, listing.notices))
    base = folder.count("/") + 1 if folder else 0
    deepest = max(file.path.count("/") for file in inside) - base + 1
    depth = min(given["depth"] or deepest, deepest)
    lines = _lines(inside, base + depth)
    while len(lines) > MOST_LINES and depth > 1:
        depth -= 1
        lines = _lines(inside, base + depth)
    notices = list(listing.notices)
    if len(lines) > MOST_LINES:
        notices.append(
            f"lines not shown: {len(lines) - MOST_LINES:,}; to list a subfolder, set path to the subfolder"
        )
        lines = lines[:MOST_LINES]
    return ToolReply(with_notices("\n".join(lines), notices))


def _folder(path: str | None) -> str:
    """The folder in normal form; "" for the root. Raises OutsideWorkspace for a path that leads out."""
    if path is None or path.strip("./") == "":
        if path is not None and ".." in path:
            raise OutsideWorkspace(
                f"{path} contains '..', which is not allowed; give a path relative to the workspace's root"
            )
        return ""
    return str(path_guard.check_name(path))


def _lines(inside: Sequence[MemoryFile], levels: int) -> list[str]:
    """A line for each file with its role and size; files deeper than `levels` are counted by folder."""
    lines: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for file in inside:
        steps = file.path.split("/")
        if len(steps) <= levels:
            lines[file.path] = f"{path_line(file.path)} ({file.role}, {_size(file.size)})"
        else:
            top = "/".join(steps[:levels]) + "/"
            counted[top] += 1
            lines[top] = f"{path_line(top)} ({counted[top]} file{'s' * (counted[top] != 1)})"
    return list(lines.values())


def _size(size: int) -> str:
    return f"{size} B" if size < 1_000 else f"{size / 1_000:.1f} kB"


TOOL = McpTool(
    "memory_list",
    "List memory files",
    "List the memory files with their roles and sizes.",
    ARGUMENTS,
    call,
)
