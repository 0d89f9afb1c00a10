"""A line of the journal as JSON: a commit, or the marker that a commit is complete."""

from __future__ import annotations

import binascii
import contextlib
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from memtool.core.history.journal import (
    PRIVATE_MODE,
    Appended,
    CommitAuthor,
    CommitRecord,
    CommitStep,
    Created,
    LineMark,
    Moved,
    Permitted,
    Removed,
    Replaced,
    WrittenLines,
)

VERSION = 1
_MAX_UNCOMPRESSED = 2_000
"""Steps longer than this many bytes are compressed."""
_MAX_MODE = 0o777
"""The largest file mode accepted: set-user-id and similar bits never belong on a memory file."""
_MAX_DECOMPRESSED = 1 << 27
"""Largest decompressed size of a line: 128 MB, the worst case of 16 MB of content as JSON."""


class InvalidJournalLine(ValueError):
    """A line that is not a journal entry: torn by a crash, damaged, or of a later version."""


def render_line(record: CommitRecord) -> bytes:
    """A commit as a line with its newline. It includes the removed content, compressed if it is long."""
    author = record.author
    record_json: dict[str, Any] = {
        "v": VERSION,
        "id": record.id,
        "at": _format_time(record.at),
        "by": author.command,
    }
    names = {"user": author.user, "session": author.session, "agent": author.agent}
    record_json |= {key: name for key, name in names.items() if name}
    record_json |= {"run": record.run} if record.run != record.id else {}
    record_json |= {"undoes": list(record.undoes)} if record.undoes else {}
    steps = _json([_step_json(step) for step in record.steps])
    if len(steps) <= _MAX_UNCOMPRESSED:
        return _json(record_json)[:-1] + b', "steps": ' + steps + b"}\n"
    packed = _base64(zlib.compress(steps, 6))
    return _json({**record_json, "packed": packed}) + b"\n"


def completion_line(name: str) -> bytes:
    """The line that marks a commit as complete."""
    return _json({"v": VERSION, "done": name}) + b"\n"


def _json(value: Any) -> bytes:
    """A value as `json.dumps` writes it, without the import of that module where the value is in ASCII."""
    with contextlib.suppress(UnicodeEncodeError):  # a file name that is not Unicode
        text = msgspec.json.format(msgspec.json.encode(value), indent=0)
        if text.isascii():
            return text
    import json

    return json.dumps(value).encode()


def parse(raw: bytes) -> CommitRecord | str:
    """A commit, or the id of a completed one. Raises InvalidJournalLine."""
    import json

    try:
        value = json.loads(raw)
        if not isinstance(value, dict) or value.get("v") != VERSION:
            raise InvalidJournalLine
        if "done" in value:
            return str(value["done"])
        time = datetime.fromisoformat(value["at"])
        if time.tzinfo is None:
            raise InvalidJournalLine
        name, undoes = _text(value["id"]), tuple(map(_text, value.get("undoes", [])))
        author = CommitAuthor(_text(value["by"]), *map(value.get, ("user", "session", "agent")))
        steps = tuple(map(_step, _step_records(value)))
        return CommitRecord(name, time, author, _text(value.get("run", name)), steps, undoes)
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error, MemoryError) as error:
        raise InvalidJournalLine from error


def _step_records(value: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    steps: list[Mapping[str, Any]]
    if "packed" in value:
        decompressor = zlib.decompressobj()
        content = decompressor.decompress(_from_base64(value["packed"]), _MAX_DECOMPRESSED)
        if not decompressor.eof:
            raise InvalidJournalLine
        import json

        steps = json.loads(content)
    else:
        steps = value["steps"]
    return steps


def _step_json(step: CommitStep) -> dict[str, Any]:
    match step:
        case Created(path, etag, lines, written):
            return {"create": path, "etag": etag, "lines": lines, **_written_fields(written)}
        case Appended(path, size, length, etag, lines, written):
            fields = {"append": path, "size": size, "length": length, "etag": etag, "lines": lines}
            return {**fields, **_written_fields(written)}
        case Replaced(path, before, after, start, length, removed, lines, written):
            fields = {"replace": path, "before": before, "after": after, "start": start, "length": length}
            return {**fields, "lines": list(lines), **_content_fields(removed), **_written_fields(written)}
        case Moved(path, target, etag):
            return {"move": path, "target": target, "etag": etag}
        case Removed(path, etag, content, lines, mode):
            more = {"mode": mode} if mode != PRIVATE_MODE else {}
            return {"remove": path, "etag": etag, "lines": lines, **more, **_content_fields(content)}
        case Permitted(path, before, after):
            return {"permit": path, "before": before, "after": after}


def _step(record: Mapping[str, Any]) -> CommitStep:
    if "move" in record:
        return Moved(_text(record["move"]), _text(record["target"]), _text(record["etag"]))
    if "permit" in record:
        return Permitted(_text(record["permit"]), _mode(record["before"]), _mode(record["after"]))
    if "replace" in record:
        before, after, start = _text(record["before"]), _text(record["after"]), _size(record["start"])
        old, new = map(_size, record["lines"])
        length = _size(record["length"])
        removed, written = _content_of(record), _written_of(record)
        return Replaced(_text(record["replace"]), before, after, start, length, removed, (old, new), written)
    etag, lines, written = _text(record["etag"]), _size(record["lines"]), _written_of(record)
    if "create" in record:
        return Created(_text(record["create"]), etag, lines, written)
    if "append" in record:
        size, length = _size(record["size"]), _size(record["length"])
        return Appended(_text(record["append"]), size, length, etag, lines, written)
    return Removed(
        _text(record["remove"]), etag, _content_of(record), lines, _mode(record.get("mode", PRIVATE_MODE))
    )


def _content_fields(content: bytes | None) -> dict[str, str]:
    """Bytes as JSON fields: text if they are UTF-8, which compresses better than Base64."""
    if content is None:
        return {}
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"base64": _base64(content)}


def _content_of(record: Mapping[str, Any]) -> bytes | None:
    if "base64" in record:
        return _from_base64(record["base64"])
    return _text(record["text"]).encode() if "text" in record else None


def _written_fields(written: WrittenLines | None) -> dict[str, Any]:
    """Written lines as JSON fields: a range as two numbers, a mark as digest, `=` if repeated, `^` and id."""
    if written is None:
        return {}
    sources = [
        f"{source.digest}{'=' * source.repeated}{'^' * bool(source.id)}{source.id}"
        if isinstance(source, LineMark)
        else source
        for source in written.sources
    ]
    around = [written.above, written.below, *([written.removed] if written.removed else [])]
    return {"written": sources, "around": around}


def _written_of(record: Mapping[str, Any]) -> WrittenLines | None:
    if "written" not in record:
        return None
    return WrittenLines(tuple(map(_source, record["written"])), *map(_text, record["around"]))


def _source(value: Any) -> tuple[int, int] | LineMark:
    if isinstance(value, list):
        start, end = map(_size, value)
        return start, end
    digest, _, name = _text(value).partition("^")
    return LineMark(digest.removesuffix("="), name, digest.endswith("="))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidJournalLine
    return value


def _size(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidJournalLine
    return value


def _mode(value: Any) -> int:
    if _size(value) > _MAX_MODE:
        raise InvalidJournalLine
    return int(value)


def _base64(content: bytes) -> str:
    return binascii.b2a_base64(content, newline=False).decode()


def _from_base64(text: Any) -> bytes:
    return binascii.a2b_base64(_text(text), strict_mode=True)


def _format_time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
