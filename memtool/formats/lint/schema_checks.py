"""Schema violations of a file's record, each at its line in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from memtool.core.lint.lint_target import SchemaValidator, SourceText
from memtool.core.lint.problem import TextProblem
from memtool.core.secrets.redact import redact_line
from memtool.formats.syntax.frontmatter import split
from memtool.formats.table import MARKDOWN_FORMATS

_MAX_MESSAGE_CHARS = 120

_UNREAD = frozenset({"unread", "unreadable"})
"""Keys of a record under which a format lists the lines that do not read."""


class SchemaViolation(Struct, frozen=True):
    """A violation at a line (from 1) of the file; `place` is its path in the record of that line.

    `is_unread`: the line does not read at all. `is_of_line`: it is that of a record with a line of its own.
    """

    line: int
    place: str
    message: str
    is_unread: bool = False
    is_of_line: bool = False


def schema_violations(
    name: str, record: Mapping[str, Any], validate: SchemaValidator
) -> Iterator[SchemaViolation]:
    """The violations of a record of the format `name`, in order; those of no line in particular at line 1."""
    for path, message in validate(name, record):
        steps = path.split("/") if path else []
        if steps and steps[0] in _UNREAD:
            for line in record[steps[0]]:
                yield SchemaViolation(line, "", "malformed line", is_unread=True, is_of_line=True)
            continue
        value: Any = record
        line, place, is_of_line = 1, steps, False
        for depth, step in enumerate(steps):
            value = value[int(step) if isinstance(value, list) else step]
            if isinstance(value, dict) and type(value.get("line")) is int:
                line, place, is_of_line = value["line"], steps[depth + 1 :], True
        yield SchemaViolation(line, "/".join(place), message, is_of_line=is_of_line)


def violation_problem(source: SourceText, violation: SchemaViolation) -> TextProblem:
    """The problem of a violation, at the start of its line."""
    where = f"`{violation.place}`: " if violation.place else ""
    message = f"{where}{redact_line(violation.message, _MAX_MESSAGE_CHARS)}"
    return TextProblem(source.line_start(violation.line), "M202", message)


def check_text_record(
    source: SourceText, name: str, marks: Iterable[TextProblem], validate: SchemaValidator
) -> Iterator[TextProblem]:
    """Schema violations of a Markdown file, one a line, on lines where nothing was found yet.

    Lines that do not read are left to the format's own checks, which know what other agents write there;
    frontmatter to its checks, which know templates and agents that accept more than YAML.
    """
    format_ = next((entry for entry in MARKDOWN_FORMATS if entry.name == name), None)
    if format_ is None:
        return
    record = format_.record(format_.parse(source.text))
    known = {source.line_start(source.position(mark.offset)[0]) for mark in marks}
    is_known_as_whole = bool(known or split(source.text)[0])
    for violation in schema_violations(name, record, validate):
        at = source.line_start(violation.line)
        is_new = at not in known if violation.is_of_line else not is_known_as_whole
        if is_new and not violation.is_unread:
            known.add(at)
            yield violation_problem(source, violation)
