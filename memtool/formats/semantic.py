"""Semantic file: facts about the user and the world, one per line, for people to read and edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.entry import Fact, Owner
from memtool.core.records.triple import PREDICATES, SemanticRecord, Superseded, Triple
from memtool.core.text.pattern import compiled
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.tag import tag, take

_BULLETS = frozenset("-*+\ufeff")
_LINE = r"(?a)\ufeff?[-*+] \[([a-z][a-z0-9_]+)\][ \t]+(\S[^\n]*)"
_ALMOST = r"(?a)\ufeff?[-*+] \[[A-Za-z0-9_]{2,}\](?:[ \t\r]|$)"
_ID = r"\^([A-Za-z0-9][A-Za-z0-9-]{0,63})"
_SUPERSEDED = r"(?a)\[superseded: (\d{4}-\d\d-\d\d)(?: by \^?([A-Za-z0-9][A-Za-z0-9-]{0,63}))?\]"
_QUOTE = r'[ \t](?:[—–]|--)[ \t]+"((?:[^"\\]|\\.)*)"$'
_UPPER = r"(?a)(?<!\S)[A-Z][A-Z0-9_]+(?!\S)"
_SPECIAL = r'(?a)(?=["_^\[])|(?<!\S)(?=\\*[A-Z][A-Z0-9]+(?!\S))'
_ESCAPED = r'(?a)\\(?=["_^\[])|(?<!\S)\\(?=\\*[A-Z][A-Z0-9]+(?!\S))'
_QUOTED = r"\\(.)"


class Line(Struct, frozen=True, dict=True):
    """One line without its LF, and the record that it parses to, if any."""

    raw: str

    @cached_property
    def record(self) -> SemanticRecord | None:
        """The parsed record; None if the line is not one."""
        return _read(self.raw)


class Semantic(Struct, frozen=True):
    """A semantic file: all its lines in order, including those that are not facts."""

    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        text_lines.check(tuple(line.raw for line in self.lines))


def parse(text: str) -> Semantic:
    """Read any text; `render(parse(text)) == text`."""
    return Semantic(tuple(Line(raw) for raw in text_lines.split(text)))


def render(file: Semantic) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return text_lines.join(tuple(line.raw for line in file.lines))


def line(record: SemanticRecord) -> str:
    """A record as a line, without a newline; it parses back to the record, its texts folded to one line.

    Text that would parse as another part of the line is escaped with a backslash. Raises ValueError for an
    empty fact, or a category that is not lower case with underscores.
    """
    folded = _folded(record)
    for escape in (str, _escape):
        text = _written(folded, escape)
        if _read(text) == folded:
            return text
    raise ValueError(record)


def records(file: Semantic) -> tuple[SemanticRecord, ...]:
    """The records of the file in order, including superseded facts."""
    return tuple(line.record for line in file.lines if line.record)


def unread(file: Semantic) -> tuple[int, ...]:
    """The numbers (from 1) of lines that begin like a fact but do not parse as one."""
    return tuple(
        number
        for number, line in enumerate(file.lines, start=1)
        if line.record is None and re.match(_ALMOST, line.raw)
    )


def add(text: str, records: Sequence[SemanticRecord]) -> str:
    """The text with these records after its last non-blank line; trailing blank lines stay at the end."""
    if not records:
        return text
    lines = text_lines.split(text)
    position = text_lines.behind(lines, 0, len(lines))
    gap = [""] if position and _read(lines[position - 1]) is None else []
    return text_lines.insert(lines, position, [*gap, *(line(record) for record in records)])


def put(text: str, record: SemanticRecord) -> str:
    """The text with this record in place of the line with its id, or added if there is no such line."""
    file = parse(text)
    if record.id is None or all(existing.id != record.id for existing in records(file)):
        return add(text, (record,))
    new = line(record)
    return text_lines.join(tuple(_renewed(old, new, record.id) for old in file.lines))


def update(text: str, changed: Sequence[SemanticRecord]) -> str:
    """The text with these records, each in place of the line with its id, or added if there is none."""
    new = {record.id: record for record in changed}
    file = parse(text)
    lines: list[str] = []
    for old in file.lines:
        renewed = new.pop(old.record.id, None) if old.record and old.record.id else None
        lines.append(_renewed(old, line(renewed), renewed.id) if renewed and renewed.id else old.raw)
    return add(text_lines.join(tuple(lines)), list(new.values()))


def restate(text: str, changed: Mapping[int, SemanticRecord | None]) -> str:
    """The text with lines (numbered from 1) replaced by records; a line mapped to None is removed."""
    lines: list[str] = []
    for number, raw in enumerate(text_lines.split(text), start=1):
        new = changed.get(number)
        if new is not None:
            lines.append(_ended(raw, line(new)))
        elif number not in changed:
            lines.append(raw)
    return text_lines.join(tuple(lines or [""]))


def record(file: Semantic) -> dict[str, Any]:
    """The record of `semantic.schema.json`: the facts, and the lines that should be facts."""
    return {
        "facts": [
            {"line": number, **_as_json(line.record)}
            for number, line in enumerate(file.lines, start=1)
            if line.record
        ],
        "unread": list(unread(file)),
    }


def _as_json(record: SemanticRecord) -> dict[str, Any]:
    statement, superseded = record.known, record.superseded
    fields: dict[str, Any]
    match statement:
        case Fact():
            fields = {"text": statement.detail}
        case Triple():
            fields = {
                "subject": statement.subject,
                "predicate": statement.predicate,
                "object": statement.object,
                "quote": statement.quote,
            }
    return {
        "category": statement.category,
        **fields,
        "owner": str(statement.owner) if statement.owner else None,
        "id": record.id,
        "superseded": {"on": superseded.on.isoformat(), "by": superseded.by} if superseded else None,
    }


def _renewed(old: Line, new: str, name: str) -> str:
    return _ended(old.raw, new) if old.record and old.record.id == name else old.raw


def _ended(old: str, new: str) -> str:
    """A replacement for a line, with that line's byte order mark and CR."""
    bom = "\ufeff" if old.startswith("\ufeff") else ""
    return bom + new + ("\r" if old.endswith("\r") else "")


def _folded(record: SemanticRecord) -> SemanticRecord:
    fold, statement = text_lines.one_line, record.known
    match statement:
        case Fact():
            return replace(record, known=replace(statement, detail=fold(statement.detail)))
        case Triple():
            folded = replace(statement, subject=fold(statement.subject), object=fold(statement.object))
            return replace(record, known=replace(folded, quote=fold(statement.quote or "") or None))


def _written(record: SemanticRecord, escape: Callable[[str], str]) -> str:
    statement = record.known
    match statement:
        case Fact():
            text = escape(statement.detail)
        case Triple():
            text = f"{escape(statement.subject)} {statement.predicate} {escape(statement.object)}"
            if statement.quote or not _is_strong(statement.predicate):
                evidence = re.sub(r'(["\\])', r"\\\1", statement.quote or "")
                text += f' — "{evidence}"'
    past = ""
    if record.superseded:
        by = f" by {record.superseded.by}" if record.superseded.by else ""
        past = f" [superseded: {record.superseded.on.isoformat()}{by}]"
    anchor = f" ^{record.id}" if record.id else ""
    return f"- [{statement.category}] {tag(statement.owner)}{text}{past}{anchor}"


def _read(raw: str) -> SemanticRecord | None:
    match = compiled(_LINE).fullmatch(raw) if raw[:1] in _BULLETS else None
    if not match:
        return None
    rest, name, past = _tail(match[2].rstrip())
    owner, rest = take(rest)
    statement = _known(match[1], rest.strip(), owner) if rest.strip() else None
    return SemanticRecord(statement, name, past) if statement else None


def _tail(rest: str) -> tuple[str, str | None, Superseded | None]:
    """A line's content, its id, and its supersession, which may follow the content in either order."""
    name: str | None = None
    superseded: Superseded | None = None
    while True:
        before, last = _last_word(rest)
        if name is None and (match := compiled(_ID).fullmatch(last)):
            rest, name = before, match[1]
        elif superseded is None and (match_superseded := _superseded(rest)):
            rest, superseded = match_superseded
        else:
            return rest, name, superseded


def _last_word(rest: str) -> tuple[str, str]:
    before, _, last = rest.rpartition(" ")
    return before.rstrip(), last


def _superseded(rest: str) -> tuple[str, Superseded] | None:
    start = rest.rfind("[superseded: ") if rest.endswith("]") else -1
    match = (
        compiled(_SUPERSEDED).fullmatch(rest[start:])
        if start >= 0 and rest[:start][-1:] in {" ", ""}
        else None
    )
    try:
        return (rest[:start].rstrip(), Superseded(date.fromisoformat(match[1]), match[2])) if match else None
    except ValueError:
        return None


def _known(category: str, rest: str, owner: Owner | None) -> Triple | Fact:
    quote = compiled(_QUOTE).search(rest)
    content = rest[: quote.start()] if quote else rest
    end = len(content.rstrip())
    tokens = [token for token in compiled(_UPPER).finditer(content) if token.start() and token.end() < end]
    strong = next((token for token in tokens if _is_strong(token[0])), None)
    token = strong or (tokens[0] if tokens and quote else None)
    if token is None:
        return Fact(category, _unescape(rest), owner)
    subject, object_ = _unescape(content[: token.start()].strip()), _unescape(content[token.end() :].strip())
    evidence = compiled(_QUOTED).sub(r"\1", quote[1]).strip() or None if quote else None
    return Triple(category, subject, token[0], object_, evidence, owner)


def _is_strong(predicate: str) -> bool:
    return "_" in predicate or predicate in PREDICATES


def _escape(text: str) -> str:
    return compiled(_SPECIAL).sub(r"\\", text)


def _unescape(text: str) -> str:
    return compiled(_ESCAPED).sub("", text)
