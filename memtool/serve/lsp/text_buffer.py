"""The text of an open document, and the positions of the protocol in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
"""The unit in which the client counts the characters of a line."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_OTHER_SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Characters at which `str.splitlines` ends lines, but the protocol does not."""
_SURROGATES = re.compile("[\ud800-\udfff]")


class TextBuffer:
    """A text as lines that end at CR LF, LF or CR, which is how the protocol counts them.

    A position is a line and a character, both from 0; a character beyond the end of its line is the line's
    end, and a line beyond the last the end of the text. Lone surrogates become U+FFFD.
    """

    def __init__(self, text: str, encoding: PositionEncoding = "utf-16") -> None:
        self._encoding: PositionEncoding = encoding
        self._lines = _split_lines(_clean(text))
        self._text: str | None = None
        self._starts: list[int] | None = None
        self._last = (0, 0, 0)
        """The last position that was computed in a line that is not ASCII: its line, index and units."""

    @property
    def text(self) -> str:
        """The whole text."""
        if self._text is None:
            self._text = "".join(self._lines)
        return self._text

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line end has an empty last line."""
        return len(self._lines)

    def with_text(self, text: str) -> TextBuffer:
        """A buffer with another text and the same encoding."""
        return TextBuffer(text, self._encoding)

    def replace(self, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        """Replace the text between two positions."""
        first, first_index = self._index(start)
        last, last_index = self._index(end)
        last, last_index = max((last, last_index), (first, first_index))
        piece = self._lines[first][:first_index] + _clean(new) + self._lines[last][last_index:]
        if first > 0 and self._lines[first - 1].endswith("\r"):  # a following LF belongs to that line end
            first -= 1
            piece = self._lines[first] + piece
        if piece.endswith("\r") and last + 1 < len(self._lines):
            last += 1
            piece += self._lines[last]
        lines = _split_lines(piece)
        if last + 1 < len(self._lines) and not lines[-1]:
            lines.pop()
        self._lines[first : last + 1] = lines
        self._text = self._starts = None
        self._last = (0, 0, 0)

    def offset(self, line: int, character: int) -> int:
        """The offset of a position in the text."""
        number, index = self._index((line, character))
        return self._line_starts[number] + index

    def position(self, offset: int) -> tuple[int, int]:
        """The position of an offset in the text; an offset inside a line end is the end of its line.

        Positions in their order take time linear in the text, even in one line.
        """
        number = bisect_right(self._line_starts, max(offset, 0)) - 1
        line, index = self._lines[number], max(offset, 0) - self._line_starts[number]
        if index + 2 > len(line):
            index = min(index, len(line.rstrip("\r\n")))
        if self._encoding == "utf-32" or line.isascii():
            return number, index
        last, last_index, units = self._last
        if last != number or last_index > index:
            last_index = units = 0
        units += _units(line[last_index:index], self._encoding)
        self._last = number, index, units
        return number, units

    def position_of_line(self, number: int) -> int:
        """The line, from 0, on which a line begins that memtool counts: from 1, and ended by LF only."""
        if "\r" not in self.text:
            return number - 1
        at = 0
        for _ in range(number - 1):
            at = self.text.find("\n", at) + 1
        return self.position(at)[0]

    @property
    def _line_starts(self) -> Sequence[int]:
        if self._starts is None:
            self._starts = [0, *accumulate(map(len, self._lines[:-1]))]
        return self._starts

    def _index(self, position: tuple[int, int]) -> tuple[int, int]:
        """The line of a position, and the index in it."""
        line, character = position
        if line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        content = self._lines[max(line, 0)].rstrip("\r\n")
        return max(line, 0), _index_of_units(content, max(character, 0), self._encoding)


def _clean(text: str) -> str:
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def _split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; the last has none, and may be empty."""
    has_others = any(separator in text for separator in _OTHER_SEPARATORS)
    lines = _LINE.findall(text) if has_others else text.splitlines(keepends=True)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def _units(text: str, encoding: PositionEncoding) -> int:
    """The number of code units of a text."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _index_of_units(text: str, units: int, encoding: PositionEncoding) -> int:
    """The index of the character that begins after so many code units, or that contains the last of them."""
    if encoding == "utf-32" or text.isascii():
        return min(units, len(text))
    if encoding == "utf-8":
        content = text.encode("utf-8", "surrogatepass")
        cut = min(units, len(content))
        while 0 < cut < len(content) and content[cut] & 0xC0 == 0x80:
            cut -= 1
        return len(content[:cut].decode("utf-8", "surrogatepass"))
    content = text.encode("utf-16-le", "surrogatepass")
    cut = min(units * 2, len(content))
    if 0 < cut < len(content) and content[cut + 1] & 0xFC == 0xDC and content[cut - 1] & 0xFC == 0xD8:
        cut -= 2
    return len(content[:cut].decode("utf-16-le", "surrogatepass"))
