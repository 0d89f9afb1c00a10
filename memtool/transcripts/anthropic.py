"""Chats in the shape of Anthropic's API as turns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtool.transcripts.chats import head, is_chat, read_chats
from memtool.transcripts.foreign import Item, Source

NAME = "anthropic"

_OURS = re.compile(
    r'"type"\s*:\s*"(?:tool_use|tool_result|thinking|redacted_thinking|server_tool_use)"'
    r'|"media_type"\s*:|^\{\s*"(?:model|max_tokens|system)"[^\[]{0,4000}"system"\s*:|^\{\s*"system"\s*:'
)


def recognises(source: Source) -> bool:
    """Whether a file holds chat messages with something in them that only Anthropic's API has."""
    text = head(source)
    return is_chat(text) and _OURS.search(text) is not None


def read(source: Source) -> Iterator[Item]:
    """The turns of all conversations, in order; a record that cannot be read is skipped and named."""
    return read_chats(source, NAME)
