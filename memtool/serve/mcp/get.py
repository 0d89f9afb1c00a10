"""`memory_get`: reads a memory file or some lines of it, in portions of limited size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.text.pattern import compiled
from memtool.errors import OutsideWorkspace
from memtool.serve.mcp.argument import Argument, Text, Whole
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.tool import Reply, Tool, told
from memtool.verbs.access.get import LineRange, get

MOST = 20_000
"""Most characters of a reply: well under the 25,000 tokens at which Claude Code refuses one."""
_LINES = 2_000


ARGUMENTS = (
    Argument(
        "path",
        Text(1_000),
        "The file, as memory_search and memory_list print it (path, or path:line).",
        required=True,
        others=("file", "filepath", "filename", "name", "uri"),
    ),
    Argument(
        "from",
        Whole(1, 1_000_000_000),
        "The first line, from 1.",
        others=("fromline", "startline", "start", "offset", "line"),
    ),
    Argument(
        "lines",
        Whole(1, _LINES),
        f"Lines at most, 1 to {_LINES:,}; as many as fit {MOST:,} characters if left out.",
        others=("maxlines", "limit", "count", "numlines"),
    ),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """Return what `memtool get` prints."""
    path, first, most = _cited(desk, given["path"]), given["from"], given["lines"] or _LINES
    try:
        got = get(desk.workspace, path, desk.scope, _range(first or 1, most))
    except OutsideWorkspace:
        got = None
        if _placed(path) is None:
            raise
    if got is None and (placed := _placed(path)) is not None:
        path, line = placed
        got = get(desk.workspace, path, desk.scope, _range(first or line, most))
    if got is None:
        return Reply(f"{path} is not there; memory_list says which files there are")
    return Reply(_portion(got))


def _range(first: int, most: int) -> tuple[int, int]:
    return first, first + most - 1


def _cited(desk: Desk, path: str) -> str:
    """The path in the workspace of a citation by `memory_context`, which may start with group: or global:."""
    source, colon, rest = path.partition(":")
    if not colon or source not in {"group", "global"}:
        return path
    layout = desk.workspace.layout
    group = desk.scope.group if source == "group" else layout.shared_group
    return f"{layout.groups}/{group}/{rest}" if layout.groups and group else rest


def _placed(path: str) -> tuple[str, int] | None:
    """The path and line of a place such as `path:12` or `path:12-15`; None for anything else."""
    match = compiled(r"(.+?):([0-9]{1,9})(?:-[0-9]{1,9})?:?").fullmatch(path)
    return (match[1], max(1, int(match[2]))) if match else None


def _portion(got: LineRange) -> str:
    if not got.text:
        return f"{got.path} is empty" if got.first == 1 else f"{got.path} has only {got.last} lines"
    text, last = got.text, got.last
    if len(text) > MOST:
        cut = text.rfind("\n", 0, MOST) + 1 or MOST
        text = text[:cut]
        last = got.first + text.count("\n") - 1
        if last < got.first:
            rest = f"only the first {MOST:,} characters of line {got.first} are shown"
            return told(text, [rest, f"go on with from={got.first + 1}"])
    if got.is_end and last == got.last:
        return told(text)
    return told(text, [f"lines {got.first} to {last} of {got.path}; go on with from={last + 1}"])


TOOL = Tool(
    "memory_get",
    "Read a memory file",
    "Read a memory file, or some lines of it, exactly as it is. Use it after memory_search or memory_list, "
    "with a path that they print.",
    ARGUMENTS,
    call,
    at_hand=True,
)
