"""Streaming JSON parser: the elements of an array or the values of a sequence, one at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from math import isinf
from typing import Any

from memtool.core.text.json_fault import value_fault
from memtool.core.text.regex import regex

_TOKEN_MARGIN = 16
"""Largest distance from the end of a text at which the parser reports a truncated number, literal or
surrogate pair. A truncated string is reported at its start, however far away."""


class InvalidJsonStream(ValueError):
    """A stream that is not valid JSON; the message names the fault and its character."""


def parse_value(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, also for NaN, infinities and too deep nesting."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def is_json_value(text: str) -> bool:
    """Whether a text is one JSON value."""
    try:
        parse_value(text)
    except ValueError:
        return False
    return True


def parse_values(blocks: Iterable[bytes]) -> Iterator[Any]:
    """The elements of a JSON array, or consecutive JSON values with or without line breaks.

    UTF-8, with or without a byte order mark. Memory use is at most twice the largest element and one block.
    Raises InvalidJsonStream after yielding everything before the fault.
    """
    stream = _JsonStream(blocks)
    if stream.peek() == "[":
        yield from stream.elements()
        if stream.peek():
            raise stream.error("unexpected text after the end of the array")
    else:
        while stream.peek():
            yield stream.value()
    if stream.decoding_fault:
        raise stream.error(stream.decoding_fault)


def parse_truncated(text: str) -> Any:
    """The value of the beginning of a JSON document with all open brackets closed; None if impossible."""
    closing: list[str] = []
    end = 0
    for match in regex(_SIGN).finditer(text):
        sign = match[0]
        if sign in {"[", "{"}:
            closing.append("]" if sign == "[" else "}")
            end = match.end()
        elif sign in {"]", "}"}:
            if not closing or closing[-1] != sign:
                break
            closing.pop()
            end = match.end()
        elif sign == ",":
            end = match.start()
        elif sign == '"':
            truncated, closed = len(text) - match.end(), "".join(reversed(closing))
            candidates = (
                text[: len(text) - count] + '"' + closed for count in range(min(_LONGEST_ESCAPE, truncated))
            )
            if repaired := next((candidate for candidate in candidates if is_json_value(candidate)), ""):
                return parse_value(repaired)
            break
        else:
            continue
        if not closing:
            break
    try:
        return parse_value(text[:end] + "".join(reversed(closing)))
    except ValueError:
        return None


_LONGEST_ESCAPE = 7
"""One more than the length of an escape sequence, in which a text can be truncated."""


_SIGN = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"|["\[\]{},]'


class _JsonStream:
    """The characters that were read and not yet consumed."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.decoding_fault = ""
        self._pieces = self._decode(blocks)
        self._text, self._position, self._consumed = "", 0, 0

    def _decode(self, blocks: Iterable[bytes]) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        try:
            for block in blocks:
                yield decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            yield error.object[: error.start].decode()
            self.decoding_fault = "invalid UTF-8"

    def peek(self) -> str:
        """Skip whitespace and return the next character without consuming it; empty at the end."""
        blanks = regex(r"[ \t\r\n]*+")
        while True:
            match = blanks.match(self._text, self._position)
            self._position = match.end() if match else self._position
            if self._position < len(self._text):
                return self._text[self._position]
            if not self._grow():
                return ""

    def elements(self) -> Iterator[Any]:
        """Consume the array that begins here and yield its elements."""
        self._position += 1
        if self.peek() == "]":
            self._position += 1
            return
        while True:
            if not self.peek():
                raise self.error("the array is not closed")
            yield self.value()
            separator = self.peek()
            if separator not in {",", "]"}:
                message = (
                    "no comma or closing bracket after an element" if separator else "the array is not closed"
                )
                raise self.error(message)
            self._position += 1
            if separator == "]":
                return

    def value(self) -> Any:
        """Consume the value that begins here."""
        while True:
            try:
                parsed, end = _DECODER.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                is_truncated = error.msg.startswith("Unterminated string")
                is_truncated = is_truncated or error.pos >= len(self._text) - _TOKEN_MARGIN
                if not (is_truncated and self._grow()):
                    raise self.error(error.msg, error.pos) from error
            except RecursionError as error:
                raise self.error("a value is nested too deeply") from error
            except ValueError as error:
                raise self.error(value_fault(error)) from error
            else:
                # A number that ends here may go on in the next block, also at its decimal point or exponent.
                is_number_at_end = isinstance(parsed, int | float) and end > len(self._text) - _TOKEN_MARGIN
                if not (is_number_at_end and self._grow()):
                    self._position = end
                    return parsed

    def _grow(self) -> bool:
        """Double the unconsumed text, so that each element is parsed few times; False at the end."""
        more: list[str] = []
        missing = len(self._text) - self._position
        for piece in self._pieces:
            more.append(piece)
            missing -= len(piece)
            if missing <= 0 and piece:
                break
        if not any(more):
            return False
        self._consumed += self._position
        self._text, self._position = "".join([self._text[self._position :], *more]), 0
        return True

    def error(self, reason: str, position: int | None = None) -> InvalidJsonStream:
        """The error for a fault at the current position, or at an offset of the current text."""
        place = self._position if position is None else position
        if self.decoding_fault and place >= len(self._text) - _TOKEN_MARGIN:
            reason, place = self.decoding_fault, len(self._text)
        return InvalidJsonStream(
            f"{reason[:1].lower()}{reason[1:].removesuffix(' at')} at character {self._consumed + place + 1}"
        )


def _parse_float(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError("a number is too large")
    return number


def _refuse_constant(name: str) -> float:
    raise ValueError(f"invalid value {name}")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float)
