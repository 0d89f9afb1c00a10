"""JSON text: parsed strictly, written readably, and the line of a value in it."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from memtool.core.text.json_fault import value_fault
from memtool.core.text.regex import regex

JsonStep = str | int
"""One step of a path into a JSON value: a key of an object, or a number in a list."""

_LONE_SURROGATE = "[\ud800-\udfff]"
_QUOTED_CHARS = 12
"""Characters of unexpected trailing text that an error message quotes."""


class InvalidJson(ValueError):
    """Content that is not JSON; the message is worded to follow the file's name."""


class TruncatedJson(InvalidJson):
    """A text that ends inside a JSON value; `line` is its last line that is not blank, from 1."""

    def __init__(self, text: str) -> None:
        self.line = text.rstrip().count("\n") + 1
        super().__init__(f"is truncated: it ends on line {self.line}, inside a value")


def load(content: bytes) -> Any:
    """The value of a file's content, which must be UTF-8 and a single JSON text. Raises InvalidJson.

    Stricter than Python, as RFC 8259 demands: no NaN, no infinities. A byte order mark is skipped.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson(f"is not UTF-8 text (byte {error.start + 1})") from error
    return loads(text)[0]


def loads(text: str) -> tuple[Any, int]:
    """The value of a JSON text, and the offset at which it starts, after a byte order mark.

    Raises InvalidJson.
    """
    start = int(text.startswith("\ufeff"))
    try:
        return _DECODER.decode(text[start:] if start else text), start
    except RecursionError as error:
        raise InvalidJson("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise _invalid(text[start:], error) from error
    except ValueError as error:
        raise InvalidJson(f"is not JSON: {value_fault(error)}") from error


def load_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that starts at an offset of a text, and its end offset. Raises InvalidJson."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise InvalidJson("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise _invalid(text, error) from error
    except ValueError as error:
        raise InvalidJson(f"is not JSON: {value_fault(error)}") from error


def dump(value: Any) -> str:
    """A value as JSON indented by two spaces, with one member or item per line.

    Lone surrogates, which UTF-8 cannot encode, are escaped.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return regex(_LONE_SURROGATE).sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def dump_line(value: Any) -> str:
    """A value as a line of JSON Lines with its newline; all other line separators are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_LINE_SEPARATORS)
    return regex(_LONE_SURROGATE).sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def line_of(text: str, path: Sequence[JsonStep]) -> int:
    """The line (from 1) on which the value at `path` begins; the path has keys and indexes, outermost first.

    If there is no such value, the line of the last existing step; 1 if there is none. The text must be valid
    JSON.
    """
    position = 0
    for step in path:
        next_position = _member_offset(text, _blanks(text, position), step)
        if next_position is None:
            break
        position = next_position
    return text.count("\n", 0, position) + 1


def item_spans(text: str, key: str) -> Iterator[tuple[int, int]]:
    """The spans of the items of a list, which a valid JSON text, an object, has under a key."""
    start = _member_offset(text, _blanks(text, 0), key)
    at = _blanks(text, start + 1) if start is not None else len(text)
    while text[at : at + 1] not in {"]", ""}:
        end = load_at(text, at)[1]
        yield at, end
        at = _blanks(text, end)
        at = _blanks(text, at + 1) if text[at] == "," else at


def _member_offset(text: str, at: int, step: JsonStep) -> int | None:
    """The offset of a member or item of the object or list at `at`; None if it has none."""
    if text[at : at + 1] != ("{" if isinstance(step, str) else "["):
        return None
    index = 0
    at = _blanks(text, at + 1)
    while text[at] not in "]}":
        key: JsonStep = index
        if isinstance(step, str):
            key, at = load_at(text, at)
            at = _blanks(text, _blanks(text, at) + 1)  # past the colon
        if key == step:
            return at
        at = _blanks(text, load_at(text, at)[1])
        if text[at] == ",":
            at = _blanks(text, at + 1)
        index += 1
    return None


def _blanks(text: str, at: int) -> int:
    """The offset after the whitespace and byte order mark at `at`."""
    match = _blank().match(text, at)
    return match.end() if match else at


@functools.cache
def _blank() -> re.Pattern[str]:
    return re.compile(r"[ \t\n\r\ufeff]*")


_LINE_SEPARATORS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Characters that some readers treat as line ends, and their JSON escapes."""


def _invalid(text: str, error: json.JSONDecodeError) -> InvalidJson:
    if not text.strip():
        return InvalidJson("is empty" if not text else "contains only whitespace")
    if "\0" in text:
        return InvalidJson(f"contains a NUL character (at position {text.index(chr(0)) + 1})")
    if error.msg == "Extra data":
        return InvalidJson(
            f"has text after the end of the JSON value: {text[error.pos : error.pos + _QUOTED_CHARS]!r} "
            f"on line {error.lineno}"
        )
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return TruncatedJson(text)
    reason = f"{error.msg[0].lower()}{error.msg[1:]}".removesuffix(" at")
    return InvalidJson(f"is not JSON: {reason} on line {error.lineno}, column {error.colno}")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"invalid value {name}")


def _parse_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text[:40]} is too large")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float)
