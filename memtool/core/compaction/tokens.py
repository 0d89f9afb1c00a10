"""Token estimates: how many tokens of a model's context a text needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memtool.core.records.message_text import searchable_text
from memtool.core.records.turn import Message
from memtool.core.text.folding import is_continuous
from memtool.core.text.regex import regex

_CHARACTERS_PER_TOKEN = 4
"""Characters per token in scripts with spaces; in other scripts each character is one token."""
_TOKENS_PER_MESSAGE = 4
"""Tokens of a message besides its text: its role and its end."""
_TOKENS_PER_IMAGE = 1_600
"""Tokens of an image, as OpenLegion counts them: what vendors state for one of about a megapixel."""
_IMAGE = r"(?m)^\[image\b[^\]\n]*\]$"
"""The placeholder of an image (`chat_formats.placeholder`)."""


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of a text."""
    if text.isascii():
        return -(-len(text) // _CHARACTERS_PER_TOKEN)
    continuous = sum(map(is_continuous, text))
    return continuous - (continuous - len(text)) // _CHARACTERS_PER_TOKEN


def estimate_message_tokens(
    messages: Iterable[Message], count: Callable[[str], int] = estimate_tokens
) -> int:
    """The estimated number of tokens of a conversation; `count` returns that of a text, images aside."""
    return sum(_message_tokens(searchable_text(message), count) for message in messages)


def _message_tokens(text: str, count: Callable[[str], int]) -> int:
    images = len(regex(_IMAGE).findall(text)) if "[image" in text else 0
    return _TOKENS_PER_MESSAGE + count(text) + images * _TOKENS_PER_IMAGE
