"""`memory`: Anthropic's memory tool, for models that were trained on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.memories.memories import COMMANDS
from memtool.serve.mcp.argument import Argument, Text, Verbatim
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.get import MOST
from memtool.serve.mcp.tool import WRITES, Reply, Tool, told
from memtool.verbs.memories.memories import ROLE, How, answer

_TEXT: Mapping[str, Any] = {"type": "string"}
_NUMBER: Mapping[str, Any] = {"type": "integer"}
_RANGE: Mapping[str, Any] = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}

ARGUMENTS = (
    Argument("command", Text(20, COMMANDS), f"One of {', '.join(COMMANDS)}.", required=True),
    Argument("path", Verbatim(_TEXT), "Where, below /memories; for every command but rename."),
    Argument("view_range", Verbatim(_RANGE), "Of view: the first and the last line; -1 is the end."),
    Argument("file_text", Verbatim(_TEXT), "Of create: what the new file holds."),
    Argument("old_str", Verbatim(_TEXT), "Of str_replace: what stands there once."),
    Argument("new_str", Verbatim(_TEXT), "Of str_replace: what shall stand there."),
    Argument("insert_line", Verbatim(_NUMBER), "Of insert: behind which line; 0 is the top."),
    Argument("insert_text", Verbatim(_TEXT), "Of insert: the lines."),
    Argument("old_path", Verbatim(_TEXT), "Of rename: the path as it is."),
    Argument("new_path", Verbatim(_TEXT), "Of rename: the path as it shall be."),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """Do what `memtool memories` does."""
    how = How(group=desk.write_group() or None)
    record = {name: value for name, value in given.items() if value is not None}
    answered = answer(desk.workspace, record, how)
    words, is_error = answered.reply.content, answered.reply.is_error
    if given["command"] == "view" and not is_error:
        words = _portion(words)
    if answered.plan and not desk.workspace.writes:
        words += "\n(incognito: nothing was written)"
    return Reply(words, is_error=is_error)


def _portion(text: str) -> str:
    """The reply to a view, marked as recalled memory, and cut off like a reply of memory_get."""
    if len(text) <= MOST:
        return told(text)
    cut = text.rfind("\n", 0, MOST) + 1 or MOST
    return told(text[:cut], [f"only the first {cut:,} characters are shown; view_range shows others"])


TOOL = Tool(
    "memory",
    "Keep files of memory",
    "Files of your own below /memories: view a folder or a file, create, edit, delete, rename. "
    "For working notes that you shape yourself; single facts go to memory_save. Secrets are redacted.",
    ARGUMENTS,
    call,
    lane=WRITES,
    writes=True,
    destroys=True,
    repeats=False,
    needs=ROLE,
)
