"""Streaming JSON parser: the elements of an array or the values of a sequence, one at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from math import isinf
from typing import Any

from memtool.core.text.pattern import compiled

_NEAR_THE_END = 16
"""Largest distance from the end of a text at which the parser reports a truncated number, literal or
surrogate pair. A truncated string is reported at its start, however far away."""


class BrokenStream(ValueError):
    """A stream that is not valid JSON; the message names the fault and its character."""


def value(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, also for NaN, infinities and too deep nesting."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def reads(text: str) -> bool:
    """Whether a text is one JSON value."""
    try:
        value(text)
    except ValueError:
        return False
    return True


def values(blocks: Iterable[bytes]) -> Iterator[Any]:
    """The elements of a JSON array, or consecutive JSON values with or without line breaks.

    UTF-8, with or without a byte order mark. Memory use is at most twice the largest element and one block.
    Raises BrokenStream after yielding everything before the fault.
    """
    stream = _Stream(blocks)
    if stream.next() == "[":
        yield from stream.elements()
        if stream.next():
            raise stream.broken("more text after the end of the array")
    else:
        while stream.next():
            yield stream.value()
    if stream.fault:
        raise stream.broken(stream.fault)


def salvaged(text: str) -> Any:
    """The value of the beginning of a JSON document with all open brackets closed; None if impossible."""
    closing: list[str] = []
    end, closed = 0, ""
    for match in compiled(_SIGN).finditer(text):
        sign = match[0]
        if sign in {"[", "{"}:
            closing.append("]" if sign == "[" else "}")
            end = match.end()
        elif sign in {"]", "}"}:
            if not closing or closing.pop() != sign:
                break
            end = match.end()
        elif sign == ",":
            end = match.start()
        elif sign == '"':
            truncated = len(text) - match.end()
            candidates = (
                text[: len(text) - count] + '"' + closed for count in range(min(_LONGEST_ESCAPE, truncated))
            )
            if repaired := next((candidate for candidate in candidates if reads(candidate)), ""):
                return value(repaired)
            break
        else:
            continue
        closed = "".join(reversed(closing))
        if not closing:
            break
    try:
        return value(text[:end] + closed)
    except ValueError:
        return None


_LONGEST_ESCAPE = 7
"""One more than the length of an escape sequence, in which a text can be truncated."""


_SIGN = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"|["\[\]{},]'


class _Stream:
    """The characters that were read and not yet consumed."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.fault = ""
        self._pieces = self._decoded(blocks)
        self._text, self._at, self._gone = "", 0, 0

    def _decoded(self, blocks: Iterable[bytes]) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        try:
            for block in blocks:
                yield decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            yield error.object[: error.start].decode()
            self.fault = "bytes that are not UTF-8"

    def next(self) -> str:
        """Skip whitespace and return the next character without consuming it; empty at the end."""
        blanks = compiled(r"[ \t\r\n]*+")
        while True:
            match = blanks.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def elements(self) -> Iterator[Any]:
        """Consume the array that begins here and yield its elements."""
        self._at += 1
        if self.next() == "]":
            self._at += 1
            return
        while True:
            if not self.next():
                raise self.broken("the array is not closed")
            yield self.value()
            separator = self.next()
            if separator not in {",", "]"}:
                message = "no comma or bracket after an element" if separator else "the array is not closed"
                raise self.broken(message)
            self._at += 1
            if separator == "]":
                return

    def value(self) -> Any:
        """Consume the value that begins here."""
        while True:
            try:
                parsed, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_truncated = error.msg.startswith("Unterminated string")
                is_truncated = is_truncated or error.pos >= len(self._text) - _NEAR_THE_END
                if not (is_truncated and self._grow()):
                    raise self.broken(error.msg, error.pos) from error
            except RecursionError as error:
                raise self.broken("a value that is nested too deeply") from error
            except ValueError as error:
                raise self.broken(str(error)) from error
            else:
                # A number that ends here may go on in the next block, also at its decimal point or exponent.
                is_number_at_end = isinstance(parsed, int | float) and end > len(self._text) - _NEAR_THE_END
                if not (is_number_at_end and self._grow()):
                    self._at = end
                    return parsed

    def _grow(self) -> bool:
        """Double the unconsumed text, so that each element is parsed few times; False at the end."""
        more: list[str] = []
        missing = len(self._text) - self._at
        for piece in self._pieces:
            more.append(piece)
            missing -= len(piece)
            if missing <= 0 and piece:
                break
        if not any(more):
            return False
        self._gone += self._at
        self._text, self._at = "".join([self._text[self._at :], *more]), 0
        return True

    def broken(self, what: str, at: int | None = None) -> BrokenStream:
        """The error for a fault at the current position, or at an offset of the current text."""
        place = self._at if at is None else at
        if self.fault and place >= len(self._text) - _NEAR_THE_END:
            what, place = self.fault, len(self._text)
        return BrokenStream(f"{what[:1].lower()}{what[1:]} at character {self._gone + place + 1}")


def _number(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError("a number that is too great")
    return number


def _refused(name: str) -> float:
    raise ValueError(f"{name}, which is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refused, parse_float=_number)
