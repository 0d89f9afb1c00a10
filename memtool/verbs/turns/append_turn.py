"""append-turn: write messages as the next turn of the history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.withheld import withhold
from memtool.core.compaction.chat_formats import (
    MESSAGE_FORM,
    InvalidChatMessage,
    parse_input_message,
    parse_messages,
)
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Create, Plan
from memtool.core.records.turn import (
    Message,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    Turn,
    canonical_messages,
    format_moment,
    parse_moment,
    turn_id,
)
from memtool.core.secrets.redact import redact
from memtool.core.text.regex import regex
from memtool.errors import BadUsage
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import remembered_messages
from memtool.verbs.turns.history import next_seq, raise_head


class TurnDraft(Struct, frozen=True):
    """A turn without its number yet. `more` holds further keys of its record."""

    at: datetime
    messages: tuple[Message, ...]
    more: Mapping[str, Any]


class AppendTurnsReport(Struct, frozen=True):
    """The turns written, each with its path, and the plan."""

    turns: tuple[tuple[PurePosixPath, Turn], ...]
    plan: Plan


class ParsedMessages(Struct, frozen=True):
    """Messages parsed from input; `at` is the time stated in the input."""

    messages: tuple[Message, ...]
    at: datetime | None = None


@retry_when_stale
def append_turns(
    workspace: Workspace, drafts: Sequence[TurnDraft], now: datetime, *, group: str | None = None
) -> AppendTurnsReport:
    """Give each draft the next number and write it: the turns first, then the head.

    The next writer counts turns that an interrupted one left, so no number is given twice. A history may
    hold a turn twice after that, like every log. Messages that were forgotten are left out, and drafts that
    have no others. Raises Locked, UnreadableFile, Unwritable.
    """
    with workspace.lock():
        drafts = [*_remembered(workspace, drafts)]
        turns, plan = plan_turns(workspace, drafts, now, group=group)
        workspace.commit(plan)
    return AppendTurnsReport(turns, plan)


def _remembered(workspace: Workspace, drafts: Sequence[TurnDraft]) -> Iterator[TurnDraft]:
    """The drafts without what was forgotten."""
    for draft in drafts:
        user, session = (str(draft.more.get(kind) or "") for kind in ("user", "session"))
        owner = Owner("user", user) if user else None
        if messages := remembered_messages(workspace, draft.messages, owner, session):
            yield replace(draft, messages=messages)


def plan_turns(
    workspace: Workspace,
    drafts: Sequence[TurnDraft],
    now: datetime,
    *,
    group: str | None = None,
    after: int = 0,
) -> tuple[tuple[tuple[PurePosixPath, Turn], ...], Plan]:
    """Number the drafts, and return the turns with the plan that writes them; call it under the lock.

    `after` is the number of turns that are planned and not yet written. Raises UnreadableFile, BadUsage.
    """
    if not drafts:
        return (), ()
    first = next_seq(workspace, group, after + len(drafts)) + after
    turns = tuple(_numbered(workspace, draft, seq, group) for seq, draft in enumerate(drafts, first))
    creates = tuple(Create(path, turn_format.render(turn)) for path, turn in turns)
    return turns, (*creates, *raise_head(workspace, group, turns[-1][1].seq, now))


def _numbered(
    workspace: Workspace, draft: TurnDraft, seq: int, group: str | None
) -> tuple[PurePosixPath, Turn]:
    turn = Turn(turn_id(seq), seq, format_moment(draft.at), draft.messages, draft.more)
    return workspace.layout.path("turn", group=group, day=turn.at.date(), seq=seq), turn


def parse_turn_input(text: str, role: str = "", hint: str = MESSAGE_FORM) -> ParsedMessages:
    """Parse messages in JSON, in the shape of OpenAI, of Anthropic or of a turn file.

    The text is one message, a list of them, an object with `messages` (and `system`), or JSON Lines with one
    message each. A message without a role gets `role`, if it is not empty. Raises BadUsage; for plain text
    the error ends with `hint`.
    """
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson as error:
        if not text.strip():
            raise BadUsage(
                "no message given; expected JSON: one message, a list of messages, or one message per line"
            ) from error
        return ParsedMessages(canonical_messages(tuple(_lines(text, error, role, hint))))
    if isinstance(value, dict) and "role" not in value and "messages" in value:
        if not isinstance(value["messages"], list):
            raise BadUsage("'messages' is not a list; nothing was written")
        system = [{"role": "system", "content": value["system"]}] if value.get("system") else []
        created = value.get("created_at")
        at = parse_moment(created) if isinstance(created, str) else None
        return ParsedMessages(_messages([*system, *value["messages"]], role), at)
    return ParsedMessages(_messages(value if isinstance(value, list) else [value], role))


def exchange_messages(user: str | None, agent: str | None) -> ParsedMessages:
    """One user message and its reply as messages; an empty side is left out."""
    sides = (("user", user), ("assistant", agent))
    return ParsedMessages(
        canonical_messages(tuple(Message(role, (TextPart(text),)) for role, text in sides if text))
    )


def redact_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with their secrets replaced, in texts, ids, names and further keys.

    What the user asks not to keep is replaced, too, and where replies repeat it; see `withhold`.

    What a provider needs to replay reasoning is removed where a secret was in the reasoning or in it, since
    it no longer fits.
    """
    return tuple(
        Message(
            message.role, tuple(_redact_part(part) for part in message.parts), redact_values(message.more)
        )
        for message in withhold(messages)
    )


_PLAIN_ID = (
    r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]{0,30}|[A-Za-z_]{0,16}[0-9]{0,8}"
    r"|(?:toolu|call|msg)_[A-Za-z0-9]{1,40}"
)
"""A UUID, a time, a short name with a number, or an agent's id of a call: most ids, which hold no secret."""


def redact_values(value: Any) -> Any:
    """A value of JSON with the secrets in its texts replaced; keys stay."""
    match value:
        case str():
            return value if regex(_PLAIN_ID).fullmatch(value) else redact(value)
        case Mapping():
            return {key: redact_values(item) for key, item in value.items()}
        case list() | tuple():
            return [redact_values(item) for item in value]
        case _:
            return value


def _redact_part(part: Any) -> Any:
    match part:
        case TextPart(text, disposition, more):
            return TextPart(redact(text), disposition, redact_values(more))
        case ReasoningPart(text, replay, more):
            redacted = redact(text)
            is_clear = redacted == text and redact_values(replay) == replay
            return ReasoningPart(redacted, replay if is_clear else {}, redact_values(more))
        case ToolCall(id_, name, arguments, more):
            return ToolCall(redact_values(id_), redact_values(name), redact(arguments), redact_values(more))
        case ToolResult(id_, content, is_error, more):
            return ToolResult(redact_values(id_), redact(content), is_error, redact_values(more))


def _messages(records: Sequence[Any], role: str) -> tuple[Message, ...]:
    try:
        return canonical_messages(tuple(parse_messages([_with_role(role, record) for record in records])))
    except InvalidChatMessage as error:
        raise BadUsage(f"{error}; nothing was written; {MESSAGE_FORM}") from error


def _with_role(role: str, record: Any) -> Any:
    """The record with this role, if it is a message that has none."""
    is_bare = isinstance(record, dict) and "role" not in record and "content" in record
    return {"role": role, **record} if role and is_bare else record


def _lines(text: str, whole: json_text.InvalidJson, role: str, plain_hint: str) -> Iterator[Message]:
    """Parse JSON Lines; `whole` is the error of parsing the text as one JSON value."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, line in lines:
        try:
            value = json_text.load(line.encode("utf-8", "surrogateescape"))
            yield from parse_input_message(_with_role(role, value))
        except json_text.InvalidJson as error:
            is_json = text.lstrip()[:1] in "[{"
            hint = f"; {MESSAGE_FORM if is_json else plain_hint}"
            is_first = number == lines[0][0]
            fault = whole if is_first else error
            if isinstance(fault, json_text.TruncatedJson):
                last = fault.line if is_first else number
                reason = f"line {last} ends before its JSON is complete"
            else:
                reason = f"the input {fault}" if is_first else f"line {number} {fault}"
            raise BadUsage(f"{reason}; nothing was written{hint}") from error
        except InvalidChatMessage as error:
            raise BadUsage(f"line {number} {error}; nothing was written; {MESSAGE_FORM}") from error
