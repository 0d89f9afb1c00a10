"""`memory_append_daily`: appends a note to the daily note of a day."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from memtool.errors import BadUsage
from memtool.serve.mcp.arguments import TextType, ToolArgument
from memtool.serve.mcp.tool import WRITES, McpTool, ToolReply
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.capture.append_daily import append_daily

MOST_CHARACTERS = 10_000
"""Most characters of a note: a note that a model writes on purpose is not clipped as an exchange is."""


ARGUMENTS = (
    ToolArgument(
        "text",
        TextType(MOST_CHARACTERS),
        f"What happened, in a few lines of Markdown; up to {MOST_CHARACTERS:,} characters.",
        required=True,
        aliases=("content", "note", "entry"),
    ),
    ToolArgument(
        "date",
        TextType(10),
        "The day of the note, such as 2025-01-15 (default: today).",
        aliases=("day",),
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Do what `memtool append-daily` does with a note."""
    group = tool_context.write_group() or None
    workspace = tool_context.workspace
    moment = tool_context.now.astimezone(tool_context.zone)
    if given["date"] is not None:
        day = _day(given["date"])
        moment = moment.replace(year=day.year, month=day.month, day=day.day)
    appended = append_daily(
        workspace,
        user=None,
        agent=None,
        note=given["text"],
        at=moment,
        owner=tool_context.owner,
        full=True,
        group=group,
    )
    data: dict[str, Any] = {
        "status": "written" if workspace.writes else "incognito",
        "path": str(appended.path),
    }
    document = workspace.read(appended.path) if workspace.writes else None
    if document is not None and (place := document.text.rfind(appended.block)) >= 0:
        blank = len(appended.block) - len(appended.block.lstrip("\n"))
        data["line"] = document.text.count("\n", 0, place + blank) + 1
    return ToolReply(json.dumps(data, ensure_ascii=False), data)


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise BadUsage(f"date must be a day such as 2025-01-15, not {text!r}") from error
    if not 1000 <= day.year <= 9998:
        raise BadUsage(f"date {text!r} is outside the years 1000 to 9998")
    return day


TOOL = McpTool(
    "memory_append_daily",
    "Append to the daily note",
    "Append to the daily note what was done, what was decided and what is left open, so that the next "
    "session can continue. Existing text is never changed.",
    ARGUMENTS,
    call,
    lane=WRITES,
    writes=True,
    idempotent=False,
    required_role="daily-note",
    output_schema={
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["written", "incognito"]},
            "path": {"type": "string"},
            "line": {"type": "integer"},
        },
        "required": ["status", "path"],
        "additionalProperties": False,
    },
)
