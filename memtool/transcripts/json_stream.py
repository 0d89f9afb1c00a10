"""A JSON document as a stream: the elements of a list, or one value after the other, never all at once."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_BETWEEN = re.compile(r"[ \t\r\n]*(?:,[ \t\r\n]*)?")

_OF_NUMBERS = ("", *"0123456789.eE+-")


class BrokenStream(ValueError):
    """The rest of a document cannot be read; says why, and roughly where."""


def values(blocks: Iterable[bytes]) -> Iterator[Any]:
    """Each element of a document that is a list, else each value of one that holds several, one by one.

    Memory holds one element and a block. Raises BrokenStream, after everything that comes before.
    """
    text = _Text(blocks)
    try:
        text.skip(_BLANK)
        inside = text.take("[")
        while text.skip(_BETWEEN if inside else _BLANK):
            if inside and text.take("]"):
                text.skip(_BLANK)
                if text.more():
                    raise BrokenStream(f"has text after its end, at character {text.at()}")
                return
            yield text.value()
        if inside:
            raise BrokenStream(f"is cut short at character {text.at()}")
    except UnicodeDecodeError as error:
        raise BrokenStream("is not UTF-8 text") from error


class _Text:
    """A text that comes in blocks; what was read is let go of."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._start = 0
        self._gone = 0
        self._json = json.JSONDecoder(parse_constant=_refused)

    def at(self) -> int:
        """How many characters were read."""
        return self._gone + self._start

    def more(self) -> bool:
        """Whether there is anything left."""
        while self._start >= len(self._text):
            if not self._fill(1):
                return False
        return True

    def take(self, sign: str) -> bool:
        """Read this sign if it is the next one."""
        found = self.more() and self._text[self._start] == sign
        self._start += found
        return found

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Read what the pattern matches; whether there is anything after it."""
        while self.more():
            match = pattern.match(self._text, self._start)
            self._start = match.end() if match else self._start
            if self._start < len(self._text):
                return True
        return False

    def value(self) -> Any:
        """Read one value. Raises BrokenStream."""
        size = 1
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._start)
            except RecursionError as error:
                raise BrokenStream(f"is nested too deeply at character {self.at()}") from error
            except ValueError as error:
                if not self._fill(size):
                    raise BrokenStream(f"is not JSON after character {self.at()} ({error})") from error
            else:
                # a number may go on in the next block; everything else ends by itself
                goes_on = isinstance(value, int | float) and self._text[end : end + 1] in _OF_NUMBERS
                if not goes_on or not self._fill(1):
                    self._start = end
                    return value
            size *= 2  # so that a value of many blocks is tried over only a few times

    def _fill(self, count: int) -> bool:
        """Add so many blocks, as far as there are any; whether there was one."""
        texts = [self._text[self._start :]]
        self._gone += self._start
        self._start = 0
        found = 0
        for block in self._blocks:
            texts.append(self._decoder.decode(block))
            found += 1
            if found == count:
                break
        else:
            texts.append(self._decoder.decode(b"", final=True))
        self._text = "".join(texts)
        return found > 0


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
