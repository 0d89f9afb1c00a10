"""Tokens: how much of a model's context a text takes, estimated."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.records.message_text import spoken
from memtool.core.records.turn import Message
from memtool.core.text.text import is_continuous

_LATIN = 4
"""Characters of a token, where words stand between blanks; of scripts without them each character is one."""
_MESSAGE = 4
"""Tokens that a message takes besides its words: who speaks, and where it ends."""


def estimate(text: str) -> int:
    """About how many tokens a text is."""
    if text.isascii():
        return -(-len(text) // _LATIN)
    continuous = sum(map(is_continuous, text))
    return continuous - (continuous - len(text)) // _LATIN


def estimate_messages(messages: Iterable[Message], count: Callable[[str], int] = estimate) -> int:
    """About how many tokens a conversation is; `count` tells how many a text is."""
    return sum(_MESSAGE + count(spoken(message)) for message in messages)
