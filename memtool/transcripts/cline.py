"""Cline's sessions as turns: the CLI's `*.messages.json`, and older `api_conversation_history.json`.

Both have messages in the format of Anthropic's API. What the user typed is in an element such as
`<user_input mode="act">` or `<task>`; other texts of a user's message are Cline's own, among them results of
tools and the environment. Format: https://github.com/cline/cline; seen with the CLI 3.0.65.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, parse_message
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, id_of, parse_time, with_id_and_time

NAME = "cline"

_TYPED = re.compile(
    r"<(user_input|user_command|task|feedback|user_message|answer)(?: [^>]*)?>\n?(.*?)\n?</\1>", re.DOTALL
)
_OLD_FILE = "api_conversation_history.json"


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a session: the user's words are in Cline's elements."""
    texts = [
        block["text"]
        for record in sample_records(source)
        for message in _messages_of(record)
        for block in _text_blocks(message)
    ]
    has_task = any(text.startswith("<task>") for text in texts)
    has_environment = any(text.startswith("<environment_details>") for text in texts)
    return (has_task and has_environment) or any(text.startswith("<user_input mode=") for text in texts)


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the session in order, and what was skipped as unreadable."""
    path = PurePosixPath(source.name)
    turns = TurnBuilder(NAME, path.parent.name if path.name == _OLD_FILE else "")
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
            continue
        if isinstance(record.value, Mapping):
            turns.set_session(id_of(record.value, "sessionId"))
        for message in _messages_of(record.value):
            yield from _add_message(message, record, turns)
    yield from turns.finish()


def _messages_of(record: Any) -> list[Any]:
    """The messages of a record, which is a session, a list of messages, or a message."""
    if isinstance(record, Mapping) and isinstance(record.get("messages"), list):
        return list(record["messages"])
    return record if isinstance(record, list) else [record]


def _text_blocks(message: Any) -> list[Mapping[str, Any]]:
    """The text blocks of a message of the user."""
    if not (isinstance(message, Mapping) and message.get("role") == "user"):
        return []
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return [block for block in blocks if isinstance(block, Mapping) and isinstance(block.get("text"), str)]


def _add_message(raw: Any, record: TranscriptRecord, turns: TurnBuilder) -> Iterator[TranscriptItem]:
    try:
        messages = list(parse_message(_as_typed(raw)))
    except InvalidChatMessage as error:
        yield SkippedRecord(record.line, f"a message in {record.name} {error}")
        return
    time, own_id = parse_time(raw.get("ts")), id_of(raw, "id")
    for message in messages:
        yield from turns.add(with_id_and_time(message, time, own_id), time, own_id)


def _as_typed(raw: Any) -> Any:
    """A message without details of the model; the user's with what the user typed instead of the texts."""
    if not isinstance(raw, Mapping):
        return raw
    message = {key: raw[key] for key in ("role", "content") if key in raw}
    if texts := _text_blocks(raw):
        typed = [match[2] for block in texts for match in _TYPED.finditer(block["text"])]
        content = raw["content"] if isinstance(raw["content"], list) else []
        others = [block for block in content if block not in texts]
        message["content"] = [*others, *({"type": "text", "text": text} for text in typed)]
    return message
