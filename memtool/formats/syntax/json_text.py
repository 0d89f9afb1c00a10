"""JSON text: read strictly, written so that people can read it and what was read comes back."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

Step = str | int
"""One step of a path into a JSON value: a key of an object, or a number in a list."""

_LONE = re.compile("[\ud800-\udfff]")
_SIZED = 12
"""Characters of a text that stands where a file should end, as a message shows them."""


class NotJson(ValueError):
    """A content that is no JSON text; says why, to stand after the file's name."""


def load(content: bytes) -> Any:
    """The value that a file's content holds: UTF-8, one JSON text, and nothing after it. Raises NotJson.

    Stricter than Python, as RFC 8259 asks: no NaN, no infinities. A byte order mark is passed over.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise NotJson(f"is not UTF-8 text (byte {error.start + 1})") from error
    return loads(text)[0]


def loads(text: str) -> tuple[Any, int]:
    """The value of a JSON text, and where in it the JSON starts: behind its byte order mark, if any.

    Raises NotJson.
    """
    start = int(text.startswith("\ufeff"))
    try:
        return _DECODER.decode(text[start:] if start else text), start
    except RecursionError as error:
        raise NotJson("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise NotJson(_why(text[start:], error)) from error
    except ValueError as error:
        raise NotJson(f"is not JSON: {error}") from error


def load_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that starts at an offset of a text, and where it ends. Raises NotJson."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise NotJson("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise NotJson(_why(text, error)) from error
    except ValueError as error:
        raise NotJson(f"is not JSON: {error}") from error


def dump(value: Any) -> str:
    """A value as text, indented by two spaces, so that each text of it stands on a line of its own.

    Half a surrogate pair, which JSON can say and UTF-8 cannot, is escaped.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def line(value: Any) -> str:
    """A value as a line of JSON Lines, newline included; nothing in it passes for the end of a line."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_ENDS)
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def line_of(text: str, path: Sequence[Step]) -> int:
    """The line (from 1) on which the value at `path` begins: keys and numbers, outermost first.

    Where there is no such value, the line of the last step that there is; 1 for none. The text is JSON that
    was read without an error.
    """
    at = _blanks(text, 0)
    best = 0
    for step in path:
        inner = _inside(text, at, step)
        if inner is None:
            break
        best = at = inner
    return text.count("\n", 0, best) + 1


def _inside(text: str, at: int, step: Step) -> int | None:
    """Where a value of the object or list that begins `at` begins itself; None where there is none."""
    if text[at : at + 1] != ("{" if isinstance(step, str) else "["):
        return None
    number = 0
    at = _blanks(text, at + 1)
    while text[at] not in "]}":
        key: Step = number
        if isinstance(step, str):
            key, at = load_at(text, at)
            at = _blanks(text, _blanks(text, at) + 1)  # past the colon
        if key == step:
            return at
        at = _blanks(text, load_at(text, at)[1])
        if text[at] == ",":
            at = _blanks(text, at + 1)
        number += 1
    return None


def _blanks(text: str, at: int) -> int:
    """Past the blanks, and a byte order mark, that begin there."""
    match = _blank().match(text, at)
    return match.end() if match else at


@functools.cache
def _blank() -> re.Pattern[str]:
    return re.compile(r"[ \t\n\r\ufeff]*")


_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""What some readers take for the end of a line, and how JSON can say it without."""


def _why(text: str, error: json.JSONDecodeError) -> str:
    if not text.strip():
        return "is empty" if not text else "holds nothing but blanks"
    if "\0" in text:
        return f"holds a NUL (character {text.index(chr(0)) + 1})"
    if error.msg == "Extra data":
        return f"has text after its end: {text[error.pos : error.pos + _SIZED]!r} on line {error.lineno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"is cut short: it ends on line {text.count(chr(10)) + 1}, inside a value"
    return f"is not JSON: {error.msg[0].lower()}{error.msg[1:]} on line {error.lineno}, column {error.colno}"


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is larger than any number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refused, parse_float=_finite)
