"""`memory`: Anthropic's memory tool, for models that were trained on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.memories.memory_commands import COMMANDS
from memtool.serve.mcp.arguments import JsonType, TextType, ToolArgument
from memtool.serve.mcp.get import MOST_CHARACTERS
from memtool.serve.mcp.tool import WRITES, McpTool, ToolReply, recalled_text
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.memories.memories import ROLE, MemoryToolOptions, answer_command

_TEXT: Mapping[str, Any] = {"type": "string"}
_NUMBER: Mapping[str, Any] = {"type": "integer"}
_RANGE: Mapping[str, Any] = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}

ARGUMENTS = (
    ToolArgument("command", TextType(20, COMMANDS), f"One of {', '.join(COMMANDS)}.", required=True),
    ToolArgument("path", JsonType(_TEXT), "Path under /memories; required by every command except rename."),
    ToolArgument(
        "view_range",
        JsonType(_RANGE),
        "For view: the first and the last line to show; -1 as the last line means the end of the file.",
    ),
    ToolArgument("file_text", JsonType(_TEXT), "For create: the content of the new file."),
    ToolArgument(
        "old_str", JsonType(_TEXT), "For str_replace: the text to replace; it must occur exactly once."
    ),
    ToolArgument("new_str", JsonType(_TEXT), "For str_replace: the new text."),
    ToolArgument(
        "insert_line",
        JsonType(_NUMBER),
        "For insert: the line after which to insert the text; 0 means the start of the file.",
    ),
    ToolArgument("insert_text", JsonType(_TEXT), "For insert: the text to insert."),
    ToolArgument("old_path", JsonType(_TEXT), "For rename: the current path."),
    ToolArgument("new_path", JsonType(_TEXT), "For rename: the new path."),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Do what `memtool memories` does."""
    how = MemoryToolOptions(group=tool_context.write_group() or None, owner=tool_context.owner)
    record = {name: value for name, value in given.items() if value is not None}
    answered = answer_command(tool_context.workspace, record, how)
    words, is_error = answered.reply.content, answered.reply.is_error
    if given["command"] == "view" and not is_error:
        words = _portion(words)
    if answered.plan and not tool_context.workspace.writes:
        words += "\n(incognito: nothing was written)"
    return ToolReply(words, is_error=is_error)


def _portion(text: str) -> str:
    """The reply to a view, marked as recalled memory, and cut off like a reply of memory_get."""
    if len(text) <= MOST_CHARACTERS:
        return recalled_text(text)
    cut = text.rfind("\n", 0, MOST_CHARACTERS) + 1 or MOST_CHARACTERS
    return recalled_text(
        text[:cut], [f"only the first {cut:,} characters are shown; use view_range to read more"]
    )


TOOL = McpTool(
    "memory",
    "Edit memory files",
    "View a folder or a file under /memories, and create, edit, rename and delete your own files there. "
    "Use this tool for working notes; save individual facts with memory_save. Secrets are redacted.",
    ARGUMENTS,
    call,
    lane=WRITES,
    writes=True,
    destructive=True,
    idempotent=False,
    required_role=ROLE,
)
