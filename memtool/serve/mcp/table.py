"""The table of tools, in the order in which clients show them, and which of them a server offers."""

from __future__ import annotations

from memtool.serve.mcp import append_daily, context, get, list_files, memories, recall, save, search
from memtool.serve.mcp.tool import McpTool
from memtool.store.workspace import Workspace

TOOLS: tuple[McpTool, ...] = (
    search.TOOL,
    get.TOOL,
    context.TOOL,
    recall.TOOL,
    list_files.TOOL,
    save.TOOL,
    append_daily.TOOL,
    memories.TOOL,
)


def offered_tools(workspace: Workspace, group: str | None, *, read_only: bool) -> tuple[McpTool, ...]:
    """The tools that a server offers for this workspace, group and mode."""
    return tuple(
        tool
        for tool in TOOLS
        if not (read_only and tool.writes)
        and (tool.for_groups or not group)
        and (tool.required_role is None or workspace.has(tool.required_role))
    )
