"""The table of tools, in the order in which clients show them, and which of them a server offers."""

from __future__ import annotations

from memtool.serve.mcp import append_daily, context, files, get, memories, recall, save, search
from memtool.serve.mcp.tool import Tool
from memtool.store.workspace import Workspace

TOOLS: tuple[Tool, ...] = (
    search.TOOL,
    get.TOOL,
    context.TOOL,
    recall.TOOL,
    files.TOOL,
    save.TOOL,
    append_daily.TOOL,
    memories.TOOL,
)


def offered(workspace: Workspace, group: str | None, *, read_only: bool) -> tuple[Tool, ...]:
    """The tools that a server offers for this workspace, group and mode."""
    return tuple(
        tool
        for tool in TOOLS
        if not (read_only and tool.writes)
        and (tool.for_groups or not group)
        and (tool.needs is None or workspace.has(tool.needs))
    )
