"""The tombstones of a workspace: what was forgotten, and must not come back.

Programs repeat what they once read: imports, hooks, agents that hand over turns, exchanges, learnings and
files. What they hand over is compared, and left out where it was forgotten. What a person states anew as a
note, a rule or in an editor is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtool.store.workspace import Workspace

if TYPE_CHECKING:  # nothing was ever forgotten in most trees, and the commands that ask are many
    from memtool.core.forgetting.messages import PartLink
    from memtool.core.forgetting.tombstones import Forgotten
    from memtool.core.records.entries import Owner
    from memtool.core.records.turn import Message

_LEFT_OUT = "text that an earlier forget command removed was not stored again"


def load_forgotten(workspace: Workspace) -> Forgotten | None:
    """The tombstones; None, after one look at the disk, where nothing was ever forgotten.

    Receipts that wait for a person's decision recognise nothing. Raises UnreadableFile.
    """
    path = workspace.layout.path("forgotten")
    if workspace.disk.stat(path) is None:
        return None
    from memtool.core.forgetting.tombstones import Forgotten
    from memtool.formats import forget_receipt
    from memtool.store.files import applied_receipts
    from memtool.verbs.memory_files.digest_key import stored_keys

    document = workspace.read(path)
    if document is None:
        return None
    text = document.text
    if held := applied_receipts.read_held(workspace.root):
        lines = text.split("\n")
        text = "\n".join(line for line in lines if applied_receipts.name_of(line) not in held)
    return Forgotten([*forget_receipt.parse(text)], stored_keys(workspace))


def remembered_messages(
    workspace: Workspace, messages: Sequence[Message], owner: Owner | None, session: str = ""
) -> tuple[Message, ...]:
    """The messages without what was forgotten, or none of a session that was; reports it if any are left out.

    Raises UnreadableFile.
    """
    forgotten = load_forgotten(workspace)
    if not forgotten:
        return tuple(messages)
    is_gone = bool(session) and forgotten.has_turn("", session)
    kept = () if is_gone else without_forgotten(forgotten, messages, owner)
    if kept != tuple(messages):
        workspace.report(_LEFT_OUT)
    return kept


def is_forgotten(workspace: Workspace, text: str | None, owner: Owner | None) -> bool:
    """Whether a text, or a line of it, was forgotten, or the session that owns it; reports it if so.

    Raises UnreadableFile.
    """
    forgotten = load_forgotten(workspace) if text else None
    if not forgotten or not text:
        return False
    from memtool.core.forgetting.statements import statements
    from memtool.core.secrets.redact import redact

    is_of_session = owner is not None and owner.kind == "session" and forgotten.has_turn("", owner.id)
    is_gone = is_of_session or any(forgotten.has_text(said, owner) for said in statements(redact(text)))
    if is_gone:
        workspace.report(_LEFT_OUT)
    return is_gone


def remembered_sides(
    workspace: Workspace, user: str | None, agent: str | None, owner: Owner | None
) -> tuple[str | None, str | None]:
    """The sides of an exchange, None for what was forgotten: the reply too, or the reply alone.

    Raises UnreadableFile.
    """
    if is_forgotten(workspace, user, owner):
        return None, None
    return user, None if is_forgotten(workspace, agent, owner) else agent


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


def without_forgotten_lines(workspace: Workspace, text: str, known: str, role: str) -> str:
    """A text of a role without the lines that were forgotten, unless a known text has them, too.

    Raises UnreadableFile.
    """
    forgotten = load_forgotten(workspace)
    if not forgotten:
        return text
    from memtool.core.forgetting.statements import statements
    from memtool.core.records.entries import Owner
    from memtool.formats.ownership import line_owners

    known_lines = {*known.splitlines()}
    lines = text.split("\n")
    tags = line_owners(text, role) or ("",) * len(lines)
    kept = []
    for line, tag in zip(lines, tags, strict=True):
        kind, _, name = tag.partition(":")
        owner = Owner(kind, name) if name else None
        said = [part for value in _values(line) for part in statements(value)]
        is_gone = forgotten.has_user(owner) or any(forgotten.has_text(part, owner) for part in said)
        if line.removesuffix("\r") in known_lines or not is_gone:
            kept.append(line)
    return "\n".join(kept)


def _values(line: str) -> Iterator[str]:
    """The texts of a line of JSON, else the line itself."""
    from memtool.formats.syntax import json_text

    try:
        pending: list[object] = [json_text.loads(line)[0]]
    except json_text.InvalidJson:
        yield line
        return
    while pending:
        match pending.pop():
            case str() as text:
                yield text
            case list() as items:
                pending += items
            case dict() as keys:
                pending += keys.values()
            case _:
                pass
