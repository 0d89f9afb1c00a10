"""Messages in the format of Google's Gen AI API (`parts`), which Gemini CLI and Qwen Code store.

Format: https://ai.google.dev/api/caching#Content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memtool.core.compaction.chat_formats import (
    InvalidChatMessage,
    arguments_json,
    content_text,
    placeholder,
)
from memtool.core.privacy.recalled import without_hook_context
from memtool.core.records.turn import MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.json_lines import text_of


def genai_parts(content: Any) -> Iterator[MessagePart]:
    """The parts of a content: a text, a part, or a list of either. Raises InvalidChatMessage.

    Media become placeholders with their type and size.
    """
    if content is None:
        return
    if isinstance(content, str):
        yield TextPart(content)
    elif isinstance(content, Mapping):
        yield from _part(content)
    elif isinstance(content, Sequence):
        for part in content:
            if not isinstance(part, str | Mapping):
                raise InvalidChatMessage("has a part that is neither a string nor an object")
            yield from genai_parts(part)
    else:
        raise InvalidChatMessage("has a field 'parts' that is not a list")


def without_hook_parts(parts: Iterable[MessagePart]) -> list[MessagePart]:
    """The parts of a user's message without what the agent put there for its hooks."""
    kept: list[MessagePart] = []
    for part in parts:
        text = without_hook_context(part.text) if isinstance(part, TextPart) else ""
        if not isinstance(part, TextPart) or text == part.text:
            kept.append(part)
        elif text.strip():
            kept.append(TextPart(text))
    return kept


def _part(part: Mapping[str, Any]) -> Iterator[MessagePart]:
    call, response = part.get("functionCall"), part.get("functionResponse")
    if isinstance(call, Mapping):
        name = text_of(call, "name")
        yield ToolCall(text_of(call, "id") or name, name, arguments_json(call.get("args")))
    elif isinstance(response, Mapping):
        yield genai_result(response)
    elif isinstance(part.get("text"), str):
        yield ReasoningPart(part["text"]) if part.get("thought") is True else TextPart(part["text"])
    else:
        for media in (part.get("inlineData"), part.get("fileData")):
            if isinstance(media, Mapping):
                yield TextPart(placeholder({"type": "file", **media, "url": media.get("fileUri")}))


def genai_result(response: Mapping[str, Any], call: str = "") -> ToolResult:
    """The result in a function response; `call` is the id of its call where that is known."""
    value = response.get("response")
    failed = False
    if isinstance(value, Mapping):
        failed = "error" in value and "output" not in value
        value = value.get("error" if failed else "output", value.get("content", value))
    call = call or text_of(response, "id") or text_of(response, "name")
    return ToolResult(call, content_text(value), failed)
