"""A summary made safe for a Markdown file: it passes for no structure of the file, and holds no secret."""

from __future__ import annotations

from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip, neutralise

LONGEST = 8000
"""Characters of a summary that are stored."""

_TITLE = r"(?m)^ {0,3}#{1,6}[ \t]+(.*)$"
_BOLD_LINE = r"(?m)^([ \t]*(?:[-*+][ \t]+)?)(?:\*\*|__)([^*_\n]{1,80}?):?(?:\*\*|__)[ \t]*:?[ \t]*(?=$|(\S))"


def safe(summary: str) -> str:
    """A summary that cannot pass for the file's own structure: redacted, its headings and labels plain text.

    At most 8,000 characters of it; making it safe twice changes nothing.
    """
    text, before = clean(summary[: LONGEST * 4]).strip(), ""
    while text != before:
        before = text
        text = compiled(_TITLE).sub(lambda match: _label(match[1].rstrip().rstrip("#")), text)
        text = compiled(_BOLD_LINE).sub(lambda match: match[1] + _label(match[2], match[3]), text)
        text = clip(neutralise(redact(text)).strip(), LONGEST)
    return text


def _label(words: str, following: str | None = None) -> str:
    words = words.strip().strip("*_").rstrip(":").strip()
    return f"{words}: " if following else f"{words}:" if words else ""
