"""The source of what a message leaves in memory."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.capture.message_sentences import MessageSentences
from memtool.core.records.entries import Owner

if TYPE_CHECKING:  # few messages are of the past
    from memtool.verbs.memory_files.said_times import SaidTimes


class MessageSource(Struct, frozen=True):
    """A message, its owner and session, when it came, and the group whose memory it is for.

    `said_times` are those of memory, for a message of the past.
    """

    message: MessageSentences
    owner: Owner | None
    session: str | None
    at: datetime
    group: str | None
    said_times: SaidTimes | None = None
