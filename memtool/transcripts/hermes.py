"""Hermes Agent's sessions as turns: its database, session files, exports and trajectories.

A session has messages in the format of OpenAI's API, of a trajectory in that of ShareGPT (`from`, `value`).
`store` presents each session of the database (`~/.hermes/state.db`) as such a record.
Format: https://github.com/NousResearch/hermes-agent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, parse_message
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, id_of, parse_time, time_of, with_id_and_time

NAME = "hermes"

_SESSION_KEYS = ({"session_id", "session_start"}, {"id", "source", "started_at"})
"""The keys that a session has, in a session file and in the database."""
_SHARED_ROLES = {"human": "user", "gpt": "assistant", "tool": "tool", "system": "system"}
_MESSAGE_KEYS = ("role", "content", "tool_calls", "tool_call_id", "reasoning")


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a session or trajectory."""
    return any(
        isinstance(record, Mapping) and (_is_session(record) or _is_trajectory(record))
        for record in sample_records(source)
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of each session in order, and what was skipped as unreadable."""
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif isinstance(record.value, Mapping) and _is_trajectory(record.value):
            messages = [_shared(message) for message in record.value["conversations"]]
            yield from _conversation(record, messages, "")
        elif isinstance(record.value, Mapping) and isinstance(record.value.get("messages"), list):
            yield from _conversation(
                record, record.value["messages"], id_of(record.value, "session_id", "id")
            )
        else:
            yield record.as_skipped("is not a Hermes session")


def _is_session(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("messages"), list) and any(keys <= record.keys() for keys in _SESSION_KEYS)


def _is_trajectory(record: Mapping[str, Any]) -> bool:
    messages = record.get("conversations")
    return isinstance(messages, list) and all(
        isinstance(message, Mapping) and {"from", "value"} <= message.keys() for message in messages
    )


def _shared(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"role": _SHARED_ROLES.get(str(message["from"]), "system"), "content": message["value"]}


def _conversation(record: TranscriptRecord, messages: list[Any], session: str) -> Iterator[TranscriptItem]:
    value = record.value
    began = time_of(value) or parse_time(value.get("session_start") or value.get("started_at"))
    turns = TurnBuilder(NAME, session, began)
    for number, message in enumerate(messages, 1):
        try:
            if isinstance(message, Mapping) and message.get("role") == "session_meta":
                continue
            yield from _add_message(message, turns)
        except InvalidChatMessage as error:
            yield SkippedRecord(record.line, f"message {number} of {record.name} {error}")
    yield from turns.finish()


def _add_message(raw: Any, turns: TurnBuilder) -> Iterator[TranscriptItem]:
    if not isinstance(raw, Mapping):
        raise InvalidChatMessage("is not an object")
    fields = {key: raw[key] for key in _MESSAGE_KEYS if raw.get(key) is not None}
    calls = fields.get("tool_calls")
    if isinstance(calls, str):  # in the database
        try:
            fields["tool_calls"] = json.loads(calls)
        except (ValueError, RecursionError) as error:
            raise InvalidChatMessage("has a field 'tool_calls' that is not JSON") from error
    time, own_id = time_of(raw), id_of(raw, "id")
    for message in parse_message(fields):
        yield from turns.add(with_id_and_time(message, time, own_id), time, own_id)
