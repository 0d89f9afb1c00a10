"""The JSON schemas of memtool's files and outputs, and validation against them."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memtool.core.records.turn import parse_moment
from memtool.core.secrets.redact import redact_line

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MAX_MESSAGE_CHARS = 120


def schema_names() -> list[str]:
    """The names of all schemas: of formats (`daily-note`) and of outputs (`out-search`)."""
    ending = ".schema.json"
    return sorted(file.removesuffix(ending) for file in os.listdir(_folder()) if file.endswith(ending))


def violations(name: str, record: Any) -> Iterator[tuple[str, str]]:
    """The schema violations of a record, as places and messages in order; empty if it is valid."""
    for error in sorted(_validator(name).iter_errors(record), key=lambda error: [*map(str, error.path)]):
        yield "/".join(map(str, error.absolute_path)), error.message


def violation(name: str, record: Any) -> str | None:
    """The first schema violation of a record as one sentence without secrets; None if it is valid."""
    for place, message in violations(name, record):
        shown = redact_line(message, _MAX_MESSAGE_CHARS)
        return f"`{place}`: {shown}" if place else shown
    return None


def specification() -> str:
    """The page that specifies every format, in Markdown."""
    with open(os.path.join(_folder(), "README.md"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def _validator(name: str) -> Validator:
    from jsonschema import Draft202012Validator, FormatChecker

    with open(os.path.join(_folder(), f"{name}.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    checker = FormatChecker()
    checker.checks("date-time")(lambda value: not isinstance(value, str) or parse_moment(value) is not None)
    return Draft202012Validator(schema, format_checker=checker)


@functools.cache
def _folder() -> str:
    """The folder `schemas/` inside the installed package, or beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    inside = os.path.join(package, "schemas")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "schemas")
