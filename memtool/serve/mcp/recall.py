"""`memory_recall`: finds the facts that answer a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtool.core.records.request import RecallRequest
from memtool.serve.mcp.argument import Argument, Text, Whole
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.tool import WRITES, Reply, Tool, noted, path_line, told
from memtool.verbs.facts.recall import recall

_FACTS = 5


ARGUMENTS = (
    Argument(
        "query",
        Text(2_000),
        "The question, or what the facts are about; up to 2,000 characters.",
        required=True,
        others=("q", "text", "question"),
    ),
    Argument("category", Text(60), "Only facts of this category, such as preference or goal."),
    Argument(
        "limit",
        Whole(1, 50),
        f"Facts at most, 1 to 50; {_FACTS} if left out.",
        others=("maxresults", "topk", "k", "n", "count"),
    ),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """Return what `memtool recall` prints."""
    limit = given["limit"] or _FACTS
    request = RecallRequest(given["query"], desk.owner_scope, desk.now, limit, given["category"])
    recalled_facts = recall(desk.workspace, request, desk.fact_shelf())
    if not recalled_facts.hits:
        failed = recalled_facts.is_unknown
        reason = "no fact that could be read answers this" if failed else "no fact answers this"
        return Reply(
            noted(f"{reason}; memory_search looks into everything", recalled_facts.notices), is_error=failed
        )
    lines = [f"{path_line(hit.path)}:{hit.line} ({hit.category}) {hit.text}" for hit in recalled_facts.hits]
    return Reply(told("\n".join(lines), recalled_facts.notices))


TOOL = Tool(
    "memory_recall",
    "Recall facts",
    "Recall single saved facts (people, preferences, goals, settings) by what they mean. Quicker and more "
    "exact than memory_search for a short question about one thing.",
    ARGUMENTS,
    call,
    lane=WRITES,
    needs="semantic",
    for_groups=False,
)
