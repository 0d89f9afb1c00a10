"""Semantic file: facts about the user and the world, one per line, for people to read and edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.entries import Fact, Owner
from memtool.core.records.semantic import PREDICATES, FactTriple, SemanticRecord, Supersession
from memtool.core.text.regex import regex
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.owner_tag import render_tag, split_tag

if TYPE_CHECKING:
    from memtool.core.text.record_merge import MergeRecord

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
CACHED_LINES = 16_384
"""Lines that are kept parsed: an editor's document is parsed after each keystroke, and twice to check it."""


class SemanticLine(Struct, frozen=True):
    """One line without its LF, and the record that it parses to, if any."""

    raw: str

    @property
    def record(self) -> SemanticRecord | None:
        """The parsed record; None if the line is not one."""
        return _parse_line(self.raw)


class SemanticFile(Struct, frozen=True):
    """A semantic file: all its lines in order, including those that are not facts."""

    lines: tuple[SemanticLine, ...]

    def __post_init__(self) -> None:
        text_lines.check(tuple(line.raw for line in self.lines))


def parse(text: str) -> SemanticFile:
    """Read any text; `render(parse(text)) == text`."""
    return SemanticFile(tuple(SemanticLine(raw) for raw in text_lines.split(text)))


def render(file: SemanticFile) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return text_lines.join(tuple(line.raw for line in file.lines))


def render_line(record: SemanticRecord) -> str:
    """A record as a line, without a newline; it parses back to the record, its texts folded to one line.

    Text that would parse as another part of the line is escaped with a backslash. Raises ValueError for an
    empty fact, or a category that is not lower case with underscores.
    """
    folded = _fold_texts(record)
    for escape in (str, _escape):
        text = _format(folded, escape)
        if _parse_line(text) == folded:
            return text
    raise ValueError(record)


def records(file: SemanticFile) -> tuple[SemanticRecord, ...]:
    """The records of the file in order, including superseded facts."""
    return tuple(line.record for line in file.lines if line.record)


def invalid_lines(file: SemanticFile) -> tuple[int, ...]:
    """The numbers (from 1) of lines that begin like a fact but do not parse as one."""
    return tuple(number for number, line in enumerate(file.lines, start=1) if is_invalid(line.raw))


def is_invalid(raw: str) -> bool:
    """Whether a line begins like a fact but does not parse as one."""
    return raw[:1] in _BULLETS and _parse_line(raw) is None and regex(_ALMOST).match(raw) is not None


def add(text: str, records: Sequence[SemanticRecord]) -> str:
    """The text with these records after its last non-blank line; trailing blank lines stay at the end."""
    if not records:
        return text
    lines = text_lines.split(text)
    position = text_lines.end_of_content(lines, 0, len(lines))
    gap = [""] if position and _parse_line(lines[position - 1]) is None else []
    return text_lines.insert(lines, position, [*gap, *(render_line(record) for record in records)])


def put(text: str, record: SemanticRecord) -> str:
    """The text with this record in place of the line with its id, or added if there is no such line."""
    file = parse(text)
    if record.id is None or all(existing.id != record.id for existing in records(file)):
        return add(text, (record,))
    new = render_line(record)
    return text_lines.join(tuple(_replace_if_id(old, new, record.id) for old in file.lines))


def update(text: str, changed: Mapping[str, SemanticRecord]) -> str:
    """The text with these records, each in place of the line with the given id, or added if there is none."""
    new = dict(changed)
    file = parse(text)
    lines: list[str] = []
    for old in file.lines:
        renewed = new.pop(old.record.id, None) if old.record and old.record.id else None
        lines.append(_with_line_marks(old.raw, render_line(renewed)) if renewed else old.raw)
    return add(text_lines.join(tuple(lines)), list(new.values()))


def move_to_end(text: str, names: Sequence[str]) -> str:
    """The text with the facts with these ids as the last ones of the facts in a row.

    A fact moves with the indented lines below it, which belong to it, and never between another one's.
    """
    lines = [*text_lines.split(text)]
    for name in names:
        for start, raw in enumerate(lines):
            record = _parse_line(raw) if f"^{name}" in raw and not raw.startswith("\ufeff") else None
            if record is not None and record.id == name:
                end = rest = _end_of_fact(lines, start)
                while end < len(lines) and _parse_line(lines[end]) is not None:
                    end = _end_of_fact(lines, end)
                lines[start:end] = [*lines[rest:end], *lines[start:rest]]
                break
    return text_lines.join(tuple(lines))


def _end_of_fact(lines: Sequence[str], start: int) -> int:
    """The line after a fact and the indented lines below it."""
    end = start + 1
    while end < len(lines) and lines[end][:1] in (" ", "\t") and lines[end].strip():
        end += 1
    return end


def replace_lines(text: str, changed: Mapping[int, SemanticRecord | None]) -> str:
    """The text with lines (numbered from 1) replaced by records; a line mapped to None is removed."""
    lines: list[str] = []
    for number, raw in enumerate(text_lines.split(text), start=1):
        new = changed.get(number)
        if new is not None:
            lines.append(_with_line_marks(raw, render_line(new)))
        elif number not in changed:
            lines.append(raw)
    return text_lines.join(tuple(lines or [""]))


def record(file: SemanticFile) -> dict[str, Any]:
    """The record of `semantic.schema.json`: the facts, and the lines that should be facts."""
    rows = [_line_record(line.raw, number) for number, line in enumerate(file.lines, start=1)]
    unread = [
        number
        for number, (line, row) in enumerate(zip(file.lines, rows, strict=True), start=1)
        if row is None and is_invalid(line.raw)
    ]
    return {"facts": [row for row in rows if row is not None], "unread": unread}


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the facts of two versions of a base; a superseded fact wins over the active one.

    A fact whose id one side removed is removed; two changed statements of one id are both there.
    """
    from memtool.formats.syntax.record_tree import merge_tree  # few processes merge

    return merge_tree(base, ours, theirs, _describe)


def _describe(block: str) -> MergeRecord:
    from memtool.core.text.record_merge import MergeRecord

    record = None if "\n" in block else _parse_line(block)
    if record is None:
        return MergeRecord(block, block)
    active = render_line(replace(record, superseded=None))
    return MergeRecord(active, block, rank=(record.superseded is not None,), id=record.id or "")


@lru_cache(CACHED_LINES)
def _line_record(raw: str, number: int) -> dict[str, Any] | None:
    """The record of a line, if it is one; an equal line has the same object (see `store.config.schemas`)."""
    record = _parse_line(raw)
    if record is None:
        return None
    statement, superseded = record.fact, record.superseded
    fields: dict[str, Any]
    match statement:
        case Fact():
            fields = {"text": statement.detail}
        case FactTriple():
            fields = {
                "subject": statement.subject,
                "predicate": statement.predicate,
                "object": statement.object,
                "quote": statement.quote,
            }
    return {
        "line": number,
        "category": statement.category,
        **fields,
        "owner": str(statement.owner) if statement.owner else None,
        "id": record.id,
        "superseded": {"on": superseded.on.isoformat(), "by": superseded.by} if superseded else None,
    }


def _replace_if_id(old: SemanticLine, new: str, name: str) -> str:
    return _with_line_marks(old.raw, new) if old.record and old.record.id == name else old.raw


def _with_line_marks(old: str, new: str) -> str:
    """A replacement for a line, with that line's byte order mark and CR."""
    bom = "\ufeff" if old.startswith("\ufeff") else ""
    return bom + new + ("\r" if old.endswith("\r") else "")


def _fold_texts(record: SemanticRecord) -> SemanticRecord:
    fold, statement = text_lines.fold_line_breaks, record.fact
    match statement:
        case Fact():
            return replace(record, fact=replace(statement, detail=fold(statement.detail)))
        case FactTriple():
            folded = replace(statement, subject=fold(statement.subject), object=fold(statement.object))
            return replace(record, fact=replace(folded, quote=fold(statement.quote or "") or None))


def _format(record: SemanticRecord, escape: Callable[[str], str]) -> str:
    statement = record.fact
    match statement:
        case Fact():
            text = escape(statement.detail)
        case FactTriple():
            text = f"{escape(statement.subject)} {statement.predicate} {escape(statement.object)}"
            if statement.quote or not _is_strong(statement.predicate):
                evidence = re.sub(r'(["\\])', r"\\\1", statement.quote or "")
                text += f' — "{evidence}"'
    past = ""
    if record.superseded:
        by = f" by {record.superseded.by}" if record.superseded.by else ""
        past = f" [superseded: {record.superseded.on.isoformat()}{by}]"
    anchor = f" ^{record.id}" if record.id else ""
    return f"- [{statement.category}] {render_tag(statement.owner)}{text}{past}{anchor}"


@lru_cache(CACHED_LINES)
def _parse_line(raw: str) -> SemanticRecord | None:
    match = regex(_LINE).fullmatch(raw) if raw[:1] in _BULLETS else None
    if not match:
        return None
    rest, name, past = _parse_tail(match[2].rstrip())
    owner, rest = split_tag(rest)
    statement = _parse_statement(match[1], rest.strip(), owner) if rest.strip() else None
    return SemanticRecord(statement, name, past) if statement else None


def _parse_tail(rest: str) -> tuple[str, str | None, Supersession | None]:
    """A line's content, its id, and its supersession, which may follow the content in either order."""
    name: str | None = None
    superseded: Supersession | None = None
    while True:
        before, last = _last_word(rest)
        if name is None and (match := regex(_ID).fullmatch(last)):
            rest, name = before, match[1]
        elif superseded is None and (match_superseded := _parse_superseded(rest)):
            rest, superseded = match_superseded
        else:
            return rest, name, superseded


def _last_word(rest: str) -> tuple[str, str]:
    before, _, last = rest.rpartition(" ")
    return before.rstrip(), last


def _parse_superseded(rest: str) -> tuple[str, Supersession] | None:
    start = rest.rfind("[superseded: ") if rest.endswith("]") else -1
    match = (
        regex(_SUPERSEDED).fullmatch(rest[start:]) if start >= 0 and rest[:start][-1:] in {" ", ""} else None
    )
    try:
        return (
            (rest[:start].rstrip(), Supersession(date.fromisoformat(match[1]), match[2])) if match else None
        )
    except ValueError:
        return None


def _parse_statement(category: str, rest: str, owner: Owner | None) -> FactTriple | Fact:
    quote = regex(_QUOTE).search(rest)
    content = rest[: quote.start()] if quote else rest
    end = len(content.rstrip())
    tokens = [token for token in regex(_UPPER).finditer(content) if token.start() and token.end() < end]
    strong = next((token for token in tokens if _is_strong(token[0])), None)
    token = strong or (tokens[0] if tokens and quote else None)
    if token is None:
        return Fact(category, _unescape(rest), owner)
    subject, object_ = _unescape(content[: token.start()].strip()), _unescape(content[token.end() :].strip())
    evidence = regex(_QUOTED).sub(r"\1", quote[1]).strip() or None if quote else None
    return FactTriple(category, subject, token[0], object_, evidence, owner)


def _is_strong(predicate: str) -> bool:
    return "_" in predicate or predicate in PREDICATES


def _escape(text: str) -> str:
    return regex(_SPECIAL).sub(r"\\", text)


def _unescape(text: str) -> str:
    return regex(_ESCAPED).sub("", text)
