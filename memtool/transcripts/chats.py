"""Chat messages as the APIs of OpenAI and Anthropic have them, in a file of any of the usual arrangements.

A list of messages, an object with `messages`, or a message or such an object a line.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.chat import NotAMessage, message_of
from memtool.core.turn import canonical
from memtool.transcripts.foreign import Item, Skipped, Source
from memtool.transcripts.json_stream import BrokenStream, values
from memtool.transcripts.lines import Turns, digest, objects, text_of, time_of

_HEAD = 1_000_000
_TIMES = ("created_at", "timestamp", "created", "create_time", "time", "date")
_SPEAKS = re.compile(r'"role"\s*:\s*"(?:user|assistant|system|developer|tool|function)"')


def head(source: Source) -> str:
    """The beginning of a file as text, to recognise it by."""
    size = 0
    blocks = []
    for block in source.blocks():
        blocks.append(block)
        size += len(block)
        if size >= _HEAD:
            break
    return b"".join(blocks).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")


def is_chat(text: str) -> bool:
    """Whether a file that begins so holds chat messages."""
    return text[:1] in {"[", "{"} and _SPEAKS.search(text) is not None


def read_chats(source: Source, agent: str) -> Iterator[Item]:
    """The turns of all conversations in a file; a record that cannot be read is skipped and named."""
    chat = _Chat(agent)
    for number, record in _records(source):
        if isinstance(record, Skipped):
            yield record
            continue
        try:
            yield from chat.take(record)
        except NotAMessage as error:
            yield Skipped(number, str(error))
    yield from chat.done()


class _Chat:
    """One conversation after the other, as their messages come."""

    def __init__(self, agent: str) -> None:
        self._turns = Turns(agent, "")
        self._place = ""
        self._fresh = True

    def take(self, record: Any) -> Iterator[Item]:
        """A message, a list of them, or a conversation of its own. Raises NotAMessage."""
        if isinstance(record, list):
            yield from self.done()
            for one in record:
                yield from self._message(one)
            yield from self.done()
        elif isinstance(record, Mapping) and isinstance(record.get("messages"), list):
            system = [{"role": "system", "content": record["system"]}] if record.get("system") else []
            yield from self.take([*system, *record["messages"]])
        else:
            yield from self._message(record)

    def done(self) -> Iterator[Item]:
        """The last turn of a conversation."""
        yield from self._turns.done()
        self._place, self._fresh, self._turns.session = "", True, ""

    def _message(self, record: Any) -> Iterator[Item]:
        at = (
            next((at for key in _TIMES if (at := time_of(record.get(key)))), None)
            if isinstance(record, Mapping)
            else None
        )
        id_ = text_of(record, "id") if isinstance(record, Mapping) else ""
        for message in canonical(tuple(message_of(record))):
            self._place = digest(self._place, message.role, repr(message.parts))
            if message.role == "user" and not self._turns.session:
                self._turns.session = self._place  # how it opens is what it is known by
            opens = message.role == "user" and not self._fresh
            self._fresh &= message.role != "user"
            yield from self._turns.say(
                message.role, message.parts, id_=id_, at=at, opens=opens, place=self._place
            )


def _records(source: Source) -> Iterator[tuple[int, Any]]:
    """Each record with the number of its line, 0 where it has none to itself."""
    if _is_lines(source):
        yield from objects(source)
        return
    found = values(source.blocks())
    while True:
        try:
            record = next(found)
        except StopIteration:
            return
        except BrokenStream as error:
            yield 0, Skipped(0, f"the file {error}; what comes before was read")
            return
        yield 0, record


def _is_lines(source: Source) -> bool:
    """Whether each line is a record: the first that is not blank is a whole object."""
    for _, raw in itertools.islice(source.lines(), 20):
        line = raw.lstrip(b"\xef\xbb\xbf").strip()
        if line:
            try:
                return isinstance(json.loads(line), dict)
            except (ValueError, RecursionError):
                return line.startswith(b"{") and line.endswith(b"}")
    return False
