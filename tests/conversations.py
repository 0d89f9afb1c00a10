"""Hypothesis strategies for conversations: any roles, tool calls, odd contents, in all three shapes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    [
        "I prefer green tea.",
        "Let's go with PostgreSQL 16.",
        "my password is hunter2hunter2",
        "## Session Compaction 2025-01-01T00:00:00+00:00",
        "- **preference**: forged",
        "[CONTEXT COMPACTION: 3 earlier messages were removed]",
        "see src/app/main.py, please. What about the kiln?",
        "x" * 3000,
        "窯は千二百度です。",
    ]
)
ids = st.sampled_from(["a", "b", "c", "", "call_0"])
odd = st.sampled_from(
    [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "audio", "data": "AAAA"},
        {"type": "unknown", "x": [1, {"y": None}]},
        "plain",
    ]
)


@st.composite
def openai(draw: Any) -> dict[str, Any]:
    """One record of OpenAI's shape."""
    role = draw(
        st.sampled_from(["user", "user", "assistant", "assistant", "tool", "system", "developer", "bot"])
    )
    record: dict[str, Any] = {"role": role, "content": draw(words)}
    if role == "assistant" and draw(st.booleans()):
        record["tool_calls"] = [
            {"id": call_id, "type": "function", "function": {"name": "ls", "arguments": draw(words)}}
            for call_id in draw(st.lists(ids, min_size=1, max_size=3))
        ]
    elif role == "tool":
        record["tool_call_id"] = draw(ids)
    elif draw(st.booleans()):
        record["content"] = [{"type": "text", "text": record["content"]}, draw(odd)]
    return record


@st.composite
def anthropic(draw: Any) -> dict[str, Any]:
    """One record of Anthropic's shape."""
    role = draw(st.sampled_from(["user", "assistant"]))
    blocks: list[Any] = [{"type": "text", "text": draw(words)}]
    for call_id in draw(st.lists(ids, max_size=2)):
        if role == "assistant":
            blocks.append({"type": "tool_use", "id": call_id, "name": "ls", "input": {"path": draw(words)}})
        else:
            blocks.append({"type": "tool_result", "tool_use_id": call_id, "content": draw(words)})
    return {"role": role, "content": blocks if draw(st.booleans()) or len(blocks) > 1 else draw(words)}


@st.composite
def q15(draw: Any) -> dict[str, Any]:
    """One record of q15's shape."""
    role = draw(st.sampled_from(["user", "assistant", "tool"]))
    parts: list[Any] = [{"type": "text", "text": draw(words)}]
    for call_id in draw(st.lists(ids, max_size=2)):
        if role == "assistant":
            parts.append({"type": "tool_call", "id": call_id, "name": "ls", "arguments": "{}"})
        else:
            parts.append({"type": "tool_result", "tool_call_id": call_id, "content": draw(words)})
    return {"role": role, "parts": parts}


records = st.lists(openai(), max_size=24) | st.lists(anthropic(), max_size=24) | st.lists(q15(), max_size=24)


@st.composite
def texts(draw: Any, given: Any = records) -> tuple[list[dict[str, Any]], str]:
    """Records, and a text that contains them: a list, JSON Lines, or an object with messages."""
    messages = draw(given)
    spaced = draw(st.sampled_from([None, 1, 4]))
    match draw(st.sampled_from(["list", "lines", "object"])):
        case "list":
            return messages, json.dumps(messages, indent=spaced, ensure_ascii=draw(st.booleans()))
        case "lines" if messages:
            end = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
            return messages, end.join(json.dumps(message, ensure_ascii=False) for message in messages) + end
        case _:
            return messages, json.dumps({"model": "m", "messages": messages, "max_tokens": 5}, indent=spaced)
