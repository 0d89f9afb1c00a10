"""`memory_search`: finds passages, printed with their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtool.core.records.hit import Hit
from memtool.core.records.search import SearchArguments
from memtool.core.text.clean import path_line
from memtool.core.text.sanitise import clip
from memtool.serve.mcp.arguments import IntegerType, TextListType, TextType, ToolArgument
from memtool.serve.mcp.tool import SEARCHES, McpTool, ToolReply, recalled_text, with_notices
from memtool.serve.mcp.tool_context import ToolContext

DEFAULT_LIMIT = 8
"""The default number of hits."""
_MAX_EACH, _MAX_ALL = 700, 8_000
"""Most characters of a passage, and of all passages."""
_DAY = "such as 2025-01-15, yesterday, 30d or 2w (30 days or 2 weeks ago)"


ARGUMENTS = (
    ToolArgument(
        "query",
        TextType(2_000),
        "The query, in plain words; up to 2,000 characters.",
        required=True,
        aliases=("q", "text", "search", "question"),
    ),
    ToolArgument(
        "maxResults",
        IntegerType(1, 50),
        f"Maximum number of passages, 1 to 50 (default: {DEFAULT_LIMIT}).",
        aliases=("topk", "limit", "k", "n", "count", "numresults"),
    ),
    ToolArgument(
        "roles",
        TextListType(),
        "Only passages with these roles, such as long-term, daily-note, note, semantic, episode or turn "
        "(past messages); default: all.",
        aliases=("role",),
    ),
    ToolArgument("since", TextType(20), f"Only entries dated on or after the given day, {_DAY}."),
    ToolArgument(
        "speakers",
        TextListType(),
        "Only messages from these speakers: user, assistant, or a name.",
        aliases=("speaker",),
    ),
    ToolArgument(
        "sessions", TextListType(), "Only messages from the sessions with these ids.", aliases=("session",)
    ),
    ToolArgument("chats", TextListType(), "Only messages from the chats with these ids.", aliases=("chat",)),
    ToolArgument("until", TextType(20), f"Only entries dated on or before the given day, {_DAY}."),
)


def call(tool_context: ToolContext, given: Mapping[str, Any]) -> ToolReply:
    """Search as `memtool search` does."""
    arguments = SearchArguments(
        given["query"],
        roles=tuple(given["roles"] or ()),
        since=given["since"],
        until=given["until"],
        limit=given["maxResults"] or DEFAULT_LIMIT,
        sessions=tuple(given["sessions"] or ()),
        speakers=tuple(given["speakers"] or ()),
        chats=tuple(given["chats"] or ()),
    )
    response = tool_context.search(arguments)
    if not response.hits:
        text = "no match, but some files could not be read" if response.is_unknown else "no match in memory"
        return ToolReply(with_notices(text, response.notices), is_error=response.is_unknown)
    return ToolReply(recalled_text(passages(response.hits), response.notices))


def passages(hits: Sequence[Hit]) -> str:
    """The hits as blocks, best first: a line with place, role and date, then the passage."""
    blocks: list[str] = []
    left = _MAX_ALL
    for number, hit in enumerate(hits):
        most = max(200, min(_MAX_EACH, left // (len(hits) - number)))
        text = _passage(hit, most)
        left -= len(text)
        blocks.append(f"{_place(hit)}\n{text}")
    return "\n\n".join(blocks)


def _place(hit: Hit) -> str:
    """The place of a hit. A turn is named by its number, because no tool of the server reads its file."""
    if hit.source == "transcript":
        about = [hit.speaker, hit.at, hit.group and f"group {hit.group}"]
        return f"turn {hit.seq} ({', '.join(filter(None, about))})"
    last = hit.end_line
    first = max(1, min(hit.line, last - hit.text.count("\n")))
    lines = str(first) if first >= last else f"{first}-{last}"
    date = hit.date.isoformat() if hit.date else ""
    day = date if date not in hit.path else ""
    return f"{path_line(hit.path)}:{lines} ({', '.join(filter(None, (hit.role, day)))})"


def _passage(hit: Hit, most: int) -> str:
    """The passage, of at most `most` characters; if its snippet starts in the second half, from there on."""
    text = hit.text.strip("\n")
    if len(text) <= most:
        return text
    start = text.find(hit.snippet.strip("…"))
    return clip(text if start < most // 2 else f"…{text[start:]}", most)


TOOL = McpTool(
    "memory_search",
    "Search memory",
    "Search all of memory: long-term memory, facts, notes, daily notes, and messages from "
    "earlier conversations. Returns the best passages, each with its path:lines or its turn number. Use "
    "this tool before answering anything that may depend on earlier work, decisions, people, dates or "
    'preferences. Plain words work best; "a phrase", -exclude and prefix* work too.',
    ARGUMENTS,
    call,
    always_load=True,
    lane=SEARCHES,
)
