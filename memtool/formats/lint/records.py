"""Records: files of JSON and JSON Lines, against what their formats and schemas ask for."""

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


def parsed(sheet: Sheet) -> tuple[Any, Mark | None]:
    """The value of a JSON file, or the mark that says why it is none."""
    try:
        return json_text.loads(sheet.text)[0], None
    except json_text.NotJson as error:
        at = getattr(error.__cause__, "pos", 0)
        return None, Mark(min(at, max(len(sheet.text) - 1, 0)), "M201", f"the file {error}")


def turn(sheet: Sheet, subject: Subject, faults: Faults) -> tuple[int | None, list[Mark]]:
    """The number of a turn's file, as far as it has one, and what is wrong with it."""
    record, broken = parsed(sheet)
    if broken is not None:
        return subject.seq, [broken]
    why = turn_format.fault(record)
    if why is not None:
        return subject.seq, [_of_version(sheet, record, why, faults)]
    seq = int(record["seq"])
    found: list[Mark] = []
    if subject.seq is not None and seq != subject.seq:
        at = sheet.start(line_of(sheet.text, ["seq"]))
        found.append(Mark(at, "M215", f"the record says number {seq}, and its name {subject.seq}"))
    moment = moment_of(record["created_at"])
    if subject.day is not None and moment is not None and moment.astimezone(UTC).date() != subject.day:
        at = sheet.start(line_of(sheet.text, ["created_at"]))
        day = moment.astimezone(UTC).date()
        found.append(Mark(at, "M215", f"the turn is of {day}, and lies in the folder of {subject.day}"))
    return seq if subject.seq is None else subject.seq, found


def _of_version(sheet: Sheet, record: Any, why: str, faults: Faults) -> Mark:
    version = record.get("schema_version", 1) if isinstance(record, dict) else None
    if type(version) is int and version > VERSION:
        return Mark(0, "M217", f"the turn is of version {version}, and this memtool knows {VERSION}")
    if type(version) is int and version in {0, 1}:
        return Mark(
            0,
            "M216",
            f"the turn is of version {max(version, 1)}; memtool upgrade-history brings it to {VERSION}",
        )
    return next(_broken(sheet, "turn", record, faults), Mark(0, "M202", f"the turn {why}"))


def _broken(sheet: Sheet, name: str, record: Any, faults: Faults) -> Iterator[Mark]:
    """Each place where a record breaks its schema, at its line."""
    done: set[str] = set()
    for place, said in faults(name, record):
        if place in done:
            continue
        done.add(place)
        steps = [int(step) if step.isdecimal() else step for step in place.split("/") if step]
        line = line_of(sheet.text, steps) if isinstance(record, dict | list) else 1
        where = f"`{place}`: " if place else ""
        yield Mark(sheet.start(line), "M202", f"{where}{_clipped(said)}")


def record(sheet: Sheet, subject: Subject, faults: Faults) -> tuple[Any, list[Mark]]:
    """The value of a JSON file whose format has a schema, and what is wrong with it."""
    value, broken = parsed(sheet)
    if broken is not None:
        return None, [broken]
    why = _FAULT[subject.format](value)
    if why is None:
        return value, []
    found = list(_broken(sheet, subject.format, value, faults))
    return None, found or [Mark(0, "M202", f"the file {why}")]


def plain(sheet: Sheet, subject: Subject) -> Iterator[Mark]:
    """A file that memtool keeps for itself, as JSON or JSON Lines by its ending."""
    if subject.path.endswith(".json"):
        _, broken = parsed(sheet)
        if broken is not None:
            yield broken
    elif subject.path.endswith(".jsonl"):
        yield from lines(sheet)


def lines(sheet: Sheet) -> Iterator[Mark]:
    """The lines of JSON Lines that are no JSON objects; a last one without its end was being written."""
    for number, row in enumerate(sheet.text.removeprefix("\ufeff").split("\n"), start=1):
        if not row.strip():
            continue
        try:
            value = json_text.loads(row)[0]
        except json_text.NotJson as error:
            yield Mark(sheet.start(number), "M205", f"the line {error}")
            continue
        if not isinstance(value, dict):
            yield Mark(sheet.start(number), "M205", "the line is no JSON object")


def candidates(sheet: Sheet, faults: Faults) -> Iterator[Mark]:
    """Candidates that wait: lines that are none, and records that break the schema."""
    from memtool.formats import candidates as candidates_format

    yield from lines(sheet)
    told = candidates_format.record(candidates_format.parse(sheet.text))["candidates"]
    done: set[int] = set()
    for place, said in faults("candidates", {"candidates": told, "unreadable": []}):
        steps = place.split("/")
        if len(steps) < 2 or not steps[1].isdecimal():
            continue
        line = int(told[int(steps[1])]["line"])
        if line not in done:
            done.add(line)
            where = f"`{'/'.join(steps[2:])}`: " if len(steps) > 2 else ""
            yield Mark(sheet.start(line), "M202", f"{where}{_clipped(said)}")


def _clipped(said: str) -> str:
    plain = " ".join(redact(said).split())
    return plain if len(plain) <= 120 else f"{plain[:119]}…"
