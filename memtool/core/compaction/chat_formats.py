"""Chat formats: messages in the formats of OpenAI, Anthropic and q15, parsed as messages of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult

_MESSAGE_KEYS = {"role", "content", "parts", "tool_calls", "tool_call_id"}
_MESSAGE_KEYS |= {"function_call", "refusal", "reasoning_content", "reasoning", "audio"}
_CONTENT_KEYS = _MESSAGE_KEYS - {"role"}
"""The keys of a message that may hold what it says; a tool's result may be empty."""


MESSAGE_FORM = 'give messages such as {"role": "user", "content": "hello"}'
"""The form of the messages of a conversation, for error messages."""


class InvalidChatMessage(ValueError):
    """A record is not a chat message in any known format; the text is the reason."""


def parse_messages(records: Iterable[Any]) -> Iterator[Message]:
    """Parse chat records, in order. Raises InvalidChatMessage with the number of the record.

    A record with both tool results and text (Anthropic's format) becomes one message for each: the results
    in a user's record come first, those of server tools in an assistant's record stay in place. A record in
    q15's format is always one message.
    Formats: https://platform.openai.com/docs/api-reference/chat, https://docs.anthropic.com/en/api/messages.
    """
    if not isinstance(records, Iterable):
        raise InvalidChatMessage("the messages are not a list")
    for number, record in enumerate(records, 1):
        try:
            yield from parse_input_message(record)
        except InvalidChatMessage as error:
            raise InvalidChatMessage(f"message {number} {error}") from error


def parse_input_message(record: Any) -> Iterator[Message]:
    """As `parse_message`, for a record that somebody gives: its content may be empty, but not missing.

    Raises InvalidChatMessage.
    """
    yield from parse_message(record)
    if not _CONTENT_KEYS & record.keys():
        raise InvalidChatMessage("has no 'content'")


def parse_message(record: Any) -> Iterator[Message]:
    """Parse one chat record; unknown keys are preserved. Raises InvalidChatMessage."""
    if not isinstance(record, Mapping):
        raise InvalidChatMessage("is not an object")
    role = record.get("role")
    if not isinstance(role, str) or not role.strip():
        raise InvalidChatMessage("has no role")
    role = "system" if role.strip() == "developer" else role.strip()
    more = {key: value for key, value in record.items() if key not in _MESSAGE_KEYS}
    if (record_parts := record.get("parts")) is not None:
        yield Message(role, tuple(_q15_parts(record_parts)), more)
        return
    parts = list(_parts(record, role))
    if role != "assistant":
        parts.sort(key=lambda part: not isinstance(part, ToolResult))
    is_any = False
    for results, group in groupby(parts, lambda part: isinstance(part, ToolResult)):
        is_any = True
        yield Message("tool" if results or role == "function" else role, tuple(group), more)
    if not is_any:
        yield Message(role, (), more)


def _parts(record: Mapping[str, Any], role: str) -> Iterator[MessagePart]:
    content = record.get("content")
    if role in {"tool", "function"} and not _has_results(content):
        call = _text(record.get("tool_call_id") or record.get("name"), "tool_call_id")
        # A tool result needs the id of its call; without one it is kept as text.
        yield ToolResult(call, content_text(content)) if call.strip() else TextPart(content_text(content))
        return
    reasoning = record.get("reasoning_content") or record.get("reasoning")
    if isinstance(reasoning, str):
        yield ReasoningPart(reasoning)
    yield from content_parts(content)
    if isinstance(refusal := record.get("refusal"), str):
        yield TextPart(refusal)
    if isinstance(audio := record.get("audio"), Mapping):
        transcript = audio.get("transcript")
        yield TextPart(transcript if isinstance(transcript, str) else placeholder({"type": "audio", **audio}))
    for call in _list(record.get("tool_calls"), "tool_calls"):
        yield _openai_call(call)
    if isinstance(function_call := record.get("function_call"), Mapping):
        name = _text(function_call.get("name"), "function_call.name")
        yield ToolCall(name, name, arguments_json(function_call.get("arguments")))


def _has_results(content: Any) -> bool:
    blocks = content if isinstance(content, Sequence) and not isinstance(content, str) else ()
    return any(isinstance(block, Mapping) and block.get("type") == "tool_result" for block in blocks)


def content_parts(content: Any) -> Iterator[MessagePart]:
    """The parts of a message's content, which is a text or a list of blocks. Raises InvalidChatMessage.

    Images, audio and files become placeholders with their type and size.
    """
    if content is None:
        return
    if isinstance(content, str):
        yield TextPart(content)
        return
    if not isinstance(content, Sequence):
        raise InvalidChatMessage("has a 'content' that is neither text nor a list")
    for block in content:
        if isinstance(block, str):
            yield TextPart(block)
        elif isinstance(block, Mapping):
            yield from _block(block)
        else:
            raise InvalidChatMessage("has a content block that is neither a string nor an object")


def _block(block: Mapping[str, Any]) -> Iterator[MessagePart]:
    match block.get("type"):
        case "text" | "input_text" | "output_text":
            yield TextPart(_text(block.get("text"), "text"))
        case "refusal":
            yield TextPart(_text(block.get("refusal"), "refusal"))
        case "thinking" | "reasoning":
            replay = {"signature": block["signature"]} if block.get("signature") else {}
            yield ReasoningPart(_text(block.get("thinking", block.get("text")), "thinking"), replay)
        case "redacted_thinking":
            yield ReasoningPart("", {"redacted_thinking": block.get("data", "")})
        case "tool_use" | "server_tool_use" | "mcp_tool_use" | "toolCall":
            given = block.get("input", block.get("arguments"))
            name = _text(block.get("name"), "name")
            yield ToolCall(_text(block.get("id"), "id"), name, arguments_json(given))
        case str() as kind if kind.endswith("tool_result"):
            call = _text(block.get("tool_use_id"), "tool_use_id")
            yield ToolResult(call, content_text(block.get("content")), block.get("is_error") is True)
        case _:
            yield TextPart(placeholder(block))


def content_text(content: Any) -> str:
    """The content of a tool result as one text: one line for each block, placeholders for non-text blocks."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(_block_text(one) for one in content)
    return _block_text(content)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, Mapping):
        if isinstance(block.get("text"), str):
            return str(block["text"])
        outputs = [block[key] for key in ("stdout", "stderr") if isinstance(block.get(key), str)]
        if outputs:
            return "\n".join(output for output in outputs if output)
        if isinstance(block.get("error_code"), str):
            return f"{block.get('type')}: {block['error_code']}"
        if "type" in block:
            return placeholder(block)
    return _json(block)


def placeholder(block: Mapping[str, Any]) -> str:
    """The placeholder of a non-text block: `[image: image/png, 5120 bytes]`, with its name if it has one.

    The size is that of the decoded content, or else the one that the block states; a URL is included unless
    it is a `data:` URL.
    """
    kind = (_first([block], "type") or "content").removeprefix("input_").removesuffix("_url")
    inner = next((block[key] for key in _NESTED_KEYS if block.get(key)), block)
    if isinstance(inner, str):
        inner = {"url": inner}
    mappings = [inner, block] if isinstance(inner, Mapping) else [block]
    media_type = _first(mappings, "media_type", "mimeType", "mime_type", "format")
    encoded = _first(mappings, "data", "file_data", "base64")
    url = _first(mappings, "url", "file_id", "asset_pointer")
    if encoded.startswith("data:") or url.startswith("data:"):
        head, _, encoded = (encoded if encoded.startswith("data:") else url).partition(",")
        media_type, url = head[5:].partition(";")[0] or media_type, ""
    name = _first(mappings, "title", "filename", "file_name", "name")
    size = (
        _size(encoded, is_plain_text=_first(mappings[:1], "type") == "text")
        if encoded
        else _stated_size(mappings)
    )
    facts = ", ".join(fact for fact in (media_type, size, url) if fact)
    named = f"{kind} {name}" if name else kind
    return f"[{named}: {facts}]" if facts else f"[{named}]"


_NESTED_KEYS = ("source", "image_url", "input_audio", "file", "image")


def _first(mappings: Sequence[Mapping[str, Any]], *keys: str) -> str:
    """The first non-empty string under any of these keys."""
    values = (mapping.get(key) for mapping in mappings for key in keys)
    return next((value for value in values if isinstance(value, str) and value), "")


def _size(encoded: str, *, is_plain_text: bool) -> str:
    """The size of a plain text, or of the content that a base64 text encodes."""
    if is_plain_text:
        return f"{len(encoded.encode('utf-8', 'surrogatepass'))} bytes"
    return f"{len(encoded) * 3 // 4 - encoded[-2:].count('=')} bytes"


def _stated_size(mappings: Sequence[Mapping[str, Any]]) -> str:
    sizes = (mapping.get(key) for mapping in mappings for key in ("size_bytes", "size", "file_size"))
    size = next((size for size in sizes if isinstance(size, int) and not isinstance(size, bool)), None)
    return "" if size is None or not 0 <= size < 2**63 else f"{size} bytes"


def arguments_json(arguments: Any) -> str:
    """A tool call's arguments as JSON text: a string unchanged, none as `{}`, any other value serialized.

    Raises InvalidChatMessage for a value that is nested too deeply.
    """
    if arguments is None or arguments == "":
        return "{}"
    return arguments if isinstance(arguments, str) else _json(arguments)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError as error:
        raise InvalidChatMessage("is nested too deeply") from error


def _openai_call(call: Any) -> ToolCall:
    function = call.get("function", call.get("custom", call)) if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        raise InvalidChatMessage("has a tool call or function that is not an object")
    name = _text(function.get("name"), "tool_calls.name")
    given = function.get("arguments", function.get("input"))
    return ToolCall(_text(call.get("id"), "tool_calls.id"), name, arguments_json(given))


def _q15_parts(parts: Any) -> Iterator[MessagePart]:
    for part in _list(parts, "parts"):
        if not isinstance(part, Mapping):
            raise InvalidChatMessage("has a part that is not an object")
        more = {key: value for key, value in part.items() if key not in _PART_KEYS}
        match part.get("type"):
            case "text":
                yield TextPart(
                    _text(part.get("text"), "text"), _text(part.get("disposition"), "disposition"), more
                )
            case "reasoning":
                replay = part.get("replay") or {}
                if not isinstance(replay, Mapping):
                    raise InvalidChatMessage("has a field 'replay' that is not an object")
                yield ReasoningPart(_text(part.get("text"), "text"), replay, more)
            case "tool_call":
                given = arguments_json(part.get("arguments"))
                yield ToolCall(_text(part.get("id"), "id"), _text(part.get("name"), "name"), given, more)
            case "tool_result":
                call, content = (
                    _text(part.get("tool_call_id"), "tool_call_id"),
                    content_text(part.get("content")),
                )
                yield ToolResult(call, content, part.get("is_error") is True, more)
            case _:
                yield TextPart(placeholder(part))


_PART_KEYS = {"type", "text", "disposition", "replay", "id", "name"}
_PART_KEYS |= {"arguments", "tool_call_id", "content", "is_error"}


def _text(value: Any, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidChatMessage(f"has a field {key!r} that is not a string")
    return value


def _list(value: Any, key: str) -> Sequence[Any]:
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidChatMessage(f"has a field {key!r} that is not a list")
    return value
