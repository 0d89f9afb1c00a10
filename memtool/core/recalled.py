"""Recalled text: what memory itself put into a conversation, which is no evidence for a new memory."""

from __future__ import annotations

from memtool.core.pattern import compiled

OPENING, CLOSING = "<memory-context>", "</memory-context>"
"""What stands around memory that was put into a prompt."""

_BLOCK = r"(?is)<memory-context\b[^>]{0,200}>.*?(?:</memory-context>|\Z)|<(summary|system-reminder)>.*?</\1>"
_RECOVERY = r"(?ms)^## (?:Working Buffer Recovery|Session State|Today's Notes)[ \t]*$.*\Z"
_LINES = (
    r"(?m)^(?:\[\d+\] \((?:group|global)(?::[^)\n]*)?\) "  # a snippet of the context
    r"|[^\s:]{1,300}\.(?:md|json)[:-]\d+[:-] "  # a hit of a search
    r"|[-*+] (?:\[\d{4}-[^\]\n]*\] )?(?:\[(?:user|session):[^\]\n]*\] )?\*\*[a-z_]+\*\*: "  # an entry, a fact
    r")[^\n]*$"
)


def without_recalled(text: str, *, recovery: bool = True) -> str:
    """The text without what memory, a summary or a host put into it, as memtool itself prints that.

    Recovery is put behind a user's own words, and so goes to the end; what looks like it is left with
    `recovery` off, where leaving out a user's words would be worse.
    """
    if "<" in text:
        text = compiled(_BLOCK).sub("", text)
    if recovery and "## " in text:
        text = compiled(_RECOVERY).sub("", text)
    return compiled(_LINES).sub("", text) if ": " in text or "] (" in text else text
