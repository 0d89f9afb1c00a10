"""Recovery: whether a conversation was compacted, or its user asks where things stood."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.compaction.compact import is_marker
from memtool.core.digest import blake2b
from memtool.core.records.turn import Message
from memtool.core.text.regex import regex

SECTION_LIMIT = 4000
"""Characters of each recovered section; of a longer one the newest lines are kept."""
_SEARCHED_MESSAGES = 3
"""How many messages at the beginning are searched for signs of a compaction."""
_SIGNS = (
    r"(?i)<summary>|\[context compaction:|\bcontext compaction\b|\bcontext limits?\b|\btruncated\b"
    r"|\bconversation summary\b|\bsummary of (?:the|our|this) (?:\w+ )?conversation\b"
    r"|\b(?:conversation|session) is being continued from a previous\b"
)
_ASKS = (
    r"(?i)\bwhere were we\b|\bcontinue where\b|\bwhat were we (?:doing|working on)\b"
    r"|\bwhere did we (?:leave|stop)\b"
)


def asks_for_recovery(messages: Sequence[Message]) -> bool:
    """Whether the user's newest message asks where things stood (Qanot's phrases)."""
    newest = next((message for message in reversed(messages) if message.role == "user"), None)
    return newest is not None and regex(_ASKS).search(newest.text) is not None


def visible_compaction(messages: Sequence[Message]) -> str | None:
    """An id of the compaction that the first messages show; None if they show none.

    memtool's own marker counts anywhere in the conversation. Equal messages give an equal id, so that
    recovery is offered only once. Tool results are ignored.
    """
    for number, message in enumerate(messages):
        text = message.text
        has_sign = number < _SEARCHED_MESSAGES and regex(_SIGNS).search(text) is not None
        if message.role != "tool" and (has_sign or is_marker(text)):
            return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return None


def newest_lines(text: str, most: int) -> str:
    """The last whole lines of a text within `most` characters; of a single line that is longer, its end."""
    if len(text) <= most:
        return text
    start = text.find("\n", len(text) - most - 1)
    return text[start + 1 :] if 0 <= start < len(text) - 1 else text[-most:]
