"""JSON Lines: a record a line, that programs append; held candidates, feedback, the crisis log, receipts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.records.turn import parse_moment
from memtool.formats.syntax import json_text

if TYPE_CHECKING:
    from memtool.core.text.record_merge import MergeRecord


class JsonLines(Struct, frozen=True):
    """The unparsed lines of a file."""

    text: str


def parse(text: str) -> JsonLines:
    """Read any text; `render(parse(text)) == text`."""
    return JsonLines(text)


def render(value: JsonLines) -> str:
    """The file's text; `parse(render(value)) == value`."""
    return value.text


def record(name: str, value: JsonLines) -> dict[str, Any]:
    """The record of a schema: under `name` each object with its line, and the unreadable lines."""
    parsed = list(_parse_lines(value.text))
    return {
        name: [{"line": number, **row} for number, row in parsed if row is not None],
        "unreadable": [number for number, row in parsed if row is None],
    }


def rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object of a text with the number of its line, without the lines that are no objects."""
    for number, row in _parse_lines(text):
        if row is not None:
            yield number, row


def merge(base: str, ours: str, theirs: str, *, by_id: bool = False) -> str:
    """The text with the lines of two versions of a base, sorted by their time (`at`), then their text.

    A line is there if either side added it, and not if either side deleted it. With `by_id`, lines with the
    same `id` are one record, of which the changed line is taken, and of two the later. Lines without a valid
    time come first; blank lines are removed.
    """
    from memtool.core.text.record_merge import merge_records  # few processes merge
    from memtool.formats.syntax.record_tree import frame_and_lines, in_frame, merge_frames

    frames, versions = [], []
    for text in (base, ours, theirs):
        frame, lines = frame_and_lines(text)
        frames.append(frame)
        records = [_describe(line, by_id=by_id) for line in lines if line.strip()]
        if by_id:  # of two lines with one id the later counts
            ranked = sorted(records, key=lambda row: (row.rank, row.text))
            records = [*{row.key: row for row in ranked}.values()]
        versions.append(records)
    merged = sorted(merge_records(*versions), key=lambda row: (row.order, row.text))
    return in_frame(merge_frames(*frames), [row.text for row in merged])


def _describe(line: str, *, by_id: bool) -> MergeRecord:
    from memtool.core.text.record_merge import MergeRecord

    try:
        value = json_text.loads(line)[0]
    except json_text.InvalidJson:
        value = None
    fields = value if isinstance(value, dict) else {}
    at, name = fields.get("at"), fields.get("id")
    moment = (parse_moment(at) if isinstance(at, str) else None) or datetime.min.replace(tzinfo=UTC)
    key = f"id {name}" if by_id and isinstance(name, str) else f"line {line}"
    return MergeRecord(key, line, rank=(moment,), order=(moment,))


def _parse_lines(text: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.InvalidJson:
            value = None
        yield number, value if isinstance(value, dict) else None
