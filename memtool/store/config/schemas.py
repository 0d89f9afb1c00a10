"""The JSON schemas of memtool's files and outputs, and validation against them."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from memtool.core.digest import blake2b
from memtool.core.records.turn import parse_moment
from memtool.core.secrets.redact import redact_line

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.protocols import Validator

_MAX_MESSAGE_CHARS = 120
_MAX_VALID_LINES = 16_384
"""Records of lines that are remembered as valid, for each schema: more than an editor's documents have."""


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


def invalid_reason(name: str, record: Any) -> str | None:
    """Why a record is refused, worded to follow its name; None if it is valid."""
    found = violation(name, record)
    return found and f"does not match the schema {name}: {found}"


def specification() -> str:
    """The page that specifies every format, in Markdown."""
    with open(os.path.join(_folder(), "README.md"), encoding="utf-8") as file:
        return file.read()


@functools.cache
def _validator(name: str) -> Validator:
    with open(os.path.join(_folder(), f"{name}.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    validator: Validator = _caching_class()(schema, format_checker=format_checker())
    return validator


def format_checker() -> FormatChecker:
    """What the schemas mean by their formats: a date-time is one of RFC 3339 that there is."""
    from jsonschema import FormatChecker

    checker = FormatChecker()
    checker.checks("date-time")(lambda value: not isinstance(value, str) or parse_moment(value) is not None)
    return checker


def _caching_class() -> Any:
    """jsonschema's class for Draft 2020-12, whose validator makes those of the parts of its schema once.

    The library makes them anew for each value, which is most of its time: a turn of five messages takes
    0.14 ms in place of 0.33. Parts are told by their identity, so the class is for one schema.

    The record of a line that was valid is not validated again: an editor checks the whole file after each
    keystroke, and a file of 1,500 facts takes 300 ms.
    """
    from jsonschema import Draft202012Validator, validators

    parts: dict[int, Any] = {}
    valid_lines: dict[tuple[int, bytes], None] = {}
    valid_records: dict[tuple[int, int], Any] = {}
    """Records by the identities of their schema and their own: most lines are the very record of before."""

    def part(validator: Any, schema: Any) -> Any:
        known = parts.get(id(schema))
        if known is None:
            known = parts[id(schema)] = validator.evolve(schema=schema)
        return known

    def properties(validator: Any, named: Any, instance: Any, _: Any) -> Iterator[Any]:
        for name, schema in named.items() if validator.is_type(instance, "object") else ():
            if name in instance:
                yield from _at(name, part(validator, schema).iter_errors(instance[name]))

    def items(validator: Any, schema: Any, instance: Any, parent: Any) -> Iterator[Any]:
        if "prefixItems" in parent:
            yield from Draft202012Validator.VALIDATORS["items"](validator, schema, instance, parent) or ()
            return
        schema_id = id(schema)
        for number, value in enumerate(instance) if validator.is_type(instance, "array") else ():
            if (record_id := (schema_id, id(value))) in valid_records:
                continue
            digest = _line_digest(value)
            errors = []
            if digest is None or (schema_id, digest) not in valid_lines:
                errors = [*part(validator, schema).iter_errors(value)]
            if digest is not None and not errors:
                _remember(valid_lines, (schema_id, digest), None)
                _remember(valid_records, record_id, value)
            yield from _at(number, errors)

    def if_(validator: Any, condition: Any, instance: Any, parent: Any) -> Iterator[Any]:
        branch = "then" if part(validator, condition).is_valid(instance) else "else"
        if branch in parent:
            yield from part(validator, parent[branch]).iter_errors(instance)

    keywords = {"properties": properties, "items": items, "if": if_}
    return validators.extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]


def _remember(known: dict[Any, Any], key: object, value: object) -> None:
    """Add an entry; above the limit, the oldest is removed."""
    if len(known) >= _MAX_VALID_LINES:
        del known[next(iter(known))]
    known[key] = value


def _line_digest(value: Any) -> bytes | None:
    """A hash of the record of a line of a file, whatever the number of the line; None for any other value."""
    if not isinstance(value, dict) or type(value.get("line")) is not int or value["line"] < 1:
        return None
    try:
        content = msgspec.msgpack.encode({**value, "line": 1})
    except (TypeError, ValueError, OverflowError):  # such as a lone surrogate
        return None
    return blake2b(content, digest_size=16).digest()


def _at(step: str | int, errors: Iterable[Any]) -> Iterator[Any]:
    """The errors of the value at a step of a record."""
    for error in errors:
        error.path.appendleft(step)
        yield error


@functools.cache
def _folder() -> str:
    """The folder `schemas/` inside the installed package, or beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    inside = os.path.join(package, "schemas")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "schemas")
