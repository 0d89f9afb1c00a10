"""Messages as OpenAI's interface takes them: a list, a request, or JSON Lines of either."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.transcripts import chat_file
from memtool.transcripts.foreign import Item, Source

NAME = "openai"


def recognises(source: Source) -> bool:
    """Is it such a file? Messages that either interface would take are taken as OpenAI's."""
    return chat_file.is_chat(source, anthropic=False)


def read(source: Source) -> Iterator[Item]:
    """Its turns, and what could not be read of it."""
    return chat_file.read(source, NAME)
