"""The text of a fact that a person states."""

from __future__ import annotations

from memtool.core.capture.withheld import has_private_sentences
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage

MAX_FACT_CHARS = 2_000
"""Characters of a fact."""


def fact_text(text: str, *, redacts: bool = True) -> str:
    """A text as a fact states it: on one line, without secrets unless `redacts` is false.

    Raises BadUsage for a text that is empty or too long, or that asks not to be stored.
    """
    if redacts and has_private_sentences(text):
        raise BadUsage("the text contains a request not to store it; nothing was saved")
    cleaned = clean(text)
    words = one_line(redact(cleaned) if redacts else cleaned, MAX_FACT_CHARS + 1)
    if not words:
        raise BadUsage("the text of the fact is empty; nothing was saved")
    if len(words) > MAX_FACT_CHARS:
        raise BadUsage(f"a fact can have at most {MAX_FACT_CHARS:,} characters; put longer text in a note")
    return words
