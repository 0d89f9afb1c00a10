"""Tools: the description of one, its reply, and the formatting of notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from memtool.core.privacy.recalled import tag_recalled
from memtool.serve.mcp.arguments import ToolArgument
from memtool.serve.mcp.tool_context import ToolContext

SEARCHES = "searches"
"""The lane of calls that use the indexes of documents and turns."""
WRITES = "writes"
"""The lane of calls that use the index of facts or hold the workspace's lock."""


class ToolReply(Struct, frozen=True):
    """The reply of a tool: a text, and optionally the same content as structured data.

    Claude Code and Codex show their models only the data if there is any, OpenClaw shows both.
    """

    text: str
    data: Mapping[str, Any] | None = None
    is_error: bool = False


class McpTool(Struct, frozen=True):
    """One tool. Calls of one `lane` run one after another; calls without a lane run concurrently.

    A server offers it if the layout has the role `required_role`, and to a group only if `for_groups`.
    `always_load` asks clients that load descriptions on demand to load this one at once. `idempotent` means
    idempotent: another call with the same arguments changes nothing more. `output_schema` is the schema of
    the reply's data.
    """

    name: str
    title: str
    description: str
    arguments: tuple[ToolArgument, ...]
    call: Callable[[ToolContext, Mapping[str, Any]], ToolReply]
    always_load: bool = False
    lane: str | None = None
    writes: bool = False
    destructive: bool = False
    idempotent: bool = True
    required_role: str | None = None
    for_groups: bool = True
    output_schema: Mapping[str, Any] | None = None


def recalled_text(text: str, notices: Iterable[str] = ()) -> str:
    """Text from memory, cleaned and marked as recalled so that it is not stored again, with notices."""
    rest = "".join(f"\nnote: {notice}" for notice in dict.fromkeys(notices))
    return tag_recalled(text).rstrip("\n") + rest


def with_notices(text: str, notices: Iterable[str]) -> str:
    """A message of the server, followed by notices."""
    return "\n".join([text, *(f"note: {notice}" for notice in dict.fromkeys(notices))])
