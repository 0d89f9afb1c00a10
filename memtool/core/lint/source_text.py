"""Source text: a text with an index of its lines, to convert offsets to lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property


class SourceText:
    """A text whose lines end at LF only; lines and columns count from 1, columns in characters."""

    def __init__(self, text: str) -> None:
        self.text = text

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        index = bisect_right(self._line_starts, offset) - 1
        return index + 1, offset - self._line_starts[index] + 1

    def line_start(self, line: int) -> int:
        """The offset at which a line begins; for a line after the last, that of the last."""
        return self._line_starts[min(max(line, 1), len(self._line_starts)) - 1]

    def line_end(self, line: int) -> int:
        """The offset at which the next line begins; after the last line, the end of the text."""
        return self._line_starts[line] if line < len(self._line_starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line without its line ending."""
        return self.text[self.line_start(number) : self.line_end(number)].rstrip("\r\n")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]
