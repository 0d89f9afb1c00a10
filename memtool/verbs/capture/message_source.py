"""The source of what a message leaves in memory."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.records.entries import Owner


class MessageSource(Struct, frozen=True):
    """A message, its owner and session, when it came, and the group whose memory it is for."""

    message: MessageSentences
    owner: Owner | None
    session: str | None
    at: datetime
    group: str | None
