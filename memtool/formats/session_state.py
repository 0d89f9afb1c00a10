"""Session state: the write-ahead log of a session, one dated and categorised line per entry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct

from memtool.core.records.entries import WalEntry
from memtool.core.text.regex import regex
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.owner_tag import TAG_PATTERN, parse_owner, render_tag

_BULLETS = frozenset("-*+\ufeff")
_ENTRY = (
    r"(?a)\ufeff?[-*+] \[(\d{4}-\d\d-\d\d[T ][0-2]\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)\] "
    rf"(?:{TAG_PATTERN} )?"
    r"\*\*([A-Za-z][A-Za-z0-9_-]{0,63})\*\*:[ \t]+(\S[^\n]*)"
)
_ALMOST = r"(?a)\ufeff?[-*+] \[\d{4}-"
_CATEGORY = r"[a-z][a-z0-9_]{0,63}"
_HEADER = r"(?i)\ufeff?# [^\n]*Active Working Memory[ \t\r]*"


class SessionStateLine(Struct, frozen=True, dict=True):
    """One line without its LF, and the entry that it parses to, if any."""

    raw: str

    @cached_property
    def entry(self) -> WalEntry | None:
        """The parsed entry; None if the line is not one."""
        return _parse_line(self.raw)


class SessionState(Struct, frozen=True):
    """A session state file: all its lines in order, including those that are not entries."""

    lines: tuple[SessionStateLine, ...]

    def __post_init__(self) -> None:
        text_lines.check(tuple(line.raw for line in self.lines))


def parse(text: str) -> SessionState:
    """Read any text; `render(parse(text)) == text`."""
    return SessionState(tuple(SessionStateLine(raw) for raw in text_lines.split(text)))


def render(state: SessionState) -> str:
    """The file's text; `parse(render(state)) == state`."""
    return text_lines.join(tuple(line.raw for line in state.lines))


def render_line(entry: WalEntry) -> str:
    """An entry as a line, without a newline; its time in UTC with seconds.

    Raises ValueError for a naive time or a category that is not lower case with underscores.
    """
    if entry.at.tzinfo is None or not regex(_CATEGORY).fullmatch(entry.category):
        raise ValueError(entry)
    time = entry.at.astimezone(UTC).isoformat(timespec="seconds")
    detail = text_lines.fold_line_breaks(entry.detail)
    if not detail:
        raise ValueError(entry)
    return f"- [{time}] {render_tag(entry.owner)}**{entry.category}**: {detail}"


def entries(state: SessionState) -> tuple[WalEntry, ...]:
    """The entries in the order of the file."""
    return tuple(line.entry for line in state.lines if line.entry)


def invalid_lines(state: SessionState) -> tuple[int, ...]:
    """The numbers (from 1) of lines that begin like an entry but do not parse as one."""
    return tuple(
        number
        for number, line in enumerate(state.lines, start=1)
        if line.entry is None and regex(_ALMOST).match(line.raw)
    )


def header(state: SessionState) -> str | None:
    """The title line that marks a session state; None if the file has none."""
    for line in state.lines:
        if regex(_HEADER).fullmatch(line.raw):
            return line.raw.strip("\ufeff \t\r")
    return None


def split_oldest(text: str, keep_bytes: int) -> tuple[str, str]:
    """Split off what does not fit: the text to keep, and the oldest entries to archive (empty if all fits).

    The head (everything before the first entry) stays, with as many of the newest entries as fit in
    `keep_bytes` of UTF-8, and always the newest one. An entry includes the lines that follow it. Nothing is
    dropped: the archived part is one piece, taken from right after the head.
    """
    starts = _entry_starts(text)
    if not starts or _size(text) <= keep_bytes:
        return text, ""
    space = keep_bytes - _size(text[: starts[0]])
    cut = starts[-1]
    space -= _size(text[cut:])
    for start in reversed(starts[:-1]):
        space -= _size(text[start:cut])
        if space < 0:
            break
        cut = start
    return text[: starts[0]] + text[cut:], text[starts[0] : cut]


def split_entries(text: str, takes: Callable[[WalEntry], bool]) -> tuple[str, list[str]]:
    """Split off the entries that `takes` accepts: the text without them, and these, each with its newline.

    An entry includes the lines that follow it; the head, which is everything before the first entry, stays.
    """
    starts = [*_entry_starts(text), len(text)]
    if len(starts) == 1:
        return text, []
    remaining, taken = [text[: starts[0]]], []
    for start, end in pairwise(starts):
        part = text[start:end]
        entry = SessionStateLine(part.partition("\n")[0]).entry
        if entry is not None and takes(entry):
            taken.append(part if part.endswith("\n") else f"{part}\n")
        else:
            remaining.append(part)
    return "".join(remaining), taken


def record(state: SessionState) -> dict[str, Any]:
    """The record of `session-state.schema.json`: header, entries, and lines that should be entries."""
    return {
        "header": header(state),
        "entries": [
            {
                "line": number,
                "at": line.entry.at.isoformat(),
                "category": line.entry.category,
                "detail": line.entry.detail,
                "owner": str(line.entry.owner) if line.entry.owner else None,
            }
            for number, line in enumerate(state.lines, start=1)
            if line.entry
        ],
        "unread": list(invalid_lines(state)),
    }


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the entries of two versions of a base, as `merge_log` merges them."""
    from memtool.formats.syntax.log_merge import merge_log  # few commands merge

    return merge_log(base, ours, theirs, _entry_time, blank=0)


def _entry_time(line: str) -> datetime | None:
    entry = _parse_line(line)
    return None if entry is None else entry.at.replace(tzinfo=None)


def _parse_line(raw: str) -> WalEntry | None:
    match = regex(_ENTRY).fullmatch(raw) if raw[:1] in _BULLETS else None
    if not match:
        return None
    stamp, kind, name, category, detail = match.groups()
    time, author = _parse_time(stamp), parse_owner(kind, name) if kind else None
    if time is None or (kind and author is None):
        return None
    return WalEntry(time, category, detail.rstrip(), author)


def _parse_time(stamp: str) -> datetime | None:
    """An instant in UTC; a time without an offset is taken as UTC."""
    try:
        time = datetime.fromisoformat(stamp.replace(",", "."))
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _entry_starts(text: str) -> list[int]:
    starts, offset = [], 0
    for line in parse(text).lines:
        if line.entry:
            starts.append(offset)
        offset += len(line.raw) + 1
    return starts


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
