"""Quarantine record: why, when and from where a file was quarantined; stored beside the file."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.turn import parse_moment
from memtool.errors import UnreadableFile
from memtool.formats.syntax import json_text

SUFFIX = ".reason.json"
"""The suffix that a record's name adds to the name of its file."""


class QuarantineRecord(Struct, frozen=True):
    """`sha256` and `size` describe the file's bytes when it was moved; `origin` is the path it had.

    Paths are relative to the workspace's root. In the file, `origin` is called `from`.
    """

    reason: str
    sha256: str
    size: int
    at: str
    origin: str


def parse(text: str) -> QuarantineRecord:
    """Read a record. Raises UnreadableFile."""
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"the quarantine record {error}") from error
    if reason := invalid_reason(value):
        raise UnreadableFile(f"the quarantine record {reason}")
    return QuarantineRecord(value["reason"], value["sha256"], int(value["size"]), value["at"], value["from"])


def invalid_reason(record: Any) -> str | None:
    """Why a value is not a valid quarantine record; None if it is one."""
    if type(record) is not dict:
        return "is not a JSON object"
    for key in ("reason", "from"):
        if type(record.get(key)) is not str or not record[key]:
            return f"has no {key!r}"
    digest = record.get("sha256")
    if type(digest) is not str or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        return "has no valid 'sha256' (64 hexadecimal digits)"
    size = record.get("size")
    if (type(size) is not int and not (type(size) is float and size.is_integer())) or size < 0:
        return "has no valid 'size' (a number of bytes)"
    if type(record.get("at")) is not str or parse_moment(record["at"]) is None:
        return "has no valid 'at' (an RFC 3339 time)"
    return None


def render(value: QuarantineRecord) -> str:
    """The record as the text of its file; `parse(render(value)) == value`."""
    return json_text.dump(record(value))


def with_content(text: str, content: bytes) -> str:
    """A record's text for a file that has another content now; as it is where it cannot be read."""
    try:
        value = parse(text)
    except UnreadableFile:
        return text
    return render(replace(value, sha256=sha256(content).hexdigest(), size=len(content)))


def record(value: QuarantineRecord) -> dict[str, Any]:
    """The quarantine record as JSON."""
    return {
        "reason": value.reason,
        "sha256": value.sha256,
        "size": value.size,
        "at": value.at,
        "from": value.origin,
    }
