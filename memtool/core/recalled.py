"""Recalled text: what memory itself put into a conversation, which is no evidence for a new memory."""

from __future__ import annotations

from memtool.core.pattern import compiled

OPENING, CLOSING = "<memory-context>", "</memory-context>"
"""What stands around memory that was put into a prompt."""

_BLOCK = r"(?is)<(memory-context|summary|system-reminder)>.*?(?:</\1>|\Z)"
_SNIPPET = r"(?m)^\[\d+\] \((?:group|global|workspace|main)(?::[^)\n]*)?\) [^\n]*$"


def without_recalled(text: str) -> str:
    """The text without what memory, a summary or a host put into it."""
    if "<" in text:
        text = compiled(_BLOCK).sub("", text)
    return compiled(_SNIPPET).sub("", text) if "[1] (" in text else text
