"""Claude.ai's export: conversations.json, whose conversations are lists of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat import NotAMessage, message_of, placeholder
from memtool.core.records.turn import Message, Text
from memtool.transcripts.conversation import Turns, dated, id_of, time_of, walk
from memtool.transcripts.foreign import Item, Skipped, Source
from memtool.transcripts.records import Record, records, sample

NAME = "claude-ai"

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}
_SILENT = ["token_budget", "flag"]
"""Blocks of a message that say nothing."""


def recognises(source: Source) -> bool:
    """Is it such an export, or one conversation of it?"""
    return any(
        isinstance(one, Mapping) and isinstance(one.get("chat_messages"), list) for one in sample(source)
    )


def read(source: Source) -> Iterator[Item]:
    """The turns of the branch of each conversation that was open last, and what could not be read."""
    for record in records(source):
        if isinstance(record, Skipped):
            yield record
        elif not isinstance(record.value, Mapping):
            yield record.skipped("is not an object")
        elif not isinstance(record.value.get("chat_messages"), list):
            yield record.skipped("is no conversation: it has no chat_messages")
        else:
            yield from _conversation(record, record.value)


def _conversation(record: Record, fields: Mapping[str, Any]) -> Iterator[Item]:
    turns = Turns(NAME, id_of(fields, "uuid", "conversation_id", "id"), time_of(fields))
    found = fields["chat_messages"]
    for number in _open_branch(found, fields.get("current_leaf_message_uuid")):
        raw, name = found[number], f"has a message {number + 1} that"
        if not isinstance(raw, Mapping):
            yield record.skipped(f"{name} is not an object")
            continue
        try:
            messages = list(_messages(raw))
        except NotAMessage as error:
            yield record.skipped(f"{name} {error}")
            continue
        at, own_id = time_of(raw), id_of(raw, "uuid", "id")
        for message in messages:
            yield from turns.add(dated(message, at, own_id), at, own_id)
    yield from turns.end()


def _open_branch(found: list[Any], leaf: Any) -> list[int]:
    """The places of the messages to read: all, or where a message has two answers, the branch open last."""
    places = {
        id_of(one, "uuid"): place
        for place, one in enumerate(found)
        if isinstance(one, Mapping) and id_of(one, "uuid")
    }
    parents = {one: id_of(found[place], "parent_message_uuid") for one, place in places.items()}
    known = [parent for parent in parents.values() if parent in places]
    if len(known) == len(set(known)) or len(places) < len(found):
        return list(range(len(found)))
    newest = leaf if isinstance(leaf, str) and leaf in places else next(reversed(places))
    return [places[one] for one in walk(parents, newest)[0]]


def _messages(raw: Mapping[str, Any]) -> Iterator[Message]:
    sender = raw.get("sender", raw.get("role"))
    role = _SPEAKERS.get(sender) if isinstance(sender, str) else None
    if role is None:
        raise NotAMessage("has no sender")
    content = raw.get("content")
    blocks = _paired(content, id_of(raw, "uuid")) if isinstance(content, list) else []
    given = [Text(one) for one in _attached(raw)]
    said = list(message_of({"role": role, "content": blocks or raw.get("text")}))
    if not any(one.parts for one in said) and isinstance(raw.get("text"), str):
        said = [Message(role, (Text(raw["text"]),))]
    first, *rest = said
    yield Message(first.role, (*given, *first.parts))
    yield from rest


def _paired(content: list[Any], own: str) -> list[Any]:
    """The blocks of a message, where each tool's result names its call: exports often leave both ids out."""
    paired: list[Any] = []
    waiting: list[str] = []
    for number, block in enumerate(content, 1):
        if not isinstance(block, Mapping) or block.get("type") in _SILENT:
            if isinstance(block, str):
                paired.append(block)
            continue
        one = dict(block)
        if one.get("type") == "tool_use":
            one["id"] = id_of(one, "id") or f"{own}:{number}"
            waiting.append(one["id"])
        elif one.get("type") == "tool_result":
            call = id_of(one, "tool_use_id") or (waiting[0] if waiting else f"{own}:{number}")
            one["tool_use_id"] = call
            if call in waiting:
                waiting.remove(call)
        paired.append(one)
    return paired


def _attached(raw: Mapping[str, Any]) -> Iterator[str]:
    """The files given with a message: the text that was taken out of each, or a placeholder."""
    told: set[str] = set()
    for key in ("attachments", "files"):
        for one in raw[key] if isinstance(raw.get(key), list) else []:
            name = id_of(one, "file_name") if isinstance(one, Mapping) else ""
            if not isinstance(one, Mapping) or name in told:
                continue
            told.update({name} if name else ())
            media = {"media_type": one["file_type"]} if isinstance(one.get("file_type"), str) else {}
            said = placeholder({**one, **media, "type": "file"})
            text = one.get("extracted_content")
            yield f"{said}\n{text}" if isinstance(text, str) and text.strip() else said
