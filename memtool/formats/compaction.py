"""Compaction section: the summary of a conversation that gave way, as it stands in a Markdown file.

`## Session Compaction <time>`, a line with the request's id, then the summary (nano, whose older versions had
no line with an id).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memtool.formats.syntax import lines as text_lines
from memtool.formats.syntax.outline import outline

HEADING = "## Session Compaction"


def section(at: datetime, request: str, messages: int | str, summary: str) -> str:
    """The section, to be put at the end of a file, its newline included.

    `summary` can hold none of the file's own structure. `messages` says how many gave way, or, where only
    whoever removed them knows that, who it was.
    """
    moment = at.astimezone(UTC).isoformat(timespec="seconds")
    if isinstance(messages, str):
        count = f"by {messages}"
    else:
        count = f"{messages} message{'s' if messages != 1 else ''}"
    return f"{HEADING} {moment}\n\nRequest {request}, {count}.\n\n{summary}\n"


def has(text: str, request: str) -> bool:
    """Whether a file holds the summary of this request."""
    return re.search(rf"(?m)^Request {re.escape(request)}, ", text) is not None


def without(text: str) -> str:
    """A file's text without its compaction sections: they are searched, and not in every prompt."""
    if HEADING not in text:
        return text
    heads = outline(text).headings
    rows = text_lines.split(text)
    for head in reversed([head for head in heads if is_title(head.text)]):
        after = next((one for one in heads if one.first > head.first and one.level <= head.level), None)
        end = after.first - 1 if after else len(rows)
        rows = (*rows[: head.first - 1], *rows[end:])
    return text_lines.join(rows)


def is_title(heading: str) -> bool:
    """Whether a heading's text is that of a compaction section."""
    return heading.startswith(HEADING.lstrip("# "))


def add(text: str, new: str) -> str:
    """The text with a section at its end, a blank line before it."""
    if not text.strip("\ufeff \t\r\n"):
        return text + new
    gap = "\n" if text.endswith("\n") else "\n\n"
    return text + gap + new


def taken(text: str, note: str) -> tuple[str, str]:
    """The text without its sections, with a note where the first was; and the sections, in their order.

    Both texts are empty or end with a newline. Without a section the text comes back as it is.
    """
    heads = outline(text).headings
    rows = text_lines.split(text)
    spans: list[tuple[int, int]] = []
    for head in heads:
        if is_title(head.text) and (not spans or head.first > spans[-1][1]):
            after = next((one for one in heads if one.first > head.first and one.level <= head.level), None)
            spans.append((head.first - 1, after.first - 1 if after else len(rows)))
    if not spans:
        return text, ""
    kept: list[str] = []
    block: list[str] = []
    done = 0
    for start, end in spans:
        kept += rows[done:start]
        if not block and note not in rows:
            kept.append(note + ("\r" if rows[0].endswith("\r") else ""))
        block += rows[start:end]
        done = end
    kept += rows[done:]
    return _joined(kept), _joined(block)


def _joined(rows: list[str]) -> str:
    text = "\n".join(rows)
    return text if not text or text.endswith("\n") else text + "\n"
