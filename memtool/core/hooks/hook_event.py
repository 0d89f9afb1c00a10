"""Hook events: the events of an agent's session, parsed from its JSON, and the replies to them.

The formats are those of Claude Code 2.1, Codex 0.169 and Qwen Code 0.24 (the same, except for `notify`), of
Gemini CLI 0.61, and of OpenClaw's internal hooks as `handler.js` forwards them, each recorded from the
running client. The plugins for opencode and pi write Claude Code's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

CLAUDE, CODEX, OPENCLAW = "claude-code", "codex", "openclaw"
OPENCODE, PI = "opencode", "pi"
GEMINI, QWEN = "gemini", "qwen"
AGENTS = (CLAUDE, CODEX, OPENCLAW, OPENCODE, PI, GEMINI, QWEN)
"""The agents whose hooks are supported, by the names of their transcript formats."""
READS_COMPACTION_INSTRUCTIONS = frozenset({CLAUDE, OPENCODE})
"""The agents that pass on to the model what a hook prints before a compaction."""


class PromptSubmitted(Struct, frozen=True, tag=True):
    """The user has sent a message, which the model has not read yet."""

    text: str


class SessionStarted(Struct, frozen=True, tag=True):
    """A session begins (`startup`, `clear`) or continues (`resume`, `fork`, or `compact` after a compaction).

    `idle` are the seconds since the last answer in it, if the agent reports them.
    """

    source: str
    idle: float | None = None


class BootstrapFilesCollected(Struct, frozen=True, tag=True):
    """OpenClaw collects the files at the beginning of a prompt; `paths` are those that it has already."""

    paths: tuple[str, ...]


class CompactionStarting(Struct, frozen=True, tag=True):
    """The conversation is about to be compacted."""


class CompactionFinished(Struct, frozen=True, tag=True):
    """The conversation was compacted; `summary` replaces it, "" if the agent does not report it."""

    summary: str


class TurnEnded(Struct, frozen=True, tag=True):
    """A turn has ended with `answer`; `is_subagent` is true if it was a turn of a subagent.

    `prompts` and `id` are set by Codex's `notify`, which names no transcript.
    """

    answer: str
    is_subagent: bool = False
    prompts: tuple[str, ...] = ()
    id: str = ""


class ToolFailed(Struct, frozen=True, tag=True):
    """A call of a tool has failed: the call's id, the tool, its arguments as JSON, and its output."""

    id: str
    tool: str
    arguments: str
    output: str


class SessionEnded(Struct, frozen=True, tag=True):
    """The session has ended."""


HookEventKind = (
    PromptSubmitted
    | SessionStarted
    | BootstrapFilesCollected
    | CompactionStarting
    | CompactionFinished
    | TurnEnded
    | ToolFailed
    | SessionEnded
)
"""The kinds of events that memtool handles."""


class HookEvent(Struct, frozen=True):
    """An event of an agent's session; `name` is the agent's name for it.

    A field that the agent did not report as a text is "".
    """

    agent: str
    name: str
    session: str
    cwd: str
    transcript: str
    kind: HookEventKind


def parse_hook_event(record: Any, agent: str | None = None) -> HookEvent | None:
    """Parse the JSON of a hook; None for an event that memtool does not handle. Never raises.

    The agent is recognised by the record unless `agent` is given.
    """
    if not isinstance(record, Mapping):
        return None
    if "hook_event_name" in record:
        return _session_event(record, agent or _agent_of(record))
    if record.get("type") == "agent-turn-complete":
        return _codex_notification(record, agent or CODEX)
    if "action" in record and agent in {None, OPENCLAW}:
        return _openclaw_event(record)
    return None


def hook_timeout(agent: str, kind: HookEventKind) -> float:
    """The timeout of a hook in seconds, as `hook install` writes it to the agent's settings.

    Codex allows 3 seconds at the end of a session, whatever the settings say.
    """
    match kind:
        case CompactionStarting() | TurnEnded():
            return 30.0
        case SessionEnded() if agent == CODEX:
            return 3.0
        case _:
            return 10.0


def agent_length(agent: str, text: str) -> int:
    """The length of a text as an agent counts it: in bytes for Codex, in UTF-16 units for the others."""
    if text.isascii():
        return len(text)
    if agent == CODEX:
        return len(text.encode("utf-8", "replace"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def hook_reply(event: HookEvent, text: str) -> str:
    """The output that passes a text to an agent; "" if there is none or the agent ignores it."""
    if not text:
        return ""
    match event.kind:
        case BootstrapFilesCollected():
            file = {
                "name": VIRTUAL_FILE,
                "path": f"{event.cwd}/{VIRTUAL_FILE}",
                "content": text,
                "missing": False,
            }
            return _line({"bootstrapFiles": [file]})
        case SessionStarted() if event.agent == GEMINI:
            return ""  # it would begin the user's message, which Gemini CLI leaves out of a resumed session
        case PromptSubmitted() | SessionStarted() if event.agent != OPENCLAW:
            return _line({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}})
        case CompactionStarting() if event.agent in READS_COMPACTION_INSTRUCTIONS:
            return text if text.endswith("\n") else text + "\n"
        case _:
            return ""


_MAX_IDLE = 1e10
"""The most seconds since a response that are read; more than 300 years."""
_GEMINI_EVENTS = ("BeforeAgent", "AfterAgent", "PreCompress")
_NO_ANSWER = "[no response text]"
"""What Gemini CLI reports as the answer of a turn that ended without one."""
VIRTUAL_FILE = "MEMTOOL.md"
"""The name of the virtual file in which OpenClaw's prompt shows memory."""


def _agent_of(record: Mapping[str, Any]) -> str:
    """The agent of an event by the names of its transcript and of the event."""
    path = _text(record, "transcript_path").split("/")
    if "turn_id" in record or path[-1].startswith("rollout-"):
        return CODEX
    if _text(record, "hook_event_name") in _GEMINI_EVENTS:
        return GEMINI
    if path[-2:-1] == ["chats"]:
        return GEMINI if path[-1].startswith("session-") else QWEN
    return CLAUDE


def _session_event(record: Mapping[str, Any], agent: str) -> HookEvent | None:
    event, transcript = _text(record, "hook_event_name"), _text(record, "transcript_path")
    moment: HookEventKind
    match event:
        case "UserPromptSubmit":
            # Qwen Code adds the files that a prompt names to `prompt`, and leaves this field out elsewhere
            submitted = _text(record, "submitted_prompt") if agent == QWEN else ""
            moment = PromptSubmitted(submitted or _text(record, "prompt"))
        case "BeforeAgent":
            from memtool.core.privacy.recalled import without_hook_context

            moment = PromptSubmitted(without_hook_context(_text(record, "prompt")))
        case "SessionStart":
            idle = record.get("seconds_since_last_response")
            seconds = float(idle) if isinstance(idle, int | float) and abs(idle) <= _MAX_IDLE else None
            moment = SessionStarted(_text(record, "source"), seconds)
        case "PreCompact":
            moment = CompactionStarting()
        case "PreCompress" if record.get("trigger") == "manual":  # others precede every request to the model
            moment = CompactionStarting()
        case "PostCompact":
            moment = CompactionFinished(_text(record, "compact_summary"))
        case "Stop":
            moment = TurnEnded(_text(record, "last_assistant_message"))
        case "AfterAgent":
            answer = _text(record, "prompt_response")
            moment = TurnEnded("" if answer == _NO_ANSWER else answer)
        case "SubagentStop":
            moment = TurnEnded(_text(record, "last_assistant_message"), is_subagent=True)
            transcript = _text(record, "agent_transcript_path")
        case "SessionEnd":
            moment = SessionEnded()
        case "PostToolUse" | "PostToolUseFailure":
            output = _failure_output(record, has_failed=event == "PostToolUseFailure")
            if not output:
                return None
            arguments = json.dumps(record.get("tool_input"))
            moment = ToolFailed(_text(record, "tool_use_id"), _text(record, "tool_name"), arguments, output)
        case _:
            return None
    return HookEvent(agent, event, _text(record, "session_id"), _text(record, "cwd"), transcript, moment)


def _failure_output(record: Mapping[str, Any], *, has_failed: bool) -> str:
    """The output of a failed call; empty for one that has succeeded or was interrupted."""
    if record.get("is_interrupt") is True:
        return ""
    response = record.get("tool_response", record.get("tool_result"))
    if isinstance(response, Mapping):
        codes = (response.get("exit_code"), response.get("exitCode"))
        code = next((code for code in codes if isinstance(code, int) and not isinstance(code, bool)), 0)
        has_failed = has_failed or bool(code) or response.get("success") is False
        has_failed = has_failed or any(response.get(key) is True for key in ("is_error", "isError"))
        texts = [
            _text(response, key) for key in ("error", "stderr", "stdout", "output", "content", "message")
        ]
        said = "\n".join(filter(None, texts))
        said = f"Exit code {code}\n{said}" if code and said else said
    else:
        said = response if isinstance(response, str) else ""
        has_failed = has_failed or record.get("is_error") is True
    return (_text(record, "error") or said) if has_failed else ""


def _codex_notification(record: Mapping[str, Any], agent: str) -> HookEvent:
    prompts = record.get("input-messages")
    texts = (
        tuple(prompt for prompt in prompts if isinstance(prompt, str)) if isinstance(prompts, list) else ()
    )
    answer = _text(record, "last-assistant-message")
    moment = TurnEnded(answer, prompts=texts, id=_text(record, "turn-id"))
    return HookEvent(agent, "notify", _text(record, "thread-id"), _text(record, "cwd"), "", moment)


def _openclaw_event(record: Mapping[str, Any]) -> HookEvent | None:
    context = record.get("context")
    data: Mapping[str, Any] = context if isinstance(context, Mapping) else {}
    event = f"{_text(record, 'type')}:{_text(record, 'action')}"
    moment: HookEventKind
    match event:
        case "message:received":
            moment = PromptSubmitted(_text(data, "content"))
        case "agent:bootstrap":
            files = data.get("bootstrapFiles")
            records = [file for file in files if isinstance(file, Mapping)] if isinstance(files, list) else []
            existing = (file for file in records if file.get("missing") is not True)
            moment = BootstrapFilesCollected(tuple(_text(file, "path") for file in existing))
        case "session:compact:before":
            moment = CompactionStarting()
        case "command:new" | "command:reset" | "session:auto-reset":
            moment = SessionEnded()
        case _:
            return None
    entries = [data.get("previousSessionEntry"), data.get("sessionEntry"), data]
    sessions = (_text(entry, "sessionId") for entry in entries if isinstance(entry, Mapping))
    session = next((session_id for session_id in sessions if session_id), "")
    cwd, transcript = _text(data, "workspaceDir"), _text(record, "transcript")
    return HookEvent(OPENCLAW, event, session, cwd, transcript, moment)


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
