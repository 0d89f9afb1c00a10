"""Headings of Markdown."""

from __future__ import annotations

from memtool.core.text.regex import regex

_HEADING = r"(#{1,6})[ \t]"


def heading_level(line: str) -> int:
    """The level of a heading that the line is, or begins with; 0 for any other."""
    match = regex(_HEADING).match(line)
    return len(match[1]) if match is not None else 0
