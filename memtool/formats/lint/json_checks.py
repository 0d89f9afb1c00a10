"""Checks of JSON and JSON Lines files against their formats and schemas."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from json import JSONDecodeError
from typing import Any

from memtool.core.lint.lint_target import LintTarget, SchemaValidator, SourceText
from memtool.core.lint.problem import TextProblem
from memtool.core.records.health import count_noun
from memtool.core.records.turn import CONCURRENT, TURN_VERSION, parse_moment
from memtool.core.secrets.redact import redact_line
from memtool.core.text.json_fault import json_fault
from memtool.formats import json_lines
from memtool.formats.lint.schema_checks import schema_violations, violation_problem
from memtool.formats.syntax import json_text
from memtool.formats.syntax.json_text import line_of


def parse_json(source: SourceText) -> tuple[Any, TextProblem | None]:
    """The value of a JSON file, or the problem that it is not JSON."""
    try:
        return json_text.loads(source.text)[0], None
    except json_text.InvalidJson as error:
        at = getattr(error.__cause__, "pos", 0)
        return None, TextProblem(min(at, max(len(source.text) - 1, 0)), "M201", f"the file {error}")


def check_turn(
    source: SourceText, target: LintTarget, validate: SchemaValidator
) -> tuple[int | None, list[TextProblem]]:
    """The number of a turn file, if known, and its problems."""
    record, invalid = parse_json(source)
    if invalid is not None:
        return target.seq, [invalid]
    violation = next(_schema_problems(source, "turn", record, validate), None)
    if violation is not None:
        return target.seq, [_version_problem(record) or violation]
    seq = int(record["seq"])
    marks: list[TextProblem] = []
    if target.seq is not None and seq != target.seq:
        at = source.line_start(line_of(source.text, ["seq"]))
        marks.append(
            TextProblem(at, "M215", f"turn number {seq} in the record but {target.seq} in the file name")
        )
    moment = parse_moment(record["created_at"])
    if target.day is not None and moment is not None and moment.astimezone(UTC).date() != target.day:
        at = source.line_start(line_of(source.text, ["created_at"]))
        day = moment.astimezone(UTC).date()
        marks.append(TextProblem(at, "M215", f"turn dated {day} in the folder for {target.day}"))
    if others := record.get(CONCURRENT):
        at, count = (
            source.line_start(line_of(source.text, [CONCURRENT])),
            count_noun(len(others), "other turn"),
        )
        marks.append(TextProblem(at, "M218", f"the file also contains {count} with the number {seq}"))
    return seq if target.seq is None else target.seq, marks


def _version_problem(record: Any) -> TextProblem | None:
    """The problem that a record is a turn of another version; None if it is not."""
    version = record.get("schema_version", 1) if isinstance(record, dict) else None
    if type(version) is int and version > TURN_VERSION:
        return TextProblem(
            0,
            "M217",
            f"turn with schema version {version}, but this version of memtool reads turns only up to "
            f"schema version {TURN_VERSION}; update memtool",
        )
    if type(version) is int and version in {0, 1}:
        return TextProblem(
            0,
            "M216",
            f"turn with schema version {max(version, 1)}, not {TURN_VERSION}; run memtool upgrade-history",
        )
    return None


def _schema_problems(
    source: SourceText, name: str, record: Any, validate: SchemaValidator
) -> Iterator[TextProblem]:
    """The schema violations of a record, one per place, each at its line."""
    reported: set[str] = set()
    for schema_path, message in validate(name, record):
        if schema_path in reported:
            continue
        reported.add(schema_path)
        steps = [int(step) if step.isdecimal() else step for step in schema_path.split("/") if step]
        line = line_of(source.text, steps) if isinstance(record, dict | list) else 1
        where = f"`{schema_path}`: " if schema_path else ""
        yield TextProblem(source.line_start(line), "M202", f"{where}{redact_line(message, 120)}")


def check_record(
    source: SourceText, target: LintTarget, validate: SchemaValidator
) -> tuple[Any, list[TextProblem]]:
    """The value of a JSON file whose format has a schema, and its problems."""
    value, invalid = parse_json(source)
    if invalid is not None:
        return None, [invalid]
    violations = list(_schema_problems(source, target.format, value, validate))
    return (None if violations else value), violations


def check_plain_json(source: SourceText, target: LintTarget) -> Iterator[TextProblem]:
    """Problems of an internal file, checked as JSON or JSON Lines by its suffix."""
    if target.path.endswith(".json"):
        _, invalid = parse_json(source)
        if invalid is not None:
            yield invalid
    elif target.path.endswith(".jsonl"):
        yield from check_json_lines(source)


def _line_fault(error: json_text.InvalidJson) -> str:
    """What is wrong with a line, without the line number of the error, which counts within the line."""
    if isinstance(error, json_text.TruncatedJson):
        return "ends inside a JSON value"
    cause = error.__cause__
    return json_fault(cause) if isinstance(cause, JSONDecodeError) else str(error)


def check_json_lines(source: SourceText) -> Iterator[TextProblem]:
    """The lines of a JSON Lines file that are not JSON objects."""
    for number, line in enumerate(source.text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.InvalidJson as error:
            message = f"malformed entry: the line {_line_fault(error)}"
            yield TextProblem(source.line_start(number), "M205", message)
            continue
        if not isinstance(value, dict):
            message = "malformed entry: the line is not a JSON object"
            yield TextProblem(source.line_start(number), "M205", message)


def check_line_records(source: SourceText, name: str, validate: SchemaValidator) -> Iterator[TextProblem]:
    """Problems of JSON Lines with a schema: invalid lines, and records that violate the schema."""
    yield from check_json_lines(source)
    reported: set[int] = set()
    for violation in schema_violations(
        name, json_lines.record(name, json_lines.parse(source.text)), validate
    ):
        if not violation.is_unread and violation.line not in reported:
            reported.add(violation.line)
            yield violation_problem(source, violation)
