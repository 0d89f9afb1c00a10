"""`memory_get`: reads a memory file or some lines of it, in portions of limited size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.text.regex import regex
from memtool.errors import OutsideWorkspace
from memtool.serve.mcp.arguments import IntegerType, TextType, ToolArgument
from memtool.serve.mcp.tool import McpTool, ToolReply, recalled_text
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.access.get import LineRange, get

MOST_CHARACTERS = 20_000
"""Most characters of a reply: well under the 25,000 tokens at which Claude Code refuses one."""
_MAX_LINES = 2_000


ARGUMENTS = (
    ToolArgument(
        "path",
        TextType(1_000),
        "The path or path:line, as returned by memory_search or memory_list.",
        required=True,
        aliases=("file", "filepath", "filename", "name", "uri"),
    ),
    ToolArgument(
        "from",
        IntegerType(1, 1_000_000_000),
        "The first line to read; line numbers start at 1.",
        aliases=("fromline", "startline", "start", "offset", "line"),
    ),
    ToolArgument(
        "lines",
        IntegerType(1, _MAX_LINES),
        (
            f"Maximum number of lines, 1 to {_MAX_LINES:,} (default: as many as fit in "
            f"{MOST_CHARACTERS:,} characters)."
        ),
        aliases=("maxlines", "limit", "count", "numlines"),
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Return what `memtool get` prints."""
    path, first, most = (
        _resolve_citation(tool_context, given["path"]),
        given["from"],
        given["lines"] or _MAX_LINES,
    )
    try:
        got = get(tool_context.workspace, path, tool_context.scope, _line_range(first or 1, most))
    except OutsideWorkspace:
        got = None
        if _split_place(path) is None:
            raise
    if got is None and (placed := _split_place(path)) is not None:
        path, line = placed
        got = get(tool_context.workspace, path, tool_context.scope, _line_range(first or line, most))
    if got is None:
        return ToolReply(f"{path}: no such file; list the files with memory_list")
    return ToolReply(_portion(got))


def _line_range(first: int, most: int) -> tuple[int, int]:
    return first, first + most - 1


def _resolve_citation(tool_context: ToolContext, path: str) -> str:
    """The path in the workspace of a citation by `memory_context`, which may start with group: or global:."""
    source, colon, rest = path.partition(":")
    if not colon or source not in {"group", "global"}:
        return path
    layout = tool_context.workspace.layout
    group = tool_context.scope.group if source == "group" else layout.shared_group
    return f"{layout.groups}/{group}/{rest}" if layout.groups and group else rest


def _split_place(path: str) -> tuple[str, int] | None:
    """The path and line of a place such as `path:12` or `path:12-15`; None for anything else."""
    match = regex(r"(.+?):([0-9]{1,9})(?:-[0-9]{1,9})?:?").fullmatch(path)
    return (match[1], max(1, int(match[2]))) if match else None


def _portion(got: LineRange) -> str:
    if not got.text:
        return (
            f"{got.path} is empty"
            if got.first == 1
            else f"{got.path} has only {got.last} line{'s' * (got.last != 1)}"
        )
    text, last = got.text, got.last
    if len(text) > MOST_CHARACTERS:
        cut = text.rfind("\n", 0, MOST_CHARACTERS) + 1 or MOST_CHARACTERS
        text = text[:cut]
        last = got.first + text.count("\n") - 1
        if last < got.first:
            rest = f"only the first {MOST_CHARACTERS:,} characters of line {got.first} are shown"
            is_last_line = got.is_end and got.first == got.last
            following = [] if is_last_line else [f"continue with from={got.first + 1}"]
            return recalled_text(text, [rest, *following])
    if got.is_end and last == got.last:
        return recalled_text(text)
    shown = f"lines {got.first} to {last}" if last > got.first else f"line {last}"
    return recalled_text(text, [f"{shown} of {got.path}; continue with from={last + 1}"])


TOOL = McpTool(
    "memory_get",
    "Read a memory file",
    "Read a memory file, or some of its lines, verbatim. Use this tool with a path that "
    "memory_search or memory_list returned.",
    ARGUMENTS,
    call,
    always_load=True,
)
