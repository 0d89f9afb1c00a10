"""A line of the journal: a commit, or the word that one is done, as JSON."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from memtool.core.journal import Appended, Author, Created, Moved, Record, Removed, Replaced, Step
from memtool.core.turn import moment_of, spell

VERSION = 1
_SMALL = 2_000
"""Bytes of a line's steps from which they are compressed."""
_MOST = 1 << 29
"""Bytes that a compressed line may become: 512 MB."""


class NotALine(ValueError):
    """A line that is no record: torn by a crash, damaged, or of a later version."""


def line(record: Record) -> bytes:
    """A commit as a line, newline included. What it took away is in it, compressed where that is long."""
    author = record.author
    said: dict[str, Any] = {"v": VERSION, "id": record.id, "at": spell(record.at), "by": author.command}
    said |= {key: name for key, name in (("user", author.user), ("session", author.session)) if name}
    said |= {"run": record.run} if record.run != record.id else {}
    said |= {"undoes": list(record.undoes)} if record.undoes else {}
    steps = json.dumps([_said(step) for step in record.steps]).encode()
    if len(steps) <= _SMALL:
        return json.dumps(said)[:-1].encode() + b', "steps": ' + steps + b"}\n"
    packed = base64.b64encode(zlib.compress(steps, 6)).decode()
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
        at = moment_of(said["at"])
        if at is None:
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
        content = unpacking.decompress(base64.b64decode(said["packed"], validate=True), _MOST)
        if not unpacking.eof:
            raise NotALine
        found = json.loads(content)
    else:
        found = said["steps"]
    return found


def _said(step: Step) -> dict[str, Any]:
    match step:
        case Created(path, etag):
            return {"create": path, "etag": etag}
        case Appended(path, size, length, etag):
            return {"append": path, "size": size, "length": length, "etag": etag}
        case Replaced(path, before, after, start, length, removed):
            said = {"replace": path, "before": before, "after": after, "start": start, "length": length}
            return {**said, **_content(removed)}
        case Moved(path, target, etag):
            return {"move": path, "target": target, "etag": etag}
        case Removed(path, etag, content):
            return {"remove": path, "etag": etag, **_content(content)}


def _step(said: Mapping[str, Any]) -> Step:
    if "create" in said:
        return Created(_text(said["create"]), _text(said["etag"]))
    if "append" in said:
        etag = _text(said["etag"])
        return Appended(_text(said["append"]), _size(said["size"]), _size(said["length"]), etag)
    if "replace" in said:
        before, after = _text(said["before"]), _text(said["after"])
        start, length = _size(said["start"]), _size(said["length"])
        return Replaced(_text(said["replace"]), before, after, start, length, _bytes(said))
    if "move" in said:
        return Moved(_text(said["move"]), _text(said["target"]), _text(said["etag"]))
    return Removed(_text(said["remove"]), _text(said["etag"]), _bytes(said))


def _content(content: bytes | None) -> dict[str, str]:
    """Bytes as JSON: text where they are UTF-8, so that it compresses as text does."""
    if content is None:
        return {}
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _bytes(said: Mapping[str, Any]) -> bytes | None:
    if "base64" in said:
        try:
            return base64.b64decode(said["base64"], validate=True)
        except binascii.Error as error:
            raise NotALine from error
    return _text(said["text"]).encode() if "text" in said else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotALine
    return value


def _size(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotALine
    return value
