"""`memory_context`: the memory to inject into the next prompt, within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from memtool.core.records.request import ContextRequest
from memtool.serve.mcp.arguments import IntegerType, TextType, ToolArgument
from memtool.serve.mcp.tool import SEARCHES, McpTool, ToolReply, with_notices
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.context.context import ContextResponse, context

DEFAULT_BUDGET = 8_000
"""Default budget in characters; Claude Code cuts longer results off at 10,000."""


ARGUMENTS = (
    ToolArgument(
        "query",
        TextType(20_000),
        "The user's message, or the last part of it; up to 20,000 characters.",
        required=True,
        aliases=("q", "prompt", "text", "message"),
    ),
    ToolArgument(
        "budgetChars",
        IntegerType(200, 50_000),
        f"Maximum number of characters, 200 to 50,000 (default: {DEFAULT_BUDGET:,}).",
        aliases=("budget", "maxchars", "limit"),
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Return what `memtool context` prints."""
    injection = inject(tool_context, given["query"], given["budgetChars"] or DEFAULT_BUDGET)
    if not injection.text:
        text = (
            "no memory was loaded, and some files could not be read"
            if injection.is_incomplete
            else "memory is empty"
        )
        return ToolReply(with_notices(text, injection.notices), is_error=injection.is_incomplete)
    return ToolReply(with_notices(injection.text.rstrip("\n"), injection.notices))


def inject(tool_context: ToolContext, prompt: str, budget: int, *, standing: bool = True) -> ContextResponse:
    """The memory to inject before a prompt, of at most `budget` characters."""
    today = tool_context.now.astimezone(tool_context.zone).date()
    request = ContextRequest(
        prompt,
        tool_context.prompt_scope,
        today,
        budget,
        standing=standing,
        session=tool_context.session_name,
    )
    return _with_short_citations(context(tool_context.workspace, request, tool_context.search_indexes))


def _with_short_citations(injection: ContextResponse) -> ContextResponse:
    """The injection with snippets cited by path and first line, as `memory_get` takes them.

    A citation that would be longer than the original one is left as it is, to stay within the budget.
    """
    text = injection.text
    for rank, snippet in enumerate(injection.snippets, 1):
        place, citation = f"{snippet.source}:{snippet.shown}", f"{snippet.path}:{snippet.first}"
        if len(citation) <= len(place):
            text = text.replace(f"[{rank}] ({place}) ", f"[{rank}] ({citation}) ", 1)
    return replace(injection, text=text)


TOOL = McpTool(
    "memory_context",
    "Load memory for a prompt",
    "Load, in one call, the memory needed for the next reply: the user's profile, the rules, the current "
    "state, and the passages that match the query. Use this tool once at the start of a task, unless memory "
    "is already in the prompt.",
    ARGUMENTS,
    call,
    lane=SEARCHES,
)
