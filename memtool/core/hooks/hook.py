"""Hook events: the events of an agent's session, parsed from its JSON, and the replies to them.

The formats are those of Claude Code 2.1 and Codex 0.169 (the same, except for `notify`), and of OpenClaw's
internal hooks as `handler.js` forwards them, each recorded from the running client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

CLAUDE, CODEX, OPENCLAW = "claude-code", "codex", "openclaw"
AGENTS = (CLAUDE, CODEX, OPENCLAW)
"""The agents whose hooks are supported, by the names of their transcript formats."""
BUDGET = 8000
"""The most characters that a hook prints, as the agent counts them. Claude Code and Codex pass at most 10,000
to the model and write the rest to a file."""


class Prompt(Struct, frozen=True):
    """The user has sent a message, which the model has not read yet."""

    text: str


class Begun(Struct, frozen=True):
    """A session begins (`startup`, `clear`) or continues (`resume`, or `compact` after a compaction)."""

    source: str


class Gathered(Struct, frozen=True):
    """OpenClaw collects the files at the beginning of a prompt; `paths` are those that it has already."""

    paths: tuple[str, ...]


class Compacting(Struct, frozen=True):
    """The conversation is about to be compacted."""


class Compacted(Struct, frozen=True):
    """The conversation was compacted; `summary` replaces it, "" if the agent does not report it."""

    summary: str


class Answered(Struct, frozen=True):
    """A turn has ended with `answer`; `is_subagent` is true if it was a turn of a subagent.

    `prompts` and `id` are set by Codex's `notify`, which names no transcript.
    """

    answer: str
    is_aside: bool = False
    prompts: tuple[str, ...] = ()
    id: str = ""


class Ended(Struct, frozen=True):
    """The session has ended."""


Moment = Prompt | Begun | Gathered | Compacting | Compacted | Answered | Ended
"""The kinds of events that memtool handles."""


class Heard(Struct, frozen=True):
    """An event of an agent's session; `event` is the agent's name for it.

    A field that the agent did not report as a text is "".
    """

    agent: str
    event: str
    session: str
    cwd: str
    transcript: str
    moment: Moment


def heard(record: Any, agent: str | None = None) -> Heard | None:
    """Parse the JSON of a hook; None for an event that memtool does not handle. Never raises.

    The agent is recognised by the record unless `agent` is given.
    """
    if not isinstance(record, Mapping):
        return None
    if "hook_event_name" in record:
        return _hooked(record, agent)
    if record.get("type") == "agent-turn-complete":
        return _notified(record, agent or CODEX)
    if "action" in record and agent in {None, OPENCLAW}:
        return _internal(record)
    return None


def limit(agent: str, moment: Moment) -> float:
    """The timeout of a hook in seconds, as `hook install` writes it to the agent's settings.

    Codex allows 3 seconds at the end of a session, whatever the settings say.
    """
    match moment:
        case Compacting() | Answered():
            return 30.0
        case Ended() if agent == CODEX:
            return 3.0
        case _:
            return 10.0


def size(agent: str, text: str) -> int:
    """The length of a text as an agent counts it: in bytes for Codex, in UTF-16 units for the others."""
    if text.isascii():
        return len(text)
    if agent == CODEX:
        return len(text.encode("utf-8", "replace"))
    return len(text) + sum(char > "\uffff" for char in text)


def reply(told: Heard, text: str) -> str:
    """The output that passes a text to an agent; "" if there is none or the agent ignores it."""
    if not text:
        return ""
    match told.moment:
        case Gathered():
            file = {"name": PAGE, "path": f"{told.cwd}/{PAGE}", "content": text, "missing": False}
            return _line({"bootstrapFiles": [file]})
        case Prompt() | Begun() if told.agent != OPENCLAW:
            return _line({"hookSpecificOutput": {"hookEventName": told.event, "additionalContext": text}})
        case Compacting() if told.agent == CLAUDE:
            return text if text.endswith("\n") else text + "\n"
        case _:
            return ""


PAGE = "MEMTOOL.md"
"""The name of the virtual file in which OpenClaw's prompt shows memory."""


def _hooked(record: Mapping[str, Any], agent: str | None) -> Heard | None:
    event, transcript = _text(record, "hook_event_name"), _text(record, "transcript_path")
    is_codex = "turn_id" in record or transcript.rpartition("/")[2].startswith("rollout-")
    moment: Moment
    match event:
        case "UserPromptSubmit":
            moment = Prompt(_text(record, "prompt"))
        case "SessionStart":
            moment = Begun(_text(record, "source"))
        case "PreCompact":
            moment = Compacting()
        case "PostCompact":
            moment = Compacted(_text(record, "compact_summary"))
        case "Stop":
            moment = Answered(_text(record, "last_assistant_message"))
        case "SubagentStop":
            moment = Answered(_text(record, "last_assistant_message"), is_aside=True)
            transcript = _text(record, "agent_transcript_path")
        case "SessionEnd":
            moment = Ended()
        case _:
            return None
    who = agent or (CODEX if is_codex else CLAUDE)
    return Heard(who, event, _text(record, "session_id"), _text(record, "cwd"), transcript, moment)


def _notified(record: Mapping[str, Any], agent: str) -> Heard:
    prompts = record.get("input-messages")
    texts = (
        tuple(prompt for prompt in prompts if isinstance(prompt, str)) if isinstance(prompts, list) else ()
    )
    answer = _text(record, "last-assistant-message")
    moment = Answered(answer, prompts=texts, id=_text(record, "turn-id"))
    return Heard(agent, "notify", _text(record, "thread-id"), _text(record, "cwd"), "", moment)


def _internal(record: Mapping[str, Any]) -> Heard | None:
    context = record.get("context")
    data: Mapping[str, Any] = context if isinstance(context, Mapping) else {}
    event = f"{_text(record, 'type')}:{_text(record, 'action')}"
    moment: Moment
    match event:
        case "message:received":
            moment = Prompt(_text(data, "content"))
        case "agent:bootstrap":
            files = data.get("bootstrapFiles")
            records = [file for file in files if isinstance(file, Mapping)] if isinstance(files, list) else []
            existing = (file for file in records if file.get("missing") is not True)
            moment = Gathered(tuple(_text(file, "path") for file in existing))
        case "session:compact:before":
            moment = Compacting()
        case "command:new" | "command:reset" | "session:auto-reset":
            moment = Ended()
        case _:
            return None
    entries = [data.get("previousSessionEntry"), data.get("sessionEntry"), data]
    sessions = (_text(entry, "sessionId") for entry in entries if isinstance(entry, Mapping))
    session = next((session_id for session_id in sessions if session_id), "")
    cwd, transcript = _text(data, "workspaceDir"), _text(record, "transcript")
    return Heard(OPENCLAW, event, session, cwd, transcript, moment)


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
