"""`memory_save`: saves a fact for later sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memtool.serve.mcp.arguments import TextType, ToolArgument
from memtool.serve.mcp.tool import WRITES, McpTool, ToolReply
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.facts.fact_text import MAX_FACT_CHARS
from memtool.verbs.facts.save import save

ARGUMENTS = (
    ToolArgument(
        "content",
        TextType(MAX_FACT_CHARS),
        f"One fact as one self-contained sentence; up to {MAX_FACT_CHARS:,} characters.",
        required=True,
        aliases=("text", "fact", "memory", "value"),
    ),
    ToolArgument(
        "category",
        TextType(60),
        "The category, such as preference, goal or context (default: detected from the text).",
    ),
    ToolArgument(
        "key",
        TextType(200),
        "A key such as home_city; a later fact with the same key replaces this one.",
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Do what `memtool save` does."""
    tool_context.write_group()
    workspace = tool_context.workspace
    saved = save(
        workspace,
        given["content"],
        tool_context.fact_index(),
        at=tool_context.now.astimezone(tool_context.zone),
        owner=tool_context.owner,
        category=given["category"],
        key=given["key"],
    )
    status = saved.effect if workspace.writes else "incognito"
    data = {"status": status, "id": saved.id, "category": saved.category, "path": str(saved.path)}
    data["owner"] = str(saved.owner or "everybody")
    return ToolReply(json.dumps(data, ensure_ascii=False), data)


TOOL = McpTool(
    "memory_save",
    "Save a fact",
    "Save one durable fact (such as a preference, decision, name, date or setting) for later sessions. "
    "A fact that is already stored is not stored again; secrets are redacted. The result has a "
    "status: written, updated, merged, known (already stored), forgotten (not saved, because an "
    "earlier forget command removed it), or incognito (nothing was written).",
    ARGUMENTS,
    call,
    always_load=True,
    lane=WRITES,
    writes=True,
    required_role="semantic",
    for_groups=False,
    output_schema={
        "type": "object",
        "properties": {
            "status": {
                "type": "string",
                "enum": ["written", "updated", "merged", "known", "forgotten", "incognito"],
            },
            "id": {"type": "string"},
            "category": {"type": "string"},
            "path": {"type": "string"},
            "owner": {"type": "string"},
        },
        "required": ["status", "id", "category", "path", "owner"],
        "additionalProperties": False,
    },
)
