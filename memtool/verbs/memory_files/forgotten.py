"""The tombstones of a workspace: what was forgotten, and must not come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtool.store.workspace import Workspace

if TYPE_CHECKING:  # nothing was ever forgotten in most trees, and the commands that ask are many
    from memtool.core.forgetting.messages import PartLink
    from memtool.core.forgetting.tombstones import Forgotten
    from memtool.core.records.entries import Owner
    from memtool.core.records.turn import Message


def load_forgotten(workspace: Workspace) -> Forgotten | None:
    """The tombstones; None, after one look at the disk, where nothing was ever forgotten.

    Raises UnreadableFile.
    """
    path = workspace.layout.path("forgotten")
    if workspace.disk.stat(path) is None:
        return None
    from memtool.core.forgetting.tombstones import Forgotten
    from memtool.formats import forget_receipt
    from memtool.verbs.memory_files.digest_key import stored_keys

    document = workspace.read(path)
    if document is None:
        return None
    return Forgotten([*forget_receipt.parse(document.text)], stored_keys(workspace))


def without_forgotten(
    forgotten: Forgotten, messages: Sequence[Message], owner: Owner | None
) -> tuple[Message, ...]:
    """The messages that were not forgotten; calls of tools and their results stay in pairs."""
    from msgspec.structs import replace

    from memtool.core.forgetting.messages import unpaired_parts

    removed = {number for number, message in enumerate(messages) if _is_gone(forgotten, message, owner)}
    if not removed:
        return tuple(messages)
    lost = set(unpaired_parts([[*_links(message)] for message in messages], removed))
    kept = [
        replace(
            message,
            parts=tuple(part for index, part in enumerate(message.parts) if (number, index) not in lost),
        )
        for number, message in enumerate(messages)
        if number not in removed
    ]
    return tuple(message for message in kept if message.parts)


def _is_gone(forgotten: Forgotten, message: Message, owner: Owner | None) -> bool:
    from memtool.core.records.turn import ToolCall, ToolResult

    texts = [message.text]
    texts += [part.content for part in message.parts if isinstance(part, ToolResult)]
    texts += [part.arguments for part in message.parts if isinstance(part, ToolCall)]
    return any(text and forgotten.has_text(text, owner) for text in texts)


def _links(message: Message) -> Iterator[PartLink]:
    from memtool.core.forgetting.messages import PartLink
    from memtool.core.records.turn import ToolCall, ToolResult

    for part in message.parts:
        match part:
            case ToolCall(id_):
                yield PartLink("call", id_)
            case ToolResult(id_):
                yield PartLink("result", id_)
            case _:
                yield PartLink()
