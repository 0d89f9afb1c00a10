"""Recovery: whether a conversation shows that its beginning was compacted away, or asks what it was about."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from memtool.core.compaction.compact import is_marker
from memtool.core.records.turn import Message
from memtool.core.text.pattern import compiled

EACH = 4000
"""Characters of each section that is brought back; the newest survive."""
_FIRST = 3
"""Messages at the beginning in which a compaction leaves its signs."""
_SIGNS = (
    r"(?i)<summary>|\[context compaction:|\bcontext compaction\b|\bcontext limits?\b|\btruncated\b"
    r"|\bconversation summary\b|\bsummary of (?:the|our|this) (?:\w+ )?conversation\b"
    r"|\b(?:conversation|session) is being continued from a previous\b"
)
_ASKS = (
    r"(?i)\bwhere were we\b|\bcontinue where\b|\bwhat were we (?:doing|working on)\b"
    r"|\bwhere did we (?:leave|stop)\b"
)


def asks(messages: Sequence[Message]) -> bool:
    """Whether the newest message of the user asks where things stood (Qanot's phrases)."""
    newest = next((one for one in reversed(messages) if one.role == "user"), None)
    return newest is not None and compiled(_ASKS).search(newest.text) is not None


def compaction(messages: Sequence[Message]) -> str | None:
    """A short name for the compaction that the first messages show; None where they show none.

    memtool's own marker counts wherever it stands. The same beginning has the same name, so that recovery can
    be offered once. What a tool came back with shows nothing.
    """
    for number, one in enumerate(messages):
        words = one.text
        shown = number < _FIRST and compiled(_SIGNS).search(words) is not None
        if one.role != "tool" and (shown or is_marker(words)):
            return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return None


def newest_lines(text: str, most: int) -> str:
    """The last whole lines of a text within `most` characters; of a single line that is too long, its end."""
    if len(text) <= most:
        return text
    start = text.find("\n", len(text) - most - 1)
    return text[start + 1 :] if 0 <= start < len(text) - 1 else text[-most:]
