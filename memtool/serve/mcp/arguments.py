"""Arguments of tools and prompts: one description each, for the JSON schema and for checking the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.errors import BadUsage

_MAX_SHORT_TEXT = 100
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"


class TextType(Struct, frozen=True):
    """A text of at most `most` characters that is not blank; with `choices`, one of these."""

    most: int
    choices: tuple[str, ...] = ()


class IntegerType(Struct, frozen=True):
    """An integer from `least` to `most`, both included."""

    least: int
    most: int


class TextListType(Struct, frozen=True):
    """A list of texts, each of at most 100 characters."""


class JsonType(Struct, frozen=True):
    """Any JSON value, published with this schema; the verb itself checks it."""

    shape: Mapping[str, Any]


ArgumentType = TextType | IntegerType | TextListType | JsonType


class ToolArgument(Struct, frozen=True):
    """One argument of a tool.

    `description` includes its limits, because some clients show a model only the description. A client may
    also use one of the names in `aliases`; the schema contains `name` alone.
    """

    name: str
    kind: ArgumentType
    description: str
    required: bool = False
    aliases: tuple[str, ...] = ()


def arguments_schema(arguments: Sequence[ToolArgument]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an object with these arguments and no others."""
    object_schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            argument.name: {**_type_schema(argument.kind), "description": argument.description}
            for argument in arguments
        },
        "additionalProperties": False,
    }
    if required := [argument.name for argument in arguments if argument.required]:
        object_schema["required"] = required
    return object_schema


def parse_arguments(tool: str, arguments: Sequence[ToolArgument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The checked values by name; None for an argument that is not given. Raises BadUsage."""
    values: dict[str, Any] = dict.fromkeys(argument.name for argument in arguments)
    for key, value in given.items():
        argument = _find_argument(key, arguments)
        if argument is None:
            names = ", ".join(known.name for known in arguments) or "no arguments"
            raise BadUsage(f"{tool} has no argument {_short(key)}; it takes {names}")
        if value is None:
            continue
        if values[argument.name] is not None:
            raise BadUsage(
                f"the call to {tool} contains {argument.name} twice, under two names; use only one of them"
            )
        values[argument.name] = _check_value(argument.name, argument.kind, value)
    for argument in arguments:
        if argument.required and values[argument.name] is None:
            raise BadUsage(f"{tool} needs {argument.name}: {argument.description}")
    return values


def _find_argument(key: str, arguments: Sequence[ToolArgument]) -> ToolArgument | None:
    """The argument that a key names, ignoring case and underscores: max_results is maxResults."""
    names = [(argument, (argument.name, *argument.aliases)) for argument in arguments]
    return next(
        (
            argument
            for argument, names_of_argument in names
            if _normalise_name(key) in map(_normalise_name, names_of_argument)
        ),
        None,
    )


def _normalise_name(name: str) -> str:
    return name.replace("_", "").lower()


def _type_schema(kind: ArgumentType) -> dict[str, Any]:
    match kind:
        case TextType(most, choices):
            return {"type": "string", "enum": list(choices)} if choices else _string(most)
        case IntegerType(least, most):
            return {"type": "integer", "minimum": least, "maximum": most}
        case TextListType():
            return {"type": "array", "items": _string(_MAX_SHORT_TEXT)}
        case JsonType(shape):
            return dict(shape)
        case _:
            assert_never(kind)


def _string(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


def _check_value(name: str, kind: ArgumentType, value: Any) -> Any:
    match kind:
        case TextType(most, choices):
            return _check_text(name, value, most, choices)
        case IntegerType(least, most):
            return _check_integer(name, value, least, most)
        case TextListType():
            rows = [value] if isinstance(value, str) else value
            if not isinstance(rows, list):
                raise BadUsage(f"{name} must be a list of strings, not {_short(value)}")
            return [_check_text(f"an item of {name}", row, _MAX_SHORT_TEXT, ()) for row in rows] or None
        case JsonType():
            return value
        case _:
            assert_never(kind)


def _check_text(name: str, value: Any, most: int, choices: Sequence[str]) -> str:
    if not isinstance(value, str):
        raise BadUsage(f"{name} must be a string, not {_short(value)}")
    if len(value) > most:
        raise BadUsage(f"{name} is {len(value):,} characters long, but the limit is {most:,}")
    if control := regex(_CONTROL).search(value):
        code = f"U+{ord(control[0]):04X}"
        raise BadUsage(
            f"{name} contains a control character ({code} at position {control.start() + 1}); send plain text"
        )
    if not value.strip():
        raise BadUsage(f"{name} is empty")
    if choices and value not in choices:
        raise BadUsage(f"{name} must be one of {', '.join(choices)}, not {_short(value)}")
    return value


def _check_integer(name: str, value: Any, least: int, most: int) -> int:
    number = value
    if isinstance(value, str) and regex(r"-?[0-9]{1,9}").fullmatch(value.strip()):
        number = int(value)
    if isinstance(value, float) and value.is_integer():
        number = int(value)
    if type(number) is not int or not least <= number <= most:
        raise BadUsage(f"{name} must be a whole number from {least:,} to {most:,}, not {_short(value)}")
    return number


def _short(value: Any) -> str:
    """The start of a value for a message, without control characters."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return ascii(value if len(text) <= 60 else f"{value}"[:60]) if not text.isprintable() else text[:60]
