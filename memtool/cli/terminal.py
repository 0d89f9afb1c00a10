"""Text laid out for the width of a terminal: wrapped at blanks, or in columns.

Widths are in terminal columns: a wide character (East Asian Width W or F) takes two, a combining one and the
escape sequences of colours take none.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Sequence
from typing import TextIO

INDENT = 4
"""Columns by which the second and later lines of a wrapped line are indented."""
_COLOUR = r"\x1b\[[0-9;]*m"
_WORD = r" *[^ ]+"
_LEAST_TEXT = 24
"""Columns that text needs beside what stands before it; with fewer it begins on a line of its own."""
_LEAST_COLUMNS = 20
_USUAL_COLUMNS = 80
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})
"""Unicode categories of characters that take no column."""


def terminal_columns(stream: TextIO | None = None) -> int:
    """The width of the terminal of a stream (stdout by default), at least 20; COLUMNS overrides it."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return max(_LEAST_COLUMNS, int(given))
    try:
        columns = os.get_terminal_size((stream or sys.stdout).fileno()).columns
    except (OSError, ValueError):  # no terminal, or no file
        columns = 0
    return max(_LEAST_COLUMNS, columns or _USUAL_COLUMNS)


def display_width(text: str) -> int:
    """The number of terminal columns that a text takes."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    return sum(map(_char_width, re.sub(_COLOUR, "", text)))


def wrap(prefix: str, text: str, columns: int, indent: int = INDENT) -> str:
    """`prefix` and `text` in lines of at most `columns`, broken at blanks alone, the later ones indented.

    The prefix is not wrapped. A text for which too little room is left beside it begins on the next line.
    """
    start = display_width(prefix)
    if start + display_width(text) <= columns:
        return f"{prefix}{text}".rstrip()
    indent = indent if columns - indent >= _LEAST_TEXT else min(indent, INDENT)
    margin, words = " " * indent, re.findall(_WORD, text)
    if start > indent and columns - start < _LEAST_TEXT:
        lines, line, used = [prefix.rstrip()], margin, indent
    else:
        lines, line, used = [], prefix, start
    is_empty = True
    for word in words:  # each with the blanks before it
        width = display_width(word)
        if not is_empty and used + width > columns:
            lines.append(line)
            line, used, is_empty = margin, indent, True
        shown = word.lstrip(" ") if is_empty and (lines or line == margin) else word
        line, used, is_empty = line + shown, used + display_width(shown), False
    return "\n".join([*lines, line])


def table(rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    """Rows in columns two blanks apart, the last cell of each wrapped to the width.

    The columns are aligned only if this leaves room for the last cells; if not, a last cell that does not fit
    on the line of its row begins on the next.
    """
    widths: dict[int, int] = {}
    for row in rows:
        for number, cell in enumerate(row[:-1]):
            widths[number] = max(widths.get(number, 0), display_width(cell))
    room = columns - sum(widths.values()) - 2 * len(widths)
    longest = max((display_width(row[-1]) for row in rows if row), default=0)
    is_aligned = room >= min(longest, max(_LEAST_TEXT, columns * 2 // 5))
    lines = []
    for row in rows:
        cells, last = row[:-1], row[-1] if row else ""
        if is_aligned:
            before = "".join(f"{_padded(cell, widths[number])}  " for number, cell in enumerate(cells))
            lines.append(wrap(before, last, columns, display_width(before) or INDENT))
        elif display_width(line := "  ".join(row)) <= columns:
            lines.append(line)
        else:
            lines += (
                ["  ".join(cells), wrap(" " * INDENT, last, columns)] if cells else [wrap("", last, columns)]
            )
    return lines


def _padded(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
