"""Chats in the shape of OpenAI's API as turns."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.transcripts.chats import head, is_chat, read_chats
from memtool.transcripts.foreign import Item, Source

NAME = "openai"


def recognises(source: Source) -> bool:
    """Whether a file holds chat messages; those that may be of either API are taken for OpenAI's."""
    return is_chat(head(source))


def read(source: Source) -> Iterator[Item]:
    """The turns of all conversations, in order; a record that cannot be read is skipped and named."""
    return read_chats(source, NAME)
