"""Claude.ai's export: conversations.json, in which each conversation is a list of messages.

Anthropic publishes no description of it: what is read is what exports have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, parse_message, placeholder
from memtool.core.records.turn import Message, TextPart
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, branch_to, id_of, time_of, with_id_and_time

NAME = "claude-ai"

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}
_EMPTY_BLOCKS = ["token_budget", "flag"]
"""Types of blocks without content."""


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such an export, or one conversation of it."""
    return any(
        isinstance(record, Mapping) and isinstance(record.get("chat_messages"), list)
        for record in sample_records(source)
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of each conversation's current branch, and unreadable records."""
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif not isinstance(record.value, Mapping):
            yield record.as_skipped("is not an object")
        elif not isinstance(record.value.get("chat_messages"), list):
            yield record.as_skipped("is not a conversation: it has no 'chat_messages'")
        else:
            yield from _conversation(record, record.value)


def _conversation(record: TranscriptRecord, fields: Mapping[str, Any]) -> Iterator[TranscriptItem]:
    turns = TurnBuilder(NAME, id_of(fields, "uuid", "conversation_id", "id"), time_of(fields))
    messages_of_export = fields["chat_messages"]
    for number in _open_branch(messages_of_export, fields.get("current_leaf_message_uuid")):
        raw, name = messages_of_export[number], f"has an invalid message: message {number + 1}"
        if not isinstance(raw, Mapping):
            yield record.as_skipped(f"{name} is not an object")
            continue
        try:
            messages = list(_messages(raw))
        except InvalidChatMessage as error:
            yield record.as_skipped(f"{name} {error}")
            continue
        time, own_id = time_of(raw), id_of(raw, "uuid", "id")
        for message in messages:
            yield from turns.add(with_id_and_time(message, time, own_id), time, own_id)
    yield from turns.finish()


def _open_branch(messages: list[Any], leaf: Any) -> list[int]:
    """The indexes of the messages to read: all, or the current branch if a message has two replies."""
    indexes = {
        id_of(message, "uuid"): index
        for index, message in enumerate(messages)
        if isinstance(message, Mapping) and id_of(message, "uuid")
    }
    parents = {uuid: id_of(messages[index], "parent_message_uuid") for uuid, index in indexes.items()}
    existing_parents = [parent for parent in parents.values() if parent in indexes]
    if len(existing_parents) == len(set(existing_parents)) or len(indexes) < len(messages):
        return list(range(len(messages)))
    newest = leaf if isinstance(leaf, str) and leaf in indexes else next(reversed(indexes))
    return [indexes[uuid] for uuid in branch_to(parents, newest)[0]]


def _messages(raw: Mapping[str, Any]) -> Iterator[Message]:
    sender = raw.get("sender", raw.get("role"))
    role = _SPEAKERS.get(sender) if isinstance(sender, str) else None
    if role is None:
        raise InvalidChatMessage("has no sender")
    content = raw.get("content")
    blocks = _with_tool_ids(content, id_of(raw, "uuid")) if isinstance(content, list) else []
    attachments = [TextPart(attachment) for attachment in _attachment_texts(raw)]
    messages = list(parse_message({"role": role, "content": blocks or raw.get("text")}))
    if not any(message.parts for message in messages) and isinstance(raw.get("text"), str):
        messages = [Message(role, (TextPart(raw["text"]),))]
    first, *rest = messages
    yield Message(first.role, (*attachments, *first.parts))
    yield from rest


def _with_tool_ids(content: list[Any], message_id: str) -> list[Any]:
    """The blocks of a message, with ids added to tool calls and results, which exports often omit."""
    paired: list[Any] = []
    open_calls: list[str] = []
    for number, block in enumerate(content, 1):
        if not isinstance(block, Mapping) or block.get("type") in _EMPTY_BLOCKS:
            if isinstance(block, str):
                paired.append(block)
            continue
        copy = dict(block)
        if copy.get("type") == "tool_use":
            copy["id"] = id_of(copy, "id") or f"{message_id}:{number}"
            open_calls.append(copy["id"])
        elif copy.get("type") == "tool_result":
            call = id_of(copy, "tool_use_id") or (open_calls[0] if open_calls else f"{message_id}:{number}")
            copy["tool_use_id"] = call
            if call in open_calls:
                open_calls.remove(call)
        paired.append(copy)
    return paired


def _attachment_texts(raw: Mapping[str, Any]) -> Iterator[str]:
    """The files attached to a message: their extracted text, or a placeholder."""
    names: set[str] = set()
    for key in ("attachments", "files"):
        for attachment in raw[key] if isinstance(raw.get(key), list) else []:
            name = id_of(attachment, "file_name") if isinstance(attachment, Mapping) else ""
            if not isinstance(attachment, Mapping) or name in names:
                continue
            names.update({name} if name else ())
            media = (
                {"media_type": attachment["file_type"]}
                if isinstance(attachment.get("file_type"), str)
                else {}
            )
            description = placeholder({**attachment, **media, "type": "file"})
            text = attachment.get("extracted_content")
            yield f"{description}\n{text}" if isinstance(text, str) and text.strip() else description
