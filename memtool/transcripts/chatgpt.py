"""ChatGPT's export: conversations.json, whose conversations are trees of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.records.turn import Message, Part, Text, ToolCall, ToolResult
from memtool.transcripts.chatgpt_content import is_error, parts, plain
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
        if fact := plain(content).strip():
            yield Fact(fact, at)
        return
    if not role or role == "system" or name == _MEMORY or _is_hidden(fields):
        return
    said: tuple[Part, ...]
    if content.get("content_type") in _CONTEXT:
        role, said = "system", tuple(parts(fields))
    elif role == "tool":
        said = (_result(_call_of(name, calls), fields, content),)
    elif role == "assistant" and recipient not in _EVERYBODY:
        call = ToolCall(key, recipient, plain(content))
        calls.append(call)
        said = (call,)
    else:
        said = tuple(parts(fields))
    model = _mapping(fields.get("metadata")).get("model_slug")
    message = Message(role, said, {"model": model} if isinstance(model, str) else {})
    yield from turns.add(dated(message, at, key), at, key)


def _call_of(name: str, calls: list[ToolCall]) -> str:
    """The id of the call that a tool of that name answers: its last, else the last of all."""
    named = (call.id for call in reversed(calls) if call.name == name)
    return next(named, calls[-1].id if calls else "")


def _result(call: str, fields: Mapping[str, Any], content: Mapping[str, Any]) -> Part:
    return ToolResult(call, plain(content), is_error(fields)) if call else Text(plain(content))


def _is_hidden(fields: Mapping[str, Any]) -> bool:
    hidden = _mapping(fields.get("metadata")).get("is_visually_hidden_from_conversation")
    weight = fields.get("weight")
    return hidden is True or (isinstance(weight, int | float) and weight == 0)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
