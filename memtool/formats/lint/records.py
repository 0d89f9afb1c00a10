"""Checks of JSON and JSON Lines files against their formats and schemas."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Any

from memtool.core.lint.problem import Mark
from memtool.core.lint.sheet import Sheet
from memtool.core.lint.subject import Faults, Subject
from memtool.core.records.turn import VERSION, moment_of
from memtool.core.secrets.redact import redact
from memtool.formats import head as head_format
from memtool.formats import quarantine_record, salience
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text
from memtool.formats.syntax.json_text import line_of

_FAULT = {
    "head": head_format.fault,
    "salience": salience.fault,
    "quarantine-record": quarantine_record.fault,
}


def parsed(source: Sheet) -> tuple[Any, Mark | None]:
    """The value of a JSON file, or the problem that it is not JSON."""
    try:
        return json_text.loads(source.text)[0], None
    except json_text.NotJson as error:
        at = getattr(error.__cause__, "pos", 0)
        return None, Mark(min(at, max(len(source.text) - 1, 0)), "M201", f"the file {error}")


def turn(source: Sheet, target: Subject, validate: Faults) -> tuple[int | None, list[Mark]]:
    """The number of a turn file, if known, and its problems."""
    record, invalid = parsed(source)
    if invalid is not None:
        return target.seq, [invalid]
    reason = turn_format.fault(record)
    if reason is not None:
        return target.seq, [_of_version(source, record, reason, validate)]
    seq = int(record["seq"])
    marks: list[Mark] = []
    if target.seq is not None and seq != target.seq:
        at = source.start(line_of(source.text, ["seq"]))
        marks.append(Mark(at, "M215", f"the record says number {seq}, and its name {target.seq}"))
    moment = moment_of(record["created_at"])
    if target.day is not None and moment is not None and moment.astimezone(UTC).date() != target.day:
        at = source.start(line_of(source.text, ["created_at"]))
        day = moment.astimezone(UTC).date()
        marks.append(Mark(at, "M215", f"the turn is of {day}, and lies in the folder of {target.day}"))
    return seq if target.seq is None else target.seq, marks


def _of_version(source: Sheet, record: Any, reason: str, validate: Faults) -> Mark:
    version = record.get("schema_version", 1) if isinstance(record, dict) else None
    if type(version) is int and version > VERSION:
        return Mark(0, "M217", f"the turn is of version {version}, and this memtool knows {VERSION}")
    if type(version) is int and version in {0, 1}:
        return Mark(
            0,
            "M216",
            f"the turn is of version {max(version, 1)}; memtool upgrade-history brings it to {VERSION}",
        )
    return next(_broken(source, "turn", record, validate), Mark(0, "M202", f"the turn {reason}"))


def _broken(source: Sheet, name: str, record: Any, validate: Faults) -> Iterator[Mark]:
    """The schema violations of a record, one per place, each at its line."""
    reported: set[str] = set()
    for schema_path, message in validate(name, record):
        if schema_path in reported:
            continue
        reported.add(schema_path)
        steps = [int(step) if step.isdecimal() else step for step in schema_path.split("/") if step]
        line = line_of(source.text, steps) if isinstance(record, dict | list) else 1
        where = f"`{schema_path}`: " if schema_path else ""
        yield Mark(source.start(line), "M202", f"{where}{_clipped(message)}")


def record(source: Sheet, target: Subject, validate: Faults) -> tuple[Any, list[Mark]]:
    """The value of a JSON file whose format has a schema, and its problems."""
    value, invalid = parsed(source)
    if invalid is not None:
        return None, [invalid]
    reason = _FAULT[target.format](value)
    if reason is None:
        return value, []
    violations = list(_broken(source, target.format, value, validate))
    return None, violations or [Mark(0, "M202", f"the file {reason}")]


def plain(source: Sheet, target: Subject) -> Iterator[Mark]:
    """Problems of an internal file, checked as JSON or JSON Lines by its suffix."""
    if target.path.endswith(".json"):
        _, invalid = parsed(source)
        if invalid is not None:
            yield invalid
    elif target.path.endswith(".jsonl"):
        yield from lines(source)


def lines(source: Sheet) -> Iterator[Mark]:
    """The lines of a JSON Lines file that are not JSON objects."""
    for number, line in enumerate(source.text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.NotJson as error:
            yield Mark(source.start(number), "M205", f"the line {error}")
            continue
        if not isinstance(value, dict):
            yield Mark(source.start(number), "M205", "the line is no JSON object")


def candidates(source: Sheet, validate: Faults) -> Iterator[Mark]:
    """Problems of a file of held candidates: invalid lines, and records that violate the schema."""
    from memtool.formats import candidates as candidates_format

    yield from lines(source)
    rows = candidates_format.record(candidates_format.parse(source.text))["candidates"]
    reported: set[int] = set()
    for schema_path, message in validate("candidates", {"candidates": rows, "unreadable": []}):
        steps = schema_path.split("/")
        if len(steps) < 2 or not steps[1].isdecimal():
            continue
        line = int(rows[int(steps[1])]["line"])
        if line not in reported:
            reported.add(line)
            where = f"`{'/'.join(steps[2:])}`: " if len(steps) > 2 else ""
            yield Mark(source.start(line), "M202", f"{where}{_clipped(message)}")


def _clipped(text: str) -> str:
    plain = " ".join(redact(text).split())
    return plain if len(plain) <= 120 else f"{plain[:119]}…"
