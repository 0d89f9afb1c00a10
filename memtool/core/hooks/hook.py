"""A hook: what an agent tells of a moment of its session, read from its JSON, and how it is answered.

The shapes are those of Claude Code 2.1 and Codex 0.169 (one dialect, but for `notify`), and of OpenClaw's
internal hooks as `handler.js` hands them on, each as seen by running the client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

CLAUDE, CODEX, OPENCLAW = "claude-code", "codex", "openclaw"
AGENTS = (CLAUDE, CODEX, OPENCLAW)
"""The agents whose hooks are understood, by the names of their transcripts' formats."""
BUDGET = 8000
"""Characters that a hook tells at most, counted as the agent counts them. Both Claude Code and Codex give the
model no more than 10,000 and put the rest into a file."""


class Prompt(Struct, frozen=True):
    """The user's message, on its way to the model."""

    text: str


class Begun(Struct, frozen=True):
    """A session begins (`startup`, `clear`), or goes on (`resume`, or after a `compact`ion)."""

    source: str


class Gathered(Struct, frozen=True):
    """OpenClaw gathers the files that stand before a conversation; `paths` are those it has already."""

    paths: tuple[str, ...]


class Compacting(Struct, frozen=True):
    """The conversation is about to be compacted."""


class Compacted(Struct, frozen=True):
    """It was; `summary` is what stands for it, empty where the agent does not say."""

    summary: str


class Answered(Struct, frozen=True):
    """A turn has ended with `answer`. It was a helper's where it `is_aside`.

    `prompts` and `id` are what Codex's `notify` says of it, which names no transcript.
    """

    answer: str
    is_aside: bool = False
    prompts: tuple[str, ...] = ()
    id: str = ""


class Ended(Struct, frozen=True):
    """The session has ended."""


Moment = Prompt | Begun | Gathered | Compacting | Compacted | Answered | Ended
"""The moments at which memory has something to do."""


class Heard(Struct, frozen=True):
    """What an agent told: at which moment, in which session, from which folder; `event` as it calls it.

    Whatever it did not say, or not as a text, is empty.
    """

    agent: str
    event: str
    session: str
    cwd: str
    transcript: str
    moment: Moment


def heard(record: Any, agent: str | None = None) -> Heard | None:
    """What a hook's JSON tells; None for an event at which there is nothing to do. Never raises.

    The dialect is told from the record unless an `agent` is named.
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
    """Seconds that an agent is asked to give a hook, as `hook install` writes them.

    Codex gives the end of a session 3 seconds, whatever it is asked for.
    """
    match moment:
        case Compacting() | Answered():
            return 30.0
        case Ended() if agent == CODEX:
            return 3.0
        case _:
            return 10.0


def size(agent: str, text: str) -> int:
    """How long an agent takes a text to be: Codex counts bytes (four are a token), the others UTF-16."""
    if text.isascii():
        return len(text)
    if agent == CODEX:
        return len(text.encode("utf-8", "replace"))
    return len(text) + sum(letter > "\uffff" for letter in text)


def reply(told: Heard, text: str) -> str:
    """What is printed to tell an agent a text; nothing where there is none, or nobody would read it."""
    if not text:
        return ""
    match told.moment:
        case Gathered():
            page = {"name": PAGE, "path": f"{told.cwd}/{PAGE}", "content": text, "missing": False}
            return _line({"bootstrapFiles": [page]})
        case Prompt() | Begun() if told.agent != OPENCLAW:
            return _line({"hookSpecificOutput": {"hookEventName": told.event, "additionalContext": text}})
        case Compacting() if told.agent == CLAUDE:
            return text if text.endswith("\n") else text + "\n"
        case _:
            return ""


PAGE = "MEMTOOL.md"
"""The name under which memory stands among OpenClaw's files. There is no such file."""


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
    texts = tuple(one for one in prompts if isinstance(one, str)) if isinstance(prompts, list) else ()
    answer = _text(record, "last-assistant-message")
    moment = Answered(answer, prompts=texts, id=_text(record, "turn-id"))
    return Heard(agent, "notify", _text(record, "thread-id"), _text(record, "cwd"), "", moment)


def _internal(record: Mapping[str, Any]) -> Heard | None:
    context = record.get("context")
    told: Mapping[str, Any] = context if isinstance(context, Mapping) else {}
    event = f"{_text(record, 'type')}:{_text(record, 'action')}"
    moment: Moment
    match event:
        case "message:received":
            moment = Prompt(_text(told, "content"))
        case "agent:bootstrap":
            files = told.get("bootstrapFiles")
            rows = [one for one in files if isinstance(one, Mapping)] if isinstance(files, list) else []
            moment = Gathered(tuple(_text(one, "path") for one in rows if one.get("missing") is not True))
        case "session:compact:before":
            moment = Compacting()
        case "command:new" | "command:reset" | "session:auto-reset":
            moment = Ended()
        case _:
            return None
    entries = [told.get("previousSessionEntry"), told.get("sessionEntry"), told]
    sessions = (_text(one, "sessionId") for one in entries if isinstance(one, Mapping))
    session = next((one for one in sessions if one), "")
    cwd, transcript = _text(told, "workspaceDir"), _text(record, "transcript")
    return Heard(OPENCLAW, event, session, cwd, transcript, moment)


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
