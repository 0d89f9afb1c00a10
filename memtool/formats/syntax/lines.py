"""Lines of a text: cut on LF alone, so that joining them gives the text back."""

from __future__ import annotations

import re
from collections.abc import Sequence

BLANK = " \t\r\ufeff"
"""What a blank line may hold: a CR belongs to its line, and a BOM to the first."""

_BREAKS = "[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+"


def split(text: str) -> tuple[str, ...]:
    """The lines of a text without their LF; never empty, and `join(split(text)) == text` for every text.

    `str.splitlines` would also cut on form feeds and U+2028, which are text here.
    """
    return tuple(text.split("\n"))


def join(lines: tuple[str, ...]) -> str:
    """The text whose lines these are."""
    return "\n".join(lines)


def check(lines: tuple[str, ...]) -> None:
    """Raise ValueError unless these can be the lines of a text: at least one, and no LF inside any."""
    if not lines or any("\n" in line for line in lines):
        raise ValueError("a text has at least one line, and a line holds no LF")


def newline(text: str) -> str:
    """How this text ends its lines, judged by its first line: CRLF or LF."""
    first = text.find("\n")
    return "\r\n" if text.endswith("\r", 0, len(text) if first < 0 else first) else "\n"


def insert(lines: tuple[str, ...], at: int, new: Sequence[str]) -> str:
    """The text of these lines with new ones before line `at` (from 0), each ended as the text ends its lines.

    New lines at the very end end the line before them first; a BOM stays in front of new first lines.
    """
    cr = "\r" if lines[0].endswith("\r") else ""
    ended = [line + cr for line in new]
    if at == len(lines):
        return join((*lines[:-1], lines[-1].removesuffix(cr) + cr, *ended, ""))
    if at == 0 and lines[0].startswith("\ufeff"):
        return "\ufeff" + join((*ended, lines[0][1:], *lines[1:]))
    return join((*lines[:at], *ended, *lines[at:]))


def behind(lines: tuple[str, ...], start: int, end: int) -> int:
    """The place (from 0) behind the last line of lines[start:end] that is not blank; `start` if all are."""
    while end > start and is_blank(lines[end - 1]):
        end -= 1
    return end


def is_blank(line: str) -> bool:
    """Whether a line shows nothing."""
    return not line.strip(BLANK)


def one_line(text: str) -> str:
    """The text with every line break in it folded to one space, and its ends trimmed."""
    return re.sub(_BREAKS, " ", text).strip()


def first_beyond(text: str, limit: int) -> int | None:
    """The line (from 1) that holds the first character past `limit` characters; None if all fits."""
    return text.count("\n", 0, limit) + 1 if len(text) > limit else None
