"""buffer: append an exchange to the working buffer once half of the context window is full."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.capture import exchange
from memtool.core.capture.withheld import withhold_exchange
from memtool.core.records.entries import BufferEntry, Owner
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.records.turn import Message, TextPart
from memtool.formats import working_buffer
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import remembered_sides

SIDE_CHARS = 4000
"""Characters of each side of an exchange that the buffer keeps."""


class BufferReport(Struct, frozen=True):
    """The share of the context in use, the threshold, and the file if the exchange was written."""

    share: float
    threshold: float
    path: PurePosixPath | None = None
    plan: Plan = ()


@retry_when_stale
def buffer(
    workspace: Workspace,
    *,
    user: str | None,
    agent: str | None,
    used: int,
    limit: int,
    at: datetime,
    owner: Owner | None = None,
    group: str | None = None,
) -> BufferReport:
    """Append an exchange to the working buffer if the layout's share of the context is used.

    `used` and `limit` are tokens. Each side is redacted, made safe for Markdown and clipped; one that was
    forgotten is left out, and what the user asks not to keep. Raises BadUsage for an empty exchange,
    Locked, StaleWrite, Unwritable.
    """
    share, threshold = used / max(1, limit), workspace.limit("context.buffer")
    entry = exchange.build_exchange(user, agent, at.time(), limit=SIDE_CHARS)
    if share < threshold:
        return BufferReport(share, threshold)
    left = remembered_sides(workspace, *withhold_exchange(user, agent), owner)
    if not any(left):
        return BufferReport(share, threshold)
    if left != (user, agent):
        entry = exchange.build_exchange(*left, at.time(), limit=SIDE_CHARS)
    sides = ((True, entry.user), (False, entry.agent))
    blocks = (
        working_buffer.render_block(BufferEntry(at, is_user, side, owner)) for is_user, side in sides if side
    )
    text = "".join(blocks)
    path = workspace.layout.path("working-buffer", group=group)
    with workspace.lock():
        exists = workspace.disk.stat(path) is not None
        plan: Plan = (Append(path, text) if exists else Create(path, working_buffer.render_head(at) + text),)
        workspace.commit(plan)
    return BufferReport(share, threshold, path, plan)


def last_exchange(messages: Sequence[Message]) -> tuple[str | None, str | None]:
    """The last user message and the replies to it; None for a side without text."""
    last = max((number for number, message in enumerate(messages) if message.role == "user"), default=None)
    since = messages[last + 1 :] if last is not None else messages
    answers = [_text(message) for message in since if message.role == "assistant"]
    user = _text(messages[last]) if last is not None else ""
    return user or None, "\n\n".join(filter(None, answers)) or None


def _text(message: Message) -> str:
    return "\n\n".join(part.text for part in message.parts if isinstance(part, TextPart))
