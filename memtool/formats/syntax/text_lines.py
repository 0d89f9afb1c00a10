"""Lines of a text, split on LF only, so that joining them gives the text back."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.text.regex import regex

BLANK = " \t\r\ufeff"
"""Characters of a blank line: a CR belongs to its line, and a BOM to the first."""

_BREAKS = "[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+"


def split(text: str) -> tuple[str, ...]:
    """The lines of a text without their LF; never empty, and `join(split(text)) == text` for every text.

    `str.splitlines` would also split on form feeds and U+2028, which are text here.
    """
    return tuple(text.split("\n"))


def join(lines: tuple[str, ...]) -> str:
    """The text with these lines."""
    return "\n".join(lines)


def check(lines: tuple[str, ...]) -> None:
    """Raise ValueError unless these are valid lines of a text: at least one, and no LF in any."""
    if not lines or any("\n" in line for line in lines):
        raise ValueError("the text must have at least one line, and no line may contain LF")


def newline(text: str) -> str:
    """The line end of a text, CRLF or LF, as its first line has it."""
    first = text.find("\n")
    return "\r\n" if text.endswith("\r", 0, len(text) if first < 0 else first) else "\n"


def insert(lines: tuple[str, ...], at: int, new: Sequence[str]) -> str:
    """The text of these lines with new ones before line `at` (from 0), with the text's line end.

    Lines added at the end first terminate the line before them; a BOM stays before new first lines.
    """
    cr = "\r" if lines[0].endswith("\r") else ""
    terminated = [line + cr for line in new]
    if at == len(lines):
        return join((*lines[:-1], lines[-1].removesuffix(cr) + cr, *terminated, ""))
    if at == 0 and lines[0].startswith("\ufeff"):
        return "\ufeff" + join((*terminated, lines[0][1:], *lines[1:]))
    return join((*lines[:at], *terminated, *lines[at:]))


def end_of_content(lines: tuple[str, ...], start: int, end: int) -> int:
    """The index after the last non-blank line of lines[start:end]; `start` if all are blank."""
    while end > start and is_blank(lines[end - 1]):
        end -= 1
    return end


def is_blank(line: str) -> bool:
    """Whether a line is blank."""
    return not line.strip(BLANK)


def fold_line_breaks(text: str) -> str:
    """The text with line breaks and control characters folded to single spaces, and trimmed."""
    return regex(_BREAKS).sub(" ", text).strip()


def line_beyond(text: str, limit: int) -> int | None:
    """The line (from 1) of the first character beyond `limit` characters; None if the text fits."""
    return text.count("\n", 0, limit) + 1 if len(text) > limit else None
