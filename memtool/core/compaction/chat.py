"""Chat messages of the shapes in use (OpenAI, Anthropic, q15) as messages of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from memtool.core.records.turn import Message, Part, Reasoning, Text, ToolCall, ToolResult

_KNOWN = {"role", "content", "parts", "tool_calls", "tool_call_id"}
_KNOWN |= {"function_call", "refusal", "reasoning_content", "reasoning", "audio"}


class NotAMessage(ValueError):
    """A record that is no chat message of any known shape; says why."""


def messages_of(records: Iterable[Any]) -> Iterator[Message]:
    """The messages that chat records say, in their order. Raises NotAMessage with the number of the record.

    A record that holds both a tool's results and words (Anthropic's shape) becomes a message for each: the
    results that a user sends come first, those of tools that ran while the model spoke stay where they were.
    A message of q15's shape stays one.
    Shapes: https://platform.openai.com/docs/api-reference/chat, https://docs.anthropic.com/en/api/messages.
    """
    if not isinstance(records, Iterable):
        raise NotAMessage("the messages are not a list")
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
    if (own := record.get("parts")) is not None:
        yield Message(role, tuple(_q15_parts(own)), more)
        return
    parts = list(_parts(record, role))
    if role != "assistant":
        parts.sort(key=lambda part: not isinstance(part, ToolResult))
    said = False
    for results, run in groupby(parts, lambda part: isinstance(part, ToolResult)):
        said = True
        yield Message("tool" if results or role == "function" else role, tuple(run), more)
    if not said:
        yield Message(role, (), more)


def _parts(record: Mapping[str, Any], role: str) -> Iterator[Part]:
    content = record.get("content")
    if role in {"tool", "function"} and not _has_results(content):
        call = _text(record.get("tool_call_id") or record.get("name"), "tool_call_id")
        # Without the id of its call a result would be lost: it stays as what the tool said.
        yield ToolResult(call, plain(content)) if call.strip() else Text(plain(content))
        return
    thought = record.get("reasoning_content") or record.get("reasoning")
    if isinstance(thought, str):
        yield Reasoning(thought)
    yield from blocks(content)
    if isinstance(refusal := record.get("refusal"), str):
        yield Text(refusal)
    if isinstance(spoken := record.get("audio"), Mapping):
        words = spoken.get("transcript")
        yield Text(words if isinstance(words, str) else placeholder({"type": "audio", **spoken}))
    for call in _list(record.get("tool_calls"), "tool_calls"):
        yield _openai_call(call)
    if isinstance(old := record.get("function_call"), Mapping):
        name = _text(old.get("name"), "function_call")
        yield ToolCall(name, name, arguments_of(old.get("arguments")))


def _has_results(content: Any) -> bool:
    blocks = content if isinstance(content, Sequence) and not isinstance(content, str) else ()
    return any(isinstance(one, Mapping) and one.get("type") == "tool_result" for one in blocks)


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
        written = [block[key] for key in ("stdout", "stderr") if isinstance(block.get(key), str)]
        if written:
            return "\n".join(one for one in written if one)
        if isinstance(block.get("error_code"), str):
            return f"{block.get('type')}: {block['error_code']}"
        if "type" in block:
            return placeholder(block)
    return _json(block)


def placeholder(block: Mapping[str, Any]) -> str:
    """What stands for something that is no text: `[image: image/png, 5120 bytes]`, with its name if any.

    The size is that of the content itself, unpacked from base64, or else as it is said; the address is said
    where it is no more than one.
    """
    kind = (_first([block], "type") or "content").removeprefix("input_").removesuffix("_url")
    inner = next((block[key] for key in _INSIDE if block.get(key)), block)
    if isinstance(inner, str):
        inner = {"url": inner}
    both = [inner, block] if isinstance(inner, Mapping) else [block]
    media = _first(both, "media_type", "mimeType", "mime_type", "format")
    packed = _first(both, "data", "file_data", "base64")
    url = _first(both, "url", "file_id", "asset_pointer")
    if packed.startswith("data:") or url.startswith("data:"):
        head, _, packed = (packed if packed.startswith("data:") else url).partition(",")
        media, url = head[5:].partition(";")[0] or media, ""
    name = _first(both, "title", "filename", "file_name", "name")
    size = _size(packed, plainly=_first(both[:1], "type") == "text") if packed else _said_size(both)
    facts = ", ".join(fact for fact in (media, size, url) if fact)
    named = f"{kind} {name}" if name else kind
    return f"[{named}: {facts}]" if facts else f"[{named}]"


_INSIDE = ("source", "image_url", "input_audio", "file", "image")


def _first(mappings: Sequence[Mapping[str, Any]], *keys: str) -> str:
    """The first text that any of these keys has."""
    found = (one[key] for one in mappings for key in keys if isinstance(one.get(key), str) and one[key])
    return next(found, "")


def _size(packed: str, *, plainly: bool) -> str:
    """How much a text says, or what a base64 text holds."""
    if plainly:
        return f"{len(packed.encode('utf-8', 'surrogatepass'))} bytes"
    return f"{len(packed) * 3 // 4 - packed[-2:].count('=')} bytes"


def _said_size(mappings: Sequence[Mapping[str, Any]]) -> str:
    found = (one.get(key) for one in mappings for key in ("size_bytes", "size", "file_size"))
    said = next((size for size in found if isinstance(size, int) and not isinstance(size, bool)), None)
    return "" if said is None or not 0 <= said < 2**63 else f"{said} bytes"


def arguments_of(given: Any) -> str:
    """A tool call's arguments as JSON text: a text as it is, nothing as `{}`, anything else written out.

    Raises NotAMessage for what is nested too deeply to be written.
    """
    if given is None or given == "":
        return "{}"
    return given if isinstance(given, str) else _json(given)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError as error:
        raise NotAMessage("is nested too deeply") from error


def _openai_call(call: Any) -> ToolCall:
    function = call.get("function", call.get("custom", call)) if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        raise NotAMessage("has a tool call that is not an object")
    name = _text(function.get("name"), "tool call's name")
    given = function.get("arguments", function.get("input"))
    return ToolCall(_text(call.get("id"), "tool call's id"), name, arguments_of(given))


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
        raise NotAMessage(f"has a {key} field that is not a list")
    return value
