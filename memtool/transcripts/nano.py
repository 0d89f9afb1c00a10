"""nano's `messages.db` as turns: the messages of all chats, which `TranscriptDatabase` reads as lines.

A line is a row of the table `messages`, ordered by chat and time. What the assistant wrote (`is_from_me`)
begins with its name. nano publishes no description of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memtool.core.records.turn import Message, TextPart
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "nano"


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a database: rows with a chat, a sender and a content."""
    records = list(first_objects(source))
    return bool(records) and all({"chat_jid", "sender", "is_from_me"} <= record.keys() for record in records)


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of each chat in order, a session each, and the rows skipped as unreadable."""
    turns, chat = TurnBuilder(NAME), None
    for _, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
            continue
        if record.get("chat_jid") != chat:
            yield from turns.finish()
            chat = record.get("chat_jid")
            turns = TurnBuilder(NAME, text_of(record, "chat_jid"))
        yield from _add_row(record, turns)
    yield from turns.finish()


def _add_row(row: dict[str, Any], turns: TurnBuilder) -> Iterator[TranscriptItem]:
    name, content = text_of(row, "sender_name"), text_of(row, "content")
    at, id_ = parse_time(row.get("timestamp")), text_of(row, "id")
    if row.get("is_from_me"):
        message = Message("assistant", (TextPart(content.removeprefix(f"{name}:").lstrip()),))
    else:
        message = Message("user", (TextPart(content),), {"name": name} if name else {})
    yield from turns.add(with_id_and_time(message, at, id_), at, id_)
