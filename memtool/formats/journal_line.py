"""A line of the journal: a commit, or the word that one is done, as JSON."""

from __future__ import annotations

import binascii
import json
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memtool.core.history.journal import (
    PRIVATE,
    Appended,
    Author,
    Created,
    Moved,
    Permitted,
    Record,
    Removed,
    Replaced,
    Step,
)

VERSION = 1
_SMALL = 2_000
"""Bytes of a line's steps from which they are compressed."""
_EVERYTHING = 0o777
"""The largest mode: a file that another user may run in the owner's name is none that memory holds."""
_MOST = 1 << 27
"""Bytes that a compressed line may become: 128 MB, which is what 16 MB can be at their worst."""


class NotALine(ValueError):
    """A line that is no record: torn by a crash, damaged, or of a later version."""


def line(record: Record) -> bytes:
    """A commit as a line, newline included. What it took away is in it, compressed where that is long."""
    author = record.author
    said: dict[str, Any] = {"v": VERSION, "id": record.id, "at": _spelt(record.at), "by": author.command}
    said |= {key: name for key, name in (("user", author.user), ("session", author.session)) if name}
    said |= {"run": record.run} if record.run != record.id else {}
    said |= {"undoes": list(record.undoes)} if record.undoes else {}
    steps = json.dumps([_said(step) for step in record.steps]).encode()
    if len(steps) <= _SMALL:
        return json.dumps(said)[:-1].encode() + b', "steps": ' + steps + b"}\n"
    packed = _packed(zlib.compress(steps, 6))
    return json.dumps({**said, "packed": packed}).encode() + b"\n"


def done(name: str) -> bytes:
    """The line that says that a commit is finished."""
    return json.dumps({"v": VERSION, "done": name}).encode() + b"\n"


def parse(raw: bytes) -> Record | str:
    """A commit, or the id of one that is done. Raises NotALine."""
    try:
        said = json.loads(raw)
        if not isinstance(said, dict) or said.get("v") != VERSION:
            raise NotALine
        if "done" in said:
            return str(said["done"])
        at = datetime.fromisoformat(said["at"])
        if at.tzinfo is None:
            raise NotALine
        name, undoes = _text(said["id"]), tuple(map(_text, said.get("undoes", [])))
        author = Author(_text(said["by"]), said.get("user"), said.get("session"))
        steps = tuple(map(_step, _steps(said)))
        return Record(name, at, author, _text(said.get("run", name)), steps, undoes)
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error, MemoryError) as error:
        raise NotALine from error


def _steps(said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]]
    if "packed" in said:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(_unpacked(said["packed"]), _MOST)
        if not unpacking.eof:
            raise NotALine
        found = json.loads(content)
    else:
        found = said["steps"]
    return found


def _said(step: Step) -> dict[str, Any]:
    match step:
        case Created(path, etag, lines):
            return {"create": path, "etag": etag, "lines": lines}
        case Appended(path, size, length, etag, lines):
            return {"append": path, "size": size, "length": length, "etag": etag, "lines": lines}
        case Replaced(path, before, after, start, length, removed, lines):
            said = {"replace": path, "before": before, "after": after, "start": start, "length": length}
            return {**said, "lines": list(lines), **_content(removed)}
        case Moved(path, target, etag):
            return {"move": path, "target": target, "etag": etag}
        case Removed(path, etag, content, lines, mode):
            more = {"mode": mode} if mode != PRIVATE else {}
            return {"remove": path, "etag": etag, "lines": lines, **more, **_content(content)}
        case Permitted(path, before, after):
            return {"permit": path, "before": before, "after": after}


def _step(said: Mapping[str, Any]) -> Step:
    if "move" in said:
        return Moved(_text(said["move"]), _text(said["target"]), _text(said["etag"]))
    if "permit" in said:
        return Permitted(_text(said["permit"]), _mode(said["before"]), _mode(said["after"]))
    if "replace" in said:
        before, after, where = _text(said["before"]), _text(said["after"]), _size(said["start"])
        old, new = map(_size, said["lines"])
        length = _size(said["length"])
        return Replaced(_text(said["replace"]), before, after, where, length, _bytes(said), (old, new))
    etag, lines = _text(said["etag"]), _size(said["lines"])
    if "create" in said:
        return Created(_text(said["create"]), etag, lines)
    if "append" in said:
        return Appended(_text(said["append"]), _size(said["size"]), _size(said["length"]), etag, lines)
    return Removed(_text(said["remove"]), etag, _bytes(said), lines, _mode(said.get("mode", PRIVATE)))


def _content(content: bytes | None) -> dict[str, str]:
    """Bytes as JSON: text where they are UTF-8, so that it compresses as text does."""
    if content is None:
        return {}
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": _packed(content)}


def _bytes(said: Mapping[str, Any]) -> bytes | None:
    if "base64" in said:
        return _unpacked(said["base64"])
    return _text(said["text"]).encode() if "text" in said else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotALine
    return value


def _size(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotALine
    return value


def _mode(value: Any) -> int:
    if _size(value) > _EVERYTHING:
        raise NotALine
    return int(value)


def _packed(content: bytes) -> str:
    return binascii.b2a_base64(content, newline=False).decode()


def _unpacked(text: Any) -> bytes:
    return binascii.a2b_base64(_text(text), strict_mode=True)


def _spelt(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
