"""buffer: from half of the context on, each exchange is put down, in case compaction loses it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.capture import exchange
from memtool.core.records.entry import BufferEntry
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.records.turn import Message, Text
from memtool.formats import working_buffer
from memtool.store.workspace import Workspace

SIDE = 4000
"""Characters of each side of an exchange that the buffer keeps."""


class Buffered(Struct, frozen=True):
    """What became of an exchange: how much of the context is used, and where it was written, if it was."""

    share: float
    threshold: float
    path: PurePosixPath | None = None
    plan: Plan = ()


def buffer(
    workspace: Workspace,
    *,
    user: str | None,
    agent: str | None,
    used: int,
    limit: int,
    at: datetime,
    group: str | None = None,
) -> Buffered:
    """Append an exchange to the working buffer where at least the layout's share of the context is used.

    `used` and `limit` are tokens. Each side is redacted, made safe for Markdown and clipped. Raises BadUsage
    for an empty exchange, Locked, StaleWrite, Unwritable.
    """
    share, threshold = used / max(1, limit), workspace.limit("context.buffer")
    said = exchange.exchange(user, agent, at.time(), limit=SIDE)
    if share < threshold:
        return Buffered(share, threshold)
    sides = ((True, said.user), (False, said.agent))
    text = "".join(working_buffer.block(BufferEntry(at, human, side)) for human, side in sides if side)
    path = workspace.layout.path("working-buffer", group=group)
    with workspace.lock():
        there = workspace.disk.stat(path) is not None
        plan: Plan = (Append(path, text) if there else Create(path, working_buffer.head(at) + text),)
        workspace.commit(plan)
    return Buffered(share, threshold, path, plan)


def last_exchange(messages: Sequence[Message]) -> tuple[str | None, str | None]:
    """What the user said last, and what was answered since; None where there is nothing."""
    asked = max((number for number, one in enumerate(messages) if one.role == "user"), default=None)
    since = messages[asked + 1 :] if asked is not None else messages
    answers = [_words(one) for one in since if one.role == "assistant"]
    user = _words(messages[asked]) if asked is not None else ""
    return user or None, "\n\n".join(filter(None, answers)) or None


def _words(message: Message) -> str:
    return "\n\n".join(part.text for part in message.parts if isinstance(part, Text))
