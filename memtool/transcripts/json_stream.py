"""JSON read as a stream: the elements of an array or the values of a sequence, one at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from math import isinf
from typing import Any

from memtool.core.text.pattern import compiled

_NEAR_THE_END = 16
"""How many characters before the end of a text a token that it cuts off can be reported: a number, a literal,
or an escape of two halves. A string that it cuts off is reported where it begins, however far away."""


class BrokenStream(ValueError):
    """A stream that is not JSON from some character on; says what was wrong, and at which character."""


def value(text: str) -> Any:
    """The one JSON value that a text is. Raises ValueError for all else: NaN, infinities, endless nesting."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def reads(text: str) -> bool:
    """Is a text one JSON value?"""
    try:
        value(text)
    except ValueError:
        return False
    return True


def values(blocks: Iterable[bytes]) -> Iterator[Any]:
    """The elements of a JSON array, or the JSON values that follow each other with or without line breaks.

    UTF-8, with or without a byte order mark. Holds at most the largest element, twice while it is parsed, and
    one block. Raises BrokenStream, once everything before the fault has been yielded.
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
    """What the beginning of a JSON document says, all that it leaves open being closed; else None."""
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
            cut = len(text) - match.end()
            tries = (text[: len(text) - less] + '"' + closed for less in range(min(_LONGEST_ESCAPE, cut)))
            if found := next((one for one in tries if reads(one)), ""):
                return value(found)
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
"""One more than the characters of an escape, which a text can be cut off in."""


_SIGN = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"|["\[\]{},]'


class _Stream:
    """What has been read of a text and not been taken yet."""

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
        """The next character that is no blank, which stays; empty at the end."""
        blanks = compiled(r"[ \t\r\n]*+")
        while True:
            match = blanks.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def elements(self) -> Iterator[Any]:
        """The elements of the array that begins here."""
        self._at += 1
        if self.next() == "]":
            self._at += 1
            return
        while True:
            if not self.next():
                raise self.broken("the array is not closed")
            yield self.value()
            follows = self.next()
            if follows not in {",", "]"}:
                what = "no comma or bracket after an element" if follows else "the array is not closed"
                raise self.broken(what)
            self._at += 1
            if follows == "]":
                return

    def value(self) -> Any:
        """Take the value that begins here."""
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string")
                cut = cut or error.pos >= len(self._text) - _NEAR_THE_END
                if not (cut and self._grow()):
                    raise self.broken(error.msg, error.pos) from error
            except RecursionError as error:
                raise self.broken("a value that is nested too deeply") from error
            except ValueError as error:
                raise self.broken(str(error)) from error
            else:
                # A number that ends here may go on in the next block, at its point or exponent too.
                number = isinstance(found, int | float) and end > len(self._text) - _NEAR_THE_END
                if not (number and self._grow()):
                    self._at = end
                    return found

    def _grow(self) -> bool:
        """Double what is not taken yet, so that no element is parsed often; False at the end."""
        more: list[str] = []
        wanted = len(self._text) - self._at
        for piece in self._pieces:
            more.append(piece)
            wanted -= len(piece)
            if wanted <= 0 and piece:
                break
        if not any(more):
            return False
        self._gone += self._at
        self._text, self._at = "".join([self._text[self._at :], *more]), 0
        return True

    def broken(self, what: str, at: int | None = None) -> BrokenStream:
        """The error for something that is wrong here, or at that place of the text at hand."""
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
