"""Chat messages of the shapes in use (OpenAI, Anthropic, q15) as messages of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memtool.core.turn import Message, Part, Reasoning, Text, ToolCall, ToolResult

_KNOWN = {"role", "content", "parts", "tool_calls", "tool_call_id"}
_KNOWN |= {"function_call", "refusal", "reasoning_content", "reasoning"}


class NotAMessage(ValueError):
    """A record that is no chat message of any known shape; says why."""


def messages_of(records: Iterable[Any]) -> Iterator[Message]:
    """The messages that chat records say, in their order. Raises NotAMessage with the number of the record.

    A record that holds both a tool's results and words of the user (Anthropic's shape) becomes two messages.
    Shapes: https://platform.openai.com/docs/api-reference/chat, https://docs.anthropic.com/en/api/messages.
    """
    for number, record in enumerate(records, 1):
        try:
            yield from message_of(record)
        except NotAMessage as error:
            raise NotAMessage(f"message {number} {error}") from error


def message_of(record: Any) -> Iterator[Message]:
    """The messages that one chat record says, keys that are not known kept. Raises NotAMessage."""
    if not isinstance(record, Mapping):
        raise NotAMessage("is not an object")
    role = record.get("role")
    if not isinstance(role, str) or not role.strip():
        raise NotAMessage("has no role")
    role = "system" if role.strip() == "developer" else role.strip()
    more = {key: value for key, value in record.items() if key not in _KNOWN}
    parts = list(_parts(record, role))
    results = tuple(part for part in parts if isinstance(part, ToolResult))
    others = tuple(part for part in parts if not isinstance(part, ToolResult))
    if results and others and role != "tool":
        yield Message("tool", results, more)
        yield Message(role, others, more)
    elif results:
        yield Message("tool", results, more)
    else:
        yield Message(role, others, more)


def _parts(record: Mapping[str, Any], role: str) -> Iterator[Part]:
    if (own := record.get("parts")) is not None:
        yield from _q15_parts(own)
        return
    content = record.get("content")
    if role in {"tool", "function"}:
        call = record.get("tool_call_id") or record.get("name") or ""
        yield ToolResult(_text(call, "tool_call_id"), plain(content))
        return
    thought = record.get("reasoning_content") or record.get("reasoning")
    if isinstance(thought, str):
        yield Reasoning(thought)
    yield from blocks(content)
    if isinstance(refusal := record.get("refusal"), str):
        yield Text(refusal)
    for call in _list(record.get("tool_calls"), "tool_calls"):
        yield _openai_call(call)
    if isinstance(old := record.get("function_call"), Mapping):
        name = _text(old.get("name"), "function_call")
        yield ToolCall(name, name, arguments_of(old.get("arguments")))


def blocks(content: Any) -> Iterator[Part]:
    """The parts of a message's content: a text, or a list of blocks. Raises NotAMessage.

    What is no text (images, sounds, files) leaves a placeholder with its type and size.
    """
    if content is None:
        return
    if isinstance(content, str):
        yield Text(content)
        return
    for one in _list(content, "content"):
        if isinstance(one, str):
            yield Text(one)
        elif isinstance(one, Mapping):
            yield from _block(one)
        else:
            raise NotAMessage("has a block in its content that is neither a text nor an object")


def _block(block: Mapping[str, Any]) -> Iterator[Part]:
    match block.get("type"):
        case "text" | "input_text" | "output_text":
            yield Text(_text(block.get("text"), "text"))
        case "refusal":
            yield Text(_text(block.get("refusal"), "refusal"))
        case "thinking" | "reasoning":
            replay = {"signature": block["signature"]} if block.get("signature") else {}
            yield Reasoning(_text(block.get("thinking", block.get("text")), "thinking"), replay)
        case "redacted_thinking":
            yield Reasoning("", {"redacted_thinking": block.get("data", "")})
        case "tool_use" | "server_tool_use" | "mcp_tool_use" | "toolCall":
            given = block.get("input", block.get("arguments"))
            name = _text(block.get("name"), "name")
            yield ToolCall(_text(block.get("id"), "id"), name, arguments_of(given))
        case str() as kind if kind.endswith("tool_result"):
            call = _text(block.get("tool_use_id"), "tool_use_id")
            yield ToolResult(call, plain(block.get("content")), block.get("is_error") is True)
        case _:
            yield Text(placeholder(block))


def plain(content: Any) -> str:
    """A tool result's content as one text: its texts a line each, placeholders for the rest."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(_plain_block(one) for one in content)
    return _plain_block(content)


def _plain_block(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, Mapping):
        if isinstance(block.get("text"), str):
            return str(block["text"])
        if "type" in block:
            return placeholder(block)
    return json.dumps(block, ensure_ascii=False)


def placeholder(block: Mapping[str, Any]) -> str:
    """What stands for something that is no text: `[image: image/png, 5120 bytes]`, with its name if any.

    The size is that of the content itself, unpacked from base64; where only an address is given, it is said.
    """
    kind = str(block.get("type") or "content").removeprefix("input_").removesuffix("_url")
    inner = next(
        (block[key] for key in ("source", "image_url", "input_audio", "file", "image") if key in block), block
    )
    if isinstance(inner, str):
        inner = {"url": inner}
    if not isinstance(inner, Mapping):
        inner = block
    media = next(
        (
            inner[key]
            for key in ("media_type", "mimeType", "mime_type", "format")
            if isinstance(inner.get(key), str)
        ),
        "",
    )
    packed = next(
        (inner[key] for key in ("data", "file_data", "base64") if isinstance(inner.get(key), str)), ""
    )
    url = next(
        (inner[key] for key in ("url", "file_id", "asset_pointer") if isinstance(inner.get(key), str)), ""
    )
    if url.startswith("data:"):
        head, _, packed = url.partition(",")
        media, url = head[5:].partition(";")[0], ""
    name = next((block[key] for key in ("title", "filename", "name") if isinstance(block.get(key), str)), "")
    said = [kind if not name else f"{kind} {name}"]
    facts = [media, f"{_unpacked(packed)} bytes" if packed else "", url]
    rest = ", ".join(fact for fact in facts if fact)
    return f"[{said[0]}: {rest}]" if rest else f"[{said[0]}]"


def arguments_of(given: Any) -> str:
    """A tool call's arguments as JSON text: a text as it is, nothing as `{}`, anything else written out."""
    if given is None or given == "":
        return "{}"
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _unpacked(packed: str) -> int:
    """How many bytes a base64 text holds."""
    return len(packed) * 3 // 4 - packed[-2:].count("=")


def _openai_call(call: Any) -> ToolCall:
    function = call.get("function", call.get("custom", call)) if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        raise NotAMessage("has a tool call that is not an object")
    name = _text(function.get("name"), "tool_calls")
    given = function.get("arguments", function.get("input"))
    return ToolCall(_text(call.get("id"), "tool_calls"), name, arguments_of(given))


def _q15_parts(parts: Any) -> Iterator[Part]:
    for part in _list(parts, "parts"):
        if not isinstance(part, Mapping):
            raise NotAMessage("has a part that is not an object")
        more = {key: value for key, value in part.items() if key not in _PART_KEYS}
        match part.get("type"):
            case "text":
                yield Text(
                    _text(part.get("text"), "text"), _text(part.get("disposition"), "disposition"), more
                )
            case "reasoning":
                replay = part.get("replay") or {}
                if not isinstance(replay, Mapping):
                    raise NotAMessage("has a replay that is not an object")
                yield Reasoning(_text(part.get("text"), "text"), replay, more)
            case "tool_call":
                given = arguments_of(part.get("arguments"))
                yield ToolCall(_text(part.get("id"), "id"), _text(part.get("name"), "name"), given, more)
            case "tool_result":
                call, content = _text(part.get("tool_call_id"), "tool_call_id"), plain(part.get("content"))
                yield ToolResult(call, content, part.get("is_error") is True, more)
            case _:
                yield Text(placeholder(part))


_PART_KEYS = {"type", "text", "disposition", "replay", "id", "name"}
_PART_KEYS |= {"arguments", "tool_call_id", "content", "is_error"}


def _text(value: Any, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NotAMessage(f"has a {key} that is not a text")
    return value


def _list(value: Any, key: str) -> Sequence[Any]:
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise NotAMessage(f"has {key} that are not a list")
    return value
