"""`memory_context`: what of memory belongs in the next prompt, within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from memtool.core.records.request import ContextRequest
from memtool.serve.mcp.argument import Argument, Text, Whole
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.tool import SEARCHES, Reply, Tool, noted
from memtool.verbs.context.context import ContextResponse, context

BUDGET = 8_000
"""Characters: what an agent puts before its model without cutting it off (Claude Code cuts at 10,000)."""


ARGUMENTS = (
    Argument(
        "query",
        Text(20_000),
        "What comes next in the conversation: the user's message, or its end; up to 20,000 characters.",
        required=True,
        others=("q", "prompt", "text", "message"),
    ),
    Argument(
        "budgetChars",
        Whole(200, 50_000),
        f"Characters at most, 200 to 50,000; {BUDGET:,} if left out.",
        others=("budget", "maxchars", "limit"),
    ),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """Ask what `memtool context` prints."""
    found = injected(desk, given["query"], given["budgetChars"] or BUDGET)
    if not found.text:
        text = "nothing that can be read belongs there" if found.is_incomplete else "memory is empty"
        return Reply(noted(text, found.notices), is_error=found.is_incomplete)
    return Reply(noted(found.text.rstrip("\n"), found.notices))


def injected(desk: Desk, prompt: str, budget: int, *, standing: bool = True) -> ContextResponse:
    """What belongs before a prompt, within so many characters."""
    today = desk.now.astimezone(desk.zone).date()
    request = ContextRequest(prompt, desk.prompt_scope, today, budget, standing=standing)
    return _cited(context(desk.workspace, request, desk.shelf))


def _cited(found: ContextResponse) -> ContextResponse:
    """The same, each snippet by path and first line where that is no longer: what `memory_get` takes."""
    text = found.text
    for rank, one in enumerate(found.snippets, 1):
        place, cited = f"{one.source}:{one.shown}", f"{one.path}:{one.first}"
        if len(cited) <= len(place):
            text = text.replace(f"[{rank}] ({place}) ", f"[{rank}] ({cited}) ", 1)
    return replace(found, text=text)


TOOL = Tool(
    "memory_context",
    "Load memory for a prompt",
    "Load what memory has for this point of the conversation in one call: who the user is, rules, current "
    "state, and the passages that fit the query. Use it once at the start of a task, unless memory is in "
    "the prompt already.",
    ARGUMENTS,
    call,
    lane=SEARCHES,
)
