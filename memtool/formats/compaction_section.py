"""Compaction section: the summary of a compacted conversation in a Markdown file.

`## Session Compaction <time>`, a line with the request's id, then the summary (nano; its older versions wrote
no id).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from memtool.core.records.entries import Owner
from memtool.core.text.regex import regex
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.outline import Heading, outline

HEADING = "## Session Compaction"
_SECTION_TITLE = r"Session Compaction(?=\Z|[ \t]*[-–—:(\[#]*[ \t]*\d)"
"""The title with a time or number, or alone; a user's own "Session Compactions: when" is another section."""


def render_section(
    at: datetime, request: str, messages: int | str, summary: str, owner: Owner | None = None
) -> str:
    """A section to append to a file, with its newline.

    `summary` must not contain the file's own structure. `messages` is how many messages were removed, or the
    name of the program that removed them where the number is not known. `owner` is whose conversation it was.
    """
    time = at.astimezone(UTC).isoformat(timespec="seconds")
    if isinstance(messages, str):
        count = f"by {messages}"
    else:
        count = f"{messages} message{'s' if messages != 1 else ''}"
    tag = f" [{owner}]" if owner else ""
    return f"{HEADING} {time}{tag}\n\nRequest {request}, {count}.\n\n{summary}\n"


def has_section(text: str, request: str) -> bool:
    """Whether a file has the section of this request."""
    return re.search(rf"(?m)^Request {re.escape(request)}, ", text) is not None


def without_sections(text: str) -> str:
    """A text without its compaction sections, which can be searched but do not belong in every prompt."""
    if HEADING not in text:
        return text
    headings = outline(text).headings
    lines = text_lines.split(text)
    for heading in reversed([heading for heading in headings if is_section_heading(heading.text)]):
        lines = (*lines[: heading.first - 1], *lines[_section_end(heading, headings, len(lines)) :])
    return text_lines.join(lines)


def is_section_heading(heading: str) -> bool:
    """Whether a heading's text is that of a compaction section."""
    return regex(_SECTION_TITLE).match(heading) is not None


def append_section(text: str, section: str) -> str:
    """The text with a section appended after a blank line."""
    if not text.strip("\ufeff \t\r\n"):
        return text + section
    gap = "\n" if text.endswith("\n") else "\n\n"
    return text + gap + section


def split_sections(text: str, replacement: str) -> tuple[str, str]:
    """Split off the compaction sections.

    Returns the text with `replacement` in place of the first section, and the sections in order. Both texts
    are empty or end with a newline. A text without a section is returned unchanged.
    """
    headings = outline(text).headings
    lines = text_lines.split(text)
    spans: list[tuple[int, int]] = []
    for heading in headings:
        if is_section_heading(heading.text) and (not spans or heading.first > spans[-1][1]):
            spans.append((heading.first - 1, _section_end(heading, headings, len(lines))))
    if not spans:
        return text, ""
    remaining: list[str] = []
    sections: list[str] = []
    position = 0
    for start, end in spans:
        remaining += lines[position:start]
        if not sections and replacement not in lines:
            remaining.append(replacement + ("\r" if lines[0].endswith("\r") else ""))
        sections += lines[start:end]
        position = end
    remaining += lines[position:]
    return _join(remaining), _join(sections)


def _section_end(heading: Heading, headings: Sequence[Heading], last: int) -> int:
    """The number of the last line (from 1) of a heading's section; `last` is that of the text's last line."""
    following = (other for other in headings if other.first > heading.first and other.level <= heading.level)
    return next((other.first - 1 for other in following), last)


def _join(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text if not text or text.endswith("\n") else text + "\n"
