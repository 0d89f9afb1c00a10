"""Chat messages of Anthropic's API: a list, a request, or JSON Lines of either."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.transcripts import chat_file
from memtool.transcripts.transcript import TranscriptItem, TranscriptSource

NAME = "anthropic"


def recognises(source: TranscriptSource) -> bool:
    """Whether a file has such messages; those that OpenAI's API also accepts are left to `openai`."""
    return chat_file.is_chat(source, anthropic=True)


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of a file, and its unreadable records."""
    return chat_file.read(source, NAME)
