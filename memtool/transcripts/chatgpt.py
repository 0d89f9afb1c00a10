"""ChatGPT's export: conversations.json, whose conversations are trees of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat import placeholder
from memtool.core.records.turn import Message, Part, Reasoning, Text, ToolCall, ToolResult
from memtool.transcripts.conversation import Turns, dated, id_of, moment, walk
from memtool.transcripts.foreign import Fact, Imported, Item, Skipped, Source
from memtool.transcripts.records import Record, records, sample

NAME = "chatgpt"

_EVERYBODY = {"", "all", "user", "assistant"}
"""Recipients that are no tool."""
_MEMORY = "bio"
"""The tool by which ChatGPT puts down what it wants to remember about its user."""
_CONTEXT = ["user_editable_context", "model_editable_context"]
"""What the user set for all conversations, or the model was told about them: no words of this one."""
_FAILED = "failed"
"""The beginning of the status of code that was run and failed."""


def recognises(source: Source) -> bool:
    """Is it such an export, or one conversation of it?"""
    return any(isinstance(one, Mapping) and isinstance(one.get("mapping"), Mapping) for one in sample(source))


def read(source: Source) -> Iterator[Item]:
    """The turns of each conversation's last open branch, the facts it put down, and what is broken."""
    for record in records(source):
        if isinstance(record, Skipped):
            yield record
        elif not isinstance(record.value, Mapping):
            yield record.skipped("is not an object")
        elif not isinstance(record.value.get("mapping"), Mapping):
            yield record.skipped("is no conversation: it has no mapping")
        else:
            yield from _conversation(record, record.value)


def _conversation(record: Record, fields: Mapping[str, Any]) -> Iterator[Item]:
    nodes = {key: node for key, node in fields["mapping"].items() if isinstance(node, Mapping)}
    parents = {key: _text(node.get("parent")) for key, node in nodes.items()}
    way, fault = walk(parents, _leaf(fields.get("current_node"), nodes, parents))
    if fault:
        yield record.skipped(fault)
    turns = Turns(NAME, id_of(fields, "conversation_id", "id"), moment(fields.get("create_time")))
    calls: list[ToolCall] = []
    for key in way:
        message = nodes[key].get("message")
        if message is None:
            continue
        if not isinstance(message, Mapping):
            yield record.skipped(f"has a message that is not an object: {key}")
            continue
        yield from _said(turns, key, message, calls)
    yield from turns.end()


def _leaf(current: Any, nodes: Mapping[str, Mapping[str, Any]], parents: Mapping[str, str]) -> str:
    """The message that was open last: the one that is named, else the newest that nothing answers."""
    if isinstance(current, str) and current in nodes:
        return current
    answered = set(parents.values())
    leaves = [key for key in nodes if key not in answered] or list(nodes)
    return max(leaves, key=lambda key: _made(nodes[key]), default="")


def _made(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    at = moment(message.get("create_time")) if isinstance(message, Mapping) else None
    return at.timestamp() if at else 0.0


def _said(
    turns: Turns, key: str, fields: Mapping[str, Any], calls: list[ToolCall]
) -> Iterator[Imported | Fact]:
    author, content = _mapping(fields.get("author")), _mapping(fields.get("content"))
    role, name = _text(author.get("role")), _text(author.get("name"))
    recipient, at = _text(fields.get("recipient")), moment(fields.get("create_time"))
    if recipient == _MEMORY and role != "system":
        if fact := _plain(content).strip():
            yield Fact(fact, at)
        return
    if not role or role == "system" or name == _MEMORY or _is_hidden(fields):
        return
    said: tuple[Part, ...]
    if content.get("content_type") in _CONTEXT:
        role, said = "system", tuple(_parts(fields))
    elif role == "tool":
        said = (_result(_call_of(name, calls), fields, content),)
    elif role == "assistant" and recipient not in _EVERYBODY:
        call = ToolCall(key, recipient, _plain(content))
        calls.append(call)
        said = (call,)
    else:
        said = tuple(_parts(fields))
    model = _mapping(fields.get("metadata")).get("model_slug")
    message = Message(role, said, {"model": model} if isinstance(model, str) else {})
    yield from turns.add(dated(message, at, key), at, key)


def _call_of(name: str, calls: list[ToolCall]) -> str:
    """The id of the call that a tool of that name answers: its last, else the last of all."""
    named = (call.id for call in reversed(calls) if call.name == name)
    return next(named, calls[-1].id if calls else "")


def _result(call: str, fields: Mapping[str, Any], content: Mapping[str, Any]) -> Part:
    return ToolResult(call, _plain(content), _is_error(fields)) if call else Text(_plain(content))


def _is_hidden(fields: Mapping[str, Any]) -> bool:
    hidden = _mapping(fields.get("metadata")).get("is_visually_hidden_from_conversation")
    weight = fields.get("weight")
    return hidden is True or (isinstance(weight, int | float) and weight == 0)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _parts(fields: Mapping[str, Any]) -> Iterator[Part]:
    """What a message's author said or thought, and placeholders for images, sounds and files."""
    content = fields.get("content")
    content = content if isinstance(content, Mapping) else {}
    channel = fields.get("channel")
    thought = content.get("content_type") in ["thoughts", "reasoning_recap"]
    for said in _texts(content):
        yield Reasoning(said) if thought else Text(said, channel if isinstance(channel, str) else "")
    yield from map(Text, _attachments(fields))


def _plain(content: Mapping[str, Any]) -> str:
    """All that a content says as one text."""
    return "\n".join(said for said in _texts(content) if said.strip())


def _is_error(fields: Mapping[str, Any]) -> bool:
    """Does a tool's message tell of a failure?"""
    content, found = fields.get("content"), fields.get("metadata")
    for key in ("aggregate_result", "status"):
        found = found.get(key) if isinstance(found, Mapping) else None
    kind = content.get("content_type") if isinstance(content, Mapping) else None
    return kind == "system_error" or (isinstance(found, str) and found.startswith(_FAILED))


def _texts(content: Mapping[str, Any]) -> Iterator[str]:
    match content.get("content_type"):
        case "thoughts":
            for one in _list(content.get("thoughts")):
                if isinstance(one, Mapping):
                    yield _joined(one, "summary", "content")
        case "tether_quote":
            yield _joined(content, "title", "url", "text")
        case "tether_browsing_display":
            yield _joined(content, "summary", "result")
        case "user_editable_context":
            yield _joined(content, "user_profile", "user_instructions", "text")
        case "system_error":
            yield _joined(content, "name", "text")
        case _ if "parts" in content:
            for part in _list(content["parts"]):
                yield from _part(part)
        case str() as kind:
            said = _joined(content, "text", "content", "result", "model_set_context")
            known = {"text", "code", "execution_output", "reasoning_recap", "model_editable_context"}
            yield said or ("" if kind in known else f"[{kind}]")
        case _:
            yield _joined(content, "text", "content", "result")


def _part(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        if isinstance(part.get("text"), str):
            yield part["text"]
        else:
            yield _pointed(part)


def _pointed(part: Mapping[str, Any]) -> str:
    """The placeholder for something that the export keeps in a file of its own."""
    kind = str(part.get("content_type") or "content").removesuffix("_asset_pointer")
    inner = part.get("audio_asset_pointer")  # inside a pointer to a talk in sound and picture
    return placeholder({**(inner if isinstance(inner, Mapping) else part), "type": kind})


def _attachments(fields: Mapping[str, Any]) -> Iterator[str]:
    """Placeholders for the files given with a message, but for the images that its content shows."""
    metadata, content = fields.get("metadata"), fields.get("content")
    pieces = _list(content.get("parts") if isinstance(content, Mapping) else None)
    pointers = [one.get("asset_pointer") for one in pieces if isinstance(one, Mapping)]
    shown = [pointer for pointer in pointers if isinstance(pointer, str)]
    for one in _list(metadata.get("attachments") if isinstance(metadata, Mapping) else None):
        if not isinstance(one, Mapping):
            continue
        own = one.get("id")
        if not (isinstance(own, str) and any(pointer.endswith(own) for pointer in shown)):
            yield placeholder({**one, "type": "file"})


def _joined(fields: Mapping[str, Any], *keys: str) -> str:
    found = (fields.get(key) for key in keys)
    return "\n".join(one for one in found if isinstance(one, str) and one.strip())


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
