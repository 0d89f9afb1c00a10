"""`memory_context`: the memory to inject into the next prompt, within a budget."""

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
"""Default budget in characters; Claude Code cuts longer results off at 10,000."""


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
    """Return what `memtool context` prints."""
    injection = injected(desk, given["query"], given["budgetChars"] or BUDGET)
    if not injection.text:
        text = "nothing that can be read belongs there" if injection.is_incomplete else "memory is empty"
        return Reply(noted(text, injection.notices), is_error=injection.is_incomplete)
    return Reply(noted(injection.text.rstrip("\n"), injection.notices))


def injected(desk: Desk, prompt: str, budget: int, *, standing: bool = True) -> ContextResponse:
    """The memory to inject before a prompt, of at most `budget` characters."""
    today = desk.now.astimezone(desk.zone).date()
    request = ContextRequest(prompt, desk.prompt_scope, today, budget, standing=standing)
    return _cited(context(desk.workspace, request, desk.shelf))


def _cited(injection: ContextResponse) -> ContextResponse:
    """The injection with snippets cited by path and first line, as `memory_get` takes them.

    A citation that would be longer than the original one is left as it is, to stay within the budget.
    """
    text = injection.text
    for rank, snippet in enumerate(injection.snippets, 1):
        place, citation = f"{snippet.source}:{snippet.shown}", f"{snippet.path}:{snippet.first}"
        if len(citation) <= len(place):
            text = text.replace(f"[{rank}] ({place}) ", f"[{rank}] ({citation}) ", 1)
    return replace(injection, text=text)


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
