"""Head: the highest turn number of a history, stored so that turns need not be listed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from memtool.core.records.turn import MAX_SEQ, parse_moment
from memtool.errors import UnreadableFile
from memtool.formats.syntax import json_text

_FIELDS = {"last_seq", "updated_at"}


class HeadFile(Struct, frozen=True):
    """`last_seq` is the highest turn number assigned so far, 0 if there is none."""

    last_seq: int
    updated_at: str
    more: Mapping[str, Any] = field(default_factory=dict)


def parse(text: str) -> HeadFile:
    """Read a head file. Raises UnreadableFile; it can be rebuilt from the turns."""
    try:
        data = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"the head file {error}") from error
    if reason := invalid_reason(data):
        raise UnreadableFile(f"the head file {reason}")
    more = {key: value for key, value in data.items() if key not in _FIELDS}
    return HeadFile(int(data["last_seq"]), data["updated_at"], more)


def invalid_reason(record: Any) -> str | None:
    """Why a record is not a valid head; None if it is one."""
    if type(record) is not dict:
        return "is not a JSON object"
    seq = record.get("last_seq")
    if (type(seq) is not int and not (type(seq) is float and seq.is_integer())) or not 0 <= seq <= MAX_SEQ:
        return f"has no valid 'last_seq' (a whole number from 0 to {MAX_SEQ})"
    updated = record.get("updated_at")
    if type(updated) is not str or parse_moment(updated) is None:
        return "has no valid 'updated_at' (an RFC 3339 time)"
    return None


def render(head: HeadFile) -> str:
    """The head as the text of its file; `parse(render(head)) == head`."""
    return json_text.dump(record(head))


def merge(_base: str, ours: str, theirs: str) -> str:
    """The head with the greater number; raises UnreadableFile where a version cannot be read.

    The base does not matter: numbers only increase.
    """
    return max(ours, theirs, key=_recency)


def _recency(text: str) -> tuple[int, datetime, str]:
    head = parse(text)
    moment = parse_moment(head.updated_at)
    assert moment is not None  # parse has checked it
    return head.last_seq, moment, text


def record(head: HeadFile) -> dict[str, Any]:
    """The head as a JSON record."""
    return {"last_seq": head.last_seq, "updated_at": head.updated_at, **head.more}
