"""ChatGPT's and Claude.ai's data exports (`conversations.json`) as turns.

A conversation of ChatGPT is a tree of messages, of which the branch that ends in `current_node` is what was
said; what was generated anew leaves other branches. One of Claude.ai is a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memtool.core.chat import NotAMessage, blocks, placeholder, plain
from memtool.core.turn import Part, Reasoning, Text, ToolCall, ToolResult
from memtool.transcripts.chats import head
from memtool.transcripts.foreign import Fact, Item, Skipped, Source
from memtool.transcripts.json_stream import BrokenStream, values
from memtool.transcripts.lines import Turns, digest, text_of, time_of

NAME = "chatgpt"

_MEMORY = "bio"
"""The recipient to which ChatGPT writes what it wants to remember."""


def recognises(source: Source) -> bool:
    """Whether a file is such an export."""
    text = head(source)
    return text[:1] in {"[", "{"} and (
        ('"mapping"' in text and ('"author"' in text or '"current_node"' in text))
        or ('"chat_messages"' in text and '"sender"' in text)
    )


def read(source: Source) -> Iterator[Item]:
    """The turns of every conversation, and what was remembered about the user; one conversation is held."""
    found = values(source.blocks())
    number = 0
    while True:
        number += 1
        try:
            conversation = next(found)
        except StopIteration:
            return
        except BrokenStream as error:
            yield Skipped(0, f"the file {error}; what comes before was read")
            return
        if not isinstance(conversation, Mapping):
            yield Skipped(0, f"conversation {number} is not an object")
        elif isinstance(conversation.get("chat_messages"), list):
            yield from _claude(conversation, number)
        elif isinstance(conversation.get("mapping"), Mapping):
            yield from _chatgpt(conversation, number)
        else:
            yield Skipped(0, f"conversation {number} holds no messages")


def _session(conversation: Mapping[str, Any]) -> str:
    named = (text_of(conversation, key) for key in ("conversation_id", "id", "uuid"))
    return next(filter(None, named), "") or digest(
        text_of(conversation, "title") or text_of(conversation, "name"), repr(conversation.get("create_time"))
    )


# ChatGPT ---------------------------------------------------------------------------------------------------


def _chatgpt(conversation: Mapping[str, Any], number: int) -> Iterator[Item]:
    turns = Turns(NAME, _session(conversation))
    calls: list[str] = []
    for id_, message in _branch(conversation):
        try:
            yield from _said(id_, message, turns, calls)
        except NotAMessage as error:
            yield Skipped(0, f"conversation {number}: a message {error}")
    yield from turns.done()


def _branch(conversation: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The messages from the root to the node that the conversation ends in."""
    mapping: Mapping[str, Any] = conversation["mapping"]
    here: Any = conversation.get("current_node")
    if not (isinstance(here, str) and here in mapping):
        here = max(mapping, key=lambda id_: (_time(mapping[id_]), id_), default=None)
    chain: list[str] = []
    seen: set[str] = set()
    while isinstance(here, str) and here in mapping and here not in seen:
        seen.add(here)
        chain.append(here)
        here = mapping[here].get("parent") if isinstance(mapping[here], Mapping) else None
    for id_ in reversed(chain):
        node = mapping[id_]
        message = node.get("message") if isinstance(node, Mapping) else None
        if isinstance(message, Mapping):
            yield id_, message


def _time(node: Any) -> float:
    message = node.get("message") if isinstance(node, Mapping) else None
    created = message.get("create_time") if isinstance(message, Mapping) else None
    return float(created) if isinstance(created, int | float) and not isinstance(created, bool) else 0.0


def _said(id_: str, message: Mapping[str, Any], turns: Turns, calls: list[str]) -> Iterator[Item]:
    author, metadata = message.get("author"), message.get("metadata")
    role = text_of(author, "role") if isinstance(author, Mapping) else ""
    hidden = isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation") is True
    content = message.get("content")
    if role in {"", "system"} or hidden or message.get("weight") == 0 or not isinstance(content, Mapping):
        return
    at = time_of(message.get("create_time"))
    recipient = text_of(message, "recipient") or "all"
    parts = [*_parts(content)]
    own = text_of(message, "id") or id_
    if role == "assistant" and recipient == _MEMORY:
        yield from _facts(parts, at)
    elif role == "assistant" and recipient != "all":
        words = "\n".join(part.text for part in parts if isinstance(part, Text | Reasoning))
        calls.append(own)
        yield from turns.say(role, [ToolCall(own, recipient, words)], id_=own, at=at)
    elif role == "tool":
        if isinstance(author, Mapping) and text_of(author, "name") == _MEMORY:
            return  # that it was put down
        words = "\n".join(part.text for part in parts if isinstance(part, Text | Reasoning))
        yield from turns.say(role, [ToolResult(calls[-1] if calls else own, words)], id_=own, at=at)
    else:
        yield from turns.say(role, parts, id_=own, at=at, opens=role == "user")


def _facts(parts: list[Part], at: datetime | None) -> Iterator[Item]:
    for part in parts:
        if isinstance(part, Text):
            yield from (Fact(line.strip(), at) for line in part.text.split("\n") if line.strip())


def _parts(content: Mapping[str, Any]) -> Iterator[Part]:
    """What a message of ChatGPT holds, by the type of its content."""
    match content.get("content_type"):
        case "thoughts":
            for one in _list(content.get("thoughts")):
                if isinstance(one, Mapping):
                    said = (text_of(one, "summary"), text_of(one, "content"))
                    yield Reasoning("\n\n".join(filter(None, said)))
        case "reasoning_recap":
            yield Reasoning(text_of(content, "content"))
        case "user_editable_context":
            return  # the user's settings, which stand in every conversation
        case "code" | "execution_output" | "system_error":
            yield Text(text_of(content, "text"))
        case "tether_quote" | "tether_browsing_display":
            yield Text(
                "\n".join(filter(None, (text_of(content, key) for key in ("title", "url", "text", "result"))))
            )
        case _:
            for one in _list(content.get("parts")):
                yield from _part(one)
            yield Text(text_of(content, "text"))


def _part(part: Any) -> Iterator[Part]:
    if isinstance(part, str):
        yield Text(part)
    elif isinstance(part, Mapping):
        if isinstance(part.get("text"), str):  # what was heard
            yield Text(part["text"])
        elif (size := part.get("size_bytes")) is not None:
            kind = str(part.get("content_type") or "file").removesuffix("_asset_pointer")
            yield Text(f"[{kind}: {size} bytes, {text_of(part, 'asset_pointer')}]")
        else:
            yield Text(placeholder({"type": part.get("content_type"), **part}))
    elif part is not None:
        yield Text(json.dumps(part, ensure_ascii=False))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# Claude.ai -------------------------------------------------------------------------------------------------


def _claude(conversation: Mapping[str, Any], number: int) -> Iterator[Item]:
    turns = Turns(NAME, _session(conversation))
    for message in conversation["chat_messages"]:
        if not isinstance(message, Mapping):
            yield Skipped(0, f"conversation {number}: a message is not an object")
            continue
        at = time_of(message.get("created_at"))
        role = "user" if message.get("sender") == "human" else "assistant"
        try:
            parts = [*blocks(message.get("content"))] or [Text(text_of(message, "text"))]
            parts += [Text(_attached(one)) for one in _list(message.get("attachments"))]
            results = [part for part in parts if isinstance(part, ToolResult)]
            words = [part for part in parts if not isinstance(part, ToolResult)]
            id_ = text_of(message, "uuid")
            yield from turns.say(role, words, id_=id_, at=at, opens=role == "user")
            yield from turns.say("tool", results, id_=id_, at=at)
        except NotAMessage as error:
            yield Skipped(0, f"conversation {number}: a message {error}")
    yield from turns.done()


def _attached(file: Any) -> str:
    if not isinstance(file, Mapping):
        return ""
    name, words = text_of(file, "file_name"), plain(file.get("extracted_content"))
    size = f", {file['file_size']} bytes" if isinstance(file.get("file_size"), int) else ""
    return f"[file: {name}{size}]" + (f"\n{words}" if words else "")
