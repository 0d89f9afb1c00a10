"""Sheet: a text with its lines, so that every offset has a line and a column."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property


class Sheet:
    """A text, cut on LF alone; lines and columns count from 1, columns in characters."""

    def __init__(self, text: str) -> None:
        self.text = text

    def place(self, at: int) -> tuple[int, int]:
        """The line and column of an offset."""
        row = bisect_right(self._starts, at) - 1
        return row + 1, at - self._starts[row] + 1

    def start(self, line: int) -> int:
        """Where a line begins; that of the last one for a line behind it."""
        return self._starts[min(max(line, 1), len(self._starts)) - 1]

    def end(self, line: int) -> int:
        """Where the next line begins; the end of the text behind the last one."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        return self.text[self.start(number) : self.end(number)].rstrip("\r\n")

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]
