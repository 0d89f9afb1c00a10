"""append-turn: write messages as the next turn of the history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.compaction.chat import NotAMessage, message_of, messages_of
from memtool.core.records.plan import Create, Plan
from memtool.core.records.turn import (
    Message,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    canonical,
    id_of,
    moment_of,
    spell,
)
from memtool.core.secrets.redact import redact
from memtool.errors import BadUsage
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import next_seq, raised


class Draft(Struct, frozen=True):
    """A turn without its number yet. `more` holds further keys of its record."""

    at: datetime
    messages: tuple[Message, ...]
    more: Mapping[str, Any]


class Written(Struct, frozen=True):
    """The turns written, each with its path, and the plan."""

    turns: tuple[tuple[PurePosixPath, Turn], ...]
    plan: Plan


class Given(Struct, frozen=True):
    """Messages parsed from input; `at` is the time stated in the input."""

    messages: tuple[Message, ...]
    at: datetime | None = None


def append_turns(
    workspace: Workspace, drafts: Sequence[Draft], now: datetime, *, group: str | None = None
) -> Written:
    """Give each draft the next number and write it: the turns first, then the head.

    The next writer counts turns that an interrupted one left, so no number is given twice. A history may
    hold a turn twice after that, like every log. Raises Locked, Unreadable, Unwritable.
    """
    with workspace.lock():
        turns, plan = plan_turns(workspace, drafts, now, group=group)
        workspace.commit(plan)
    return Written(turns, plan)


def plan_turns(
    workspace: Workspace, drafts: Sequence[Draft], now: datetime, *, group: str | None = None, after: int = 0
) -> tuple[tuple[tuple[PurePosixPath, Turn], ...], Plan]:
    """Number the drafts, and return the turns with the plan that writes them; call it under the lock.

    `after` is the number of turns that are planned and not yet written. Raises Unreadable, BadUsage.
    """
    if not drafts:
        return (), ()
    first = next_seq(workspace, group, after + len(drafts)) + after
    turns = tuple(_numbered(workspace, draft, seq, group) for seq, draft in enumerate(drafts, first))
    creates = tuple(Create(path, turn_format.render(turn)) for path, turn in turns)
    return turns, (*creates, *raised(workspace, group, turns[-1][1].seq, now))


def _numbered(workspace: Workspace, draft: Draft, seq: int, group: str | None) -> tuple[PurePosixPath, Turn]:
    turn = Turn(id_of(seq), seq, spell(draft.at), draft.messages, draft.more)
    return workspace.layout.path("turn", group=group, day=turn.at.date(), seq=seq), turn


def given(text: str, role: str = "") -> Given:
    """Parse messages in JSON, in the shape of OpenAI, of Anthropic or of a turn file.

    The text is one message, a list of them, an object with `messages` (and `system`), or JSON Lines with one
    message each. A message without a role gets `role`, if it is not empty. Raises BadUsage.
    """
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.NotJson as error:
        if not text.strip():
            raise BadUsage(
                "no message was given; hand in messages as JSON, one, a list, or one a line"
            ) from error
        return Given(canonical(tuple(_lines(text, error, role))))
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        system = [{"role": "system", "content": value["system"]}] if value.get("system") else []
        created = value.get("created_at")
        at = moment_of(created) if isinstance(created, str) else None
        return Given(_messages([*system, *value["messages"]], role), at)
    return Given(_messages(value if isinstance(value, list) else [value], role))


def exchange(user: str | None, agent: str | None) -> Given:
    """One user message and its reply as messages; an empty side is left out."""
    sides = (("user", user), ("assistant", agent))
    return Given(canonical(tuple(Message(role, (Text(text),)) for role, text in sides if text)))


def redacted(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with their secrets replaced; provider data of reasoning, needed for replay, is removed."""
    return tuple(
        Message(message.role, tuple(_redact_part(part) for part in message.parts), message.more)
        for message in messages
    )


def _redact_part(part: Any) -> Any:
    match part:
        case Text(text, disposition, more):
            return Text(redact(text), disposition, more)
        case Reasoning(text, _, more):
            return Reasoning(redact(text), {}, more)
        case ToolCall(id_, name, arguments, more):
            return ToolCall(id_, name, redact(arguments), more)
        case ToolResult(id_, content, is_error, more):
            return ToolResult(id_, redact(content), is_error, more)


def _messages(records: Sequence[Any], role: str) -> tuple[Message, ...]:
    try:
        return canonical(tuple(messages_of([_with_role(role, record) for record in records])))
    except NotAMessage as error:
        raise BadUsage(f"{error}; nothing was written") from error


def _with_role(role: str, record: Any) -> Any:
    """The record with this role, if it is a message that has none."""
    is_bare = isinstance(record, dict) and "role" not in record and "content" in record
    return {"role": role, **record} if role and is_bare else record


def _lines(text: str, whole: json_text.NotJson, role: str) -> Iterator[Message]:
    """Parse JSON Lines; `whole` is the error of parsing the text as one JSON value."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        try:
            value = json_text.load(line.encode("utf-8", "surrogateescape"))
            yield from message_of(_with_role(role, value))
        except json_text.NotJson as error:
            raise BadUsage(
                f"the input {whole}; nothing was written"
                if number == lines[0][0]
                else f"line {number} {error}; nothing was written"
            ) from error
        except NotAMessage as error:
            raise BadUsage(f"line {number} {error}; nothing was written") from error
