"""Token estimates: how many tokens of a model's context a text needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.records.message_text import spoken
from memtool.core.records.turn import Message
from memtool.core.text.text import is_continuous

_LATIN = 4
"""Characters per token in scripts with spaces; in other scripts each character is one token."""
_MESSAGE = 4
"""Tokens of a message besides its text: its role and its end."""


def estimate(text: str) -> int:
    """The estimated number of tokens of a text."""
    if text.isascii():
        return -(-len(text) // _LATIN)
    continuous = sum(map(is_continuous, text))
    return continuous - (continuous - len(text)) // _LATIN


def estimate_messages(messages: Iterable[Message], count: Callable[[str], int] = estimate) -> int:
    """The estimated number of tokens of a conversation; `count` returns that of a text."""
    return sum(_MESSAGE + count(spoken(message)) for message in messages)
