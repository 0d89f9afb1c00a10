"""ChatGPT's export: conversations.json, in which each conversation is a tree of messages.

OpenAI publishes no description of it: what is read is what exports have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat_formats import placeholder
from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import (
    ImportedFact,
    ImportedTurn,
    SkippedRecord,
    TranscriptItem,
    TranscriptSource,
)
from memtool.transcripts.turn_builder import TurnBuilder, branch_to, id_of, parse_time, with_id_and_time

NAME = "chatgpt"

_NOT_TOOLS = {"", "all", "user", "assistant"}
"""Recipients that are not tools."""
_MEMORY_TOOL = "bio"
"""The tool with which ChatGPT stores memories about its user."""
_CONTEXT_TYPES = ["user_editable_context", "model_editable_context"]
"""Content types of custom instructions and memories, which are not part of the conversation itself."""
_FAILED = "failed"
"""The beginning of the status of code that was run and failed."""


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such an export, or one conversation of it."""
    return any(
        isinstance(record, Mapping) and isinstance(record.get("mapping"), Mapping)
        for record in sample_records(source)
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of each conversation's current branch, its stored memories, and its unreadable records."""
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif not isinstance(record.value, Mapping):
            yield record.as_skipped("is not an object")
        elif not isinstance(record.value.get("mapping"), Mapping):
            yield record.as_skipped("is not a conversation: it has no 'mapping'")
        else:
            yield from _conversation(record, record.value)


def _conversation(record: TranscriptRecord, fields: Mapping[str, Any]) -> Iterator[TranscriptItem]:
    nodes = {key: node for key, node in fields["mapping"].items() if isinstance(node, Mapping)}
    parents = {key: _text(node.get("parent")) for key, node in nodes.items()}
    branch, fault = branch_to(parents, _current_node(fields.get("current_node"), nodes, parents))
    if fault:
        yield record.as_skipped(fault)
    turns = TurnBuilder(NAME, id_of(fields, "conversation_id", "id"), parse_time(fields.get("create_time")))
    calls: list[ToolCall] = []
    for key in branch:
        message = nodes[key].get("message")
        if message is None:
            continue
        if not isinstance(message, Mapping):
            yield record.as_skipped(f"has a message that is not an object: {key}")
            continue
        yield from _add_message(turns, key, message, calls)
    yield from turns.finish()


def _current_node(current: Any, nodes: Mapping[str, Mapping[str, Any]], parents: Mapping[str, str]) -> str:
    """The node of the current message: the named one, else the newest without a reply."""
    if isinstance(current, str) and current in nodes:
        return current
    answered = set(parents.values())
    leaves = [key for key in nodes if key not in answered] or list(nodes)
    return max(leaves, key=lambda key: _created_at(nodes[key]), default="")


def _created_at(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    time = parse_time(message.get("create_time")) if isinstance(message, Mapping) else None
    return time.timestamp() if time else 0.0


def _add_message(
    turns: TurnBuilder, key: str, fields: Mapping[str, Any], calls: list[ToolCall]
) -> Iterator[ImportedTurn | ImportedFact]:
    author, content = _mapping(fields.get("author")), _mapping(fields.get("content"))
    role, name = _text(author.get("role")), _text(author.get("name"))
    recipient, time = _text(fields.get("recipient")), parse_time(fields.get("create_time"))
    if recipient == _MEMORY_TOOL and role != "system":
        if fact := _plain(content).strip():
            yield ImportedFact(fact, time)
        return
    if not role or role == "system" or name == _MEMORY_TOOL or _is_hidden(fields):
        return
    parts: tuple[MessagePart, ...]
    if content.get("content_type") in _CONTEXT_TYPES:
        role, parts = "system", tuple(_parts(fields))
    elif role == "tool":
        parts = (_result(_call_of(name, calls), fields, content),)
    elif role == "assistant" and recipient not in _NOT_TOOLS:
        call = ToolCall(key, recipient, _plain(content))
        calls.append(call)
        parts = (call,)
    else:
        parts = tuple(_parts(fields))
    model = _mapping(fields.get("metadata")).get("model_slug")
    message = Message(role, parts, {"model": model} if isinstance(model, str) else {})
    yield from turns.add(with_id_and_time(message, time, key), time, key)


def _call_of(name: str, calls: list[ToolCall]) -> str:
    """The id of the call that a tool's message answers: the tool's last call, else the last of all calls."""
    named = (call.id for call in reversed(calls) if call.name == name)
    return next(named, calls[-1].id if calls else "")


def _result(call: str, fields: Mapping[str, Any], content: Mapping[str, Any]) -> MessagePart:
    return ToolResult(call, _plain(content), _is_error(fields)) if call else TextPart(_plain(content))


def _is_hidden(fields: Mapping[str, Any]) -> bool:
    hidden = _mapping(fields.get("metadata")).get("is_visually_hidden_from_conversation")
    weight = fields.get("weight")
    return hidden is True or (isinstance(weight, int | float) and weight == 0)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _parts(fields: Mapping[str, Any]) -> Iterator[MessagePart]:
    """A message's text and reasoning, and placeholders for images, audio and files."""
    content = fields.get("content")
    content = content if isinstance(content, Mapping) else {}
    channel = fields.get("channel")
    is_reasoning = content.get("content_type") in ["thoughts", "reasoning_recap"]
    for text in _texts(content):
        yield (
            ReasoningPart(text)
            if is_reasoning
            else TextPart(text, channel if isinstance(channel, str) else "")
        )
    yield from map(TextPart, _attachments(fields))


def _plain(content: Mapping[str, Any]) -> str:
    """The texts of a content, joined by newlines."""
    return "\n".join(text for text in _texts(content) if text.strip())


def _is_error(fields: Mapping[str, Any]) -> bool:
    """Whether a tool's message reports a failure."""
    content, status = fields.get("content"), fields.get("metadata")
    for key in ("aggregate_result", "status"):
        status = status.get(key) if isinstance(status, Mapping) else None
    kind = content.get("content_type") if isinstance(content, Mapping) else None
    return kind == "system_error" or (isinstance(status, str) and status.startswith(_FAILED))


def _texts(content: Mapping[str, Any]) -> Iterator[str]:
    match content.get("content_type"):
        case "thoughts":
            for thought in _list(content.get("thoughts")):
                if isinstance(thought, Mapping):
                    yield _join_fields(thought, "summary", "content")
        case "tether_quote":
            yield _join_fields(content, "title", "url", "text")
        case "tether_browsing_display":
            yield _join_fields(content, "summary", "result")
        case "user_editable_context":
            yield _join_fields(content, "user_profile", "user_instructions", "text")
        case "system_error":
            yield _join_fields(content, "name", "text")
        case _ if "parts" in content:
            for part in _list(content["parts"]):
                yield from _part(part)
        case str() as kind:
            text = _join_fields(content, "text", "content", "result", "model_set_context")
            text_types = {"text", "code", "execution_output", "reasoning_recap", "model_editable_context"}
            yield text or ("" if kind in text_types else f"[{kind}]")
        case _:
            yield _join_fields(content, "text", "content", "result")


def _part(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        if isinstance(part.get("text"), str):
            yield part["text"]
        else:
            yield _asset_placeholder(part)


def _asset_placeholder(part: Mapping[str, Any]) -> str:
    """The placeholder of an asset that the export stores in a separate file."""
    kind = str(part.get("content_type") or "content").removesuffix("_asset_pointer")
    audio = part.get("audio_asset_pointer")  # inside the pointer of a video conversation
    return placeholder({**(audio if isinstance(audio, Mapping) else part), "type": kind})


def _attachments(fields: Mapping[str, Any]) -> Iterator[str]:
    """Placeholders for the files attached to a message, except images that its content includes."""
    metadata, content = fields.get("metadata"), fields.get("content")
    content_parts = _list(content.get("parts") if isinstance(content, Mapping) else None)
    pointers = [part.get("asset_pointer") for part in content_parts if isinstance(part, Mapping)]
    shown_assets = [pointer for pointer in pointers if isinstance(pointer, str)]
    for attachment in _list(metadata.get("attachments") if isinstance(metadata, Mapping) else None):
        if not isinstance(attachment, Mapping):
            continue
        file_id = attachment.get("id")
        if not (isinstance(file_id, str) and any(pointer.endswith(file_id) for pointer in shown_assets)):
            yield placeholder({**attachment, "type": "file"})


def _join_fields(fields: Mapping[str, Any], *keys: str) -> str:
    values = (fields.get(key) for key in keys)
    return "\n".join(value for value in values if isinstance(value, str) and value.strip())


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
