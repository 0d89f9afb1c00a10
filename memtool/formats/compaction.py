"""Compaction section: the summary of a conversation that gave way, as it stands in a Markdown file.

`## Session Compaction <time>`, a line with the request's id, then the summary (nano, whose older versions had
no line with an id).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memtool.core.clean import clean
from memtool.core.pattern import compiled
from memtool.core.quote import clip, neutralise
from memtool.core.redact import redact

HEADING = "## Session Compaction"
LONGEST = 8000
"""Characters of a summary that are stored."""

_TITLE = r"(?m)^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$"
_BOLD_LINE = r"(?m)^([ \t]*(?:[-*+][ \t]+)?)(?:\*\*|__)([^*_\n]{1,80}?):?(?:\*\*|__)[ \t]*:?[ \t]*(?=$|(\S))"


def section(at: datetime, request: str, messages: int, summary: str) -> str:
    """The section, to be put at the end of a file, its newline included. `summary` has been made `safe`."""
    moment = at.astimezone(UTC).isoformat(timespec="seconds")
    count = f"{messages} message{'s' if messages != 1 else ''}"
    return f"{HEADING} {moment}\n\nRequest {request}, {count}.\n\n{summary}\n"


def safe(summary: str) -> str:
    """A summary that cannot pass for the file's own structure: redacted, its headings and labels plain text.

    At most 8,000 characters of it; making it safe twice changes nothing.
    """
    text, before = clean(summary).strip(), ""
    while text != before:
        before = text
        text = compiled(_TITLE).sub(lambda match: _label(match[1]), text)
        text = compiled(_BOLD_LINE).sub(lambda match: match[1] + _label(match[2], match[3]), text)
        text = clip(neutralise(redact(text)).strip(), LONGEST)
    return text


def has(text: str, request: str) -> bool:
    """Whether a file holds the summary of this request."""
    return re.search(rf"(?m)^Request {re.escape(request)}, ", text) is not None


def add(text: str, new: str) -> str:
    """The text with a section at its end, a blank line before it."""
    if not text.strip("\ufeff \t\r\n"):
        return text + new
    gap = "\n" if text.endswith("\n") else "\n\n"
    return text + gap + new


def _label(words: str, following: str | None = None) -> str:
    words = words.strip().strip("*_").rstrip(":").strip()
    return f"{words}: " if following else f"{words}:" if words else ""
