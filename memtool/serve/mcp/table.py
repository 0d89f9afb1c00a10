"""Every tool, in the order in which a client shows them, and which of them a server has."""

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
    """The tools that this workspace can serve, for a group if the server acts for one."""
    return tuple(
        tool
        for tool in TOOLS
        if not (read_only and tool.writes)
        and (tool.for_groups or not group)
        and (tool.needs is None or workspace.has(tool.needs))
    )
