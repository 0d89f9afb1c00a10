"""`memory_recall`: finds the facts that answer a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.records.request import RecallRequest
from memtool.core.text.clean import path_line
from memtool.serve.mcp.arguments import IntegerType, TextType, ToolArgument
from memtool.serve.mcp.tool import WRITES, McpTool, ToolReply, recalled_text, with_notices
from memtool.serve.mcp.tool_context import ToolContext
from memtool.verbs.facts.recall import recall, shown_facts

_DEFAULT_LIMIT = 5


ARGUMENTS = (
    ToolArgument(
        "query",
        TextType(2_000),
        "A question or topic; up to 2,000 characters.",
        required=True,
        aliases=("q", "text", "question"),
    ),
    ToolArgument("category", TextType(60), "Only facts in this category, such as preference or goal."),
    ToolArgument(
        "limit",
        IntegerType(1, 50),
        f"Maximum number of facts, 1 to 50 (default: {_DEFAULT_LIMIT}).",
        aliases=("maxresults", "topk", "k", "n", "count"),
    ),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Return what `memtool recall` prints."""
    limit = given["limit"] or _DEFAULT_LIMIT
    request = RecallRequest(
        given["query"], tool_context.owner_scope, tool_context.now, limit, given["category"]
    )
    recalled_facts = recall(tool_context.workspace, request, tool_context.fact_index())
    if not recalled_facts.hits:
        failed = recalled_facts.is_unknown
        reason = "no fact matches, but some facts could not be read" if failed else "no fact matches"
        return ToolReply(
            with_notices(f"{reason}; search all of memory with memory_search", recalled_facts.notices),
            is_error=failed,
        )
    hits = recalled_facts.hits
    texts = shown_facts(tool_context.workspace, hits)
    lines = [
        f"{path_line(hit.path)}:{hit.line} ({hit.category}) {text}"
        for hit, text in zip(hits, texts, strict=True)
    ]
    return ToolReply(recalled_text("\n".join(lines), recalled_facts.notices))


TOOL = McpTool(
    "memory_recall",
    "Recall facts",
    "Recall the saved facts (people, preferences, goals, settings) that answer a question. Faster and "
    "more precise than memory_search for a short question about one thing.",
    ARGUMENTS,
    call,
    lane=WRITES,
    required_role="semantic",
    for_groups=False,
)
