"""What agents' hooks say, in each dialect, and the exact shape of every answer."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.hooks.hook_event import (
    AGENTS,
    BootstrapFilesCollected,
    CompactionFinished,
    CompactionStarting,
    HookEvent,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    TurnEnded,
    agent_length,
    hook_reply,
    hook_timeout,
    parse_hook_event,
)

CLAUDE = {
    "session_id": "74e1078e-493e-4ca4-9eef-7560bcf876fe",
    "transcript_path": "/h/.claude/projects/-p/74e1078e-493e-4ca4-9eef-7560bcf876fe.jsonl",
    "cwd": "/p",
    "prompt_id": "dc5b383f",
    "permission_mode": "default",
}
CODEX = {
    "session_id": "01a1fe50-ef83-7000-abcd-1c046bebb8ff",
    "transcript_path": "/h/.codex/sessions/2026/11/21/rollout-2026-11-21T13-34-39-01a1fe50.jsonl",
    "cwd": "/p",
    "model": "m",
    "permission_mode": "bypassPermissions",
}
KEYS = [
    "hook_event_name",
    "session_id",
    "transcript_path",
    "cwd",
    "prompt",
    "source",
    "context",
    "type",
    "action",
    "input-messages",
    "thread-id",
    "transcript",
    "last_assistant_message",
    "turn_id",
]
PAGE = '{"name":"MEMTOOL.md","path":"/p/MEMTOOL.md","content":"tea ☕","missing":false}'
MOMENTS = [
    ("SessionStart", {"source": "startup"}, SessionStarted("startup")),
    ("SessionStart", {"source": "compact"}, SessionStarted("compact")),
    ("UserPromptSubmit", {"prompt": "I prefer tea"}, PromptSubmitted("I prefer tea")),
    ("PreCompact", {"trigger": "manual", "custom_instructions": None}, CompactionStarting()),
    ("PostCompact", {"trigger": "auto", "compact_summary": "second"}, CompactionFinished("second")),
    ("Stop", {"stop_hook_active": False, "last_assistant_message": "Noted."}, TurnEnded("Noted.")),
    ("SessionEnd", {"reason": "other"}, SessionEnded()),
]


@pytest.mark.parametrize(("name", "fields", "moment"), MOMENTS)
@pytest.mark.parametrize(("agent", "common"), [("claude-code", CLAUDE), ("codex", CODEX)])
def test_each_event_is_understood_and_the_dialect_is_told_from_it(agent, common, name, fields, moment):
    told = parse_hook_event({**common, "hook_event_name": name, **fields})
    assert told == HookEvent(agent, name, common["session_id"], "/p", common["transcript_path"], moment)
    assert type(told.kind) is type(moment)


@pytest.mark.parametrize(
    "moments",
    [
        [CompactionStarting(), SessionEnded()],
        [PromptSubmitted("x"), SessionStarted("x"), CompactionFinished("x"), TurnEnded("x")],
        [
            PromptSubmitted(""),
            SessionStarted(""),
            BootstrapFilesCollected(()),
            CompactionStarting(),
            CompactionFinished(""),
            TurnEnded(""),
            SessionEnded(),
        ],
    ],
)
def test_moments_of_different_classes_are_never_equal_and_all_are_true(moments):
    assert all(moments)
    assert len(set(moments)) == len(moments)
    assert not any(one == other for one, other in itertools.combinations(moments, 2))


GEMINI = {
    "session_id": "g",
    "transcript_path": "/h/.gemini/tmp/p/chats/session-2026-11-27T05-54-db73e74f.jsonl",
    "cwd": "/p",
    "timestamp": "2026-11-27T05:54:15.257Z",
}
QWEN = {**CLAUDE, "transcript_path": "/h/.qwen/projects/-p/chats/be83f19a.jsonl", "permission_mode": "auto"}
HOOKED = "<hook_context>&lt;memory-context&gt;\nx &amp; y\n&lt;/memory-context&gt;</hook_context>\n\n"


@pytest.mark.parametrize(
    ("name", "fields", "moment"),
    [
        ("SessionStart", {"source": "resume"}, SessionStarted("resume")),
        ("BeforeAgent", {"prompt": "I prefer tea"}, PromptSubmitted("I prefer tea")),
        ("BeforeAgent", {"prompt": f"{HOOKED}I prefer tea"}, PromptSubmitted("I prefer tea")),
        ("PreCompress", {"trigger": "manual"}, CompactionStarting()),
        ("AfterAgent", {"prompt": "x", "prompt_response": "Noted."}, TurnEnded("Noted.")),
        ("AfterAgent", {"prompt": "x", "prompt_response": "[no response text]"}, TurnEnded("")),
        ("SessionEnd", {"reason": "exit"}, SessionEnded()),
    ],
)
def test_the_events_of_gemini_cli_are_understood(name, fields, moment):
    told = parse_hook_event({**GEMINI, "hook_event_name": name, **fields})
    assert told == HookEvent("gemini", name, "g", "/p", GEMINI["transcript_path"], moment)


def test_gemini_cli_reports_a_compression_before_every_request_and_most_are_none():
    record = {**GEMINI, "hook_event_name": "PreCompress", "trigger": "auto"}
    assert parse_hook_event(record) is None


def test_gemini_cli_gets_nothing_at_a_start_since_it_would_lose_the_first_prompt():
    start = parse_hook_event({**GEMINI, "hook_event_name": "SessionStart", "source": "startup"})
    prompt = parse_hook_event({**GEMINI, "hook_event_name": "BeforeAgent", "prompt": "x"})
    assert hook_reply(start, "text") == ""
    assert '"additionalContext":"text"' in hook_reply(prompt, "text")


def test_a_prompt_of_qwen_code_is_what_the_user_submitted():
    record = {**QWEN, "hook_event_name": "UserPromptSubmit", "prompt": "see @a.md\n\nI live in Rome"}
    told = parse_hook_event({**record, "submitted_prompt": "see @a.md"})
    assert (told.agent, told.kind) == ("qwen", PromptSubmitted("see @a.md"))
    assert parse_hook_event(record).kind == PromptSubmitted("see @a.md\n\nI live in Rome")


def test_a_turn_id_is_codexs_even_where_no_transcript_is_named():
    record = {"hook_event_name": "UserPromptSubmit", "turn_id": "t", "transcript_path": None, "prompt": "x"}
    assert parse_hook_event(record).agent == "codex"
    assert parse_hook_event(record, "claude-code").agent == "claude-code"


def test_a_helpers_turn_is_in_a_transcript_of_its_own():
    record = {**CLAUDE, "hook_event_name": "SubagentStop", "agent_transcript_path": "/a.jsonl"}
    told = parse_hook_event({**record, "agent_type": "Explore", "last_assistant_message": "done"})
    assert (told.transcript, told.kind) == ("/a.jsonl", TurnEnded("done", is_subagent=True))


def test_codexs_notify_tells_a_turn_without_a_transcript():
    record = {
        "type": "agent-turn-complete",
        "thread-id": "th",
        "turn-id": "tu",
        "cwd": "/p",
        "client": "codex_exec",
        "input-messages": ["hello", 1, "there"],
        "last-assistant-message": "first answer",
    }
    moment = TurnEnded("first answer", prompts=("hello", "there"), id="tu")
    assert parse_hook_event(record) == HookEvent("codex", "notify", "th", "/p", "", moment)


@pytest.mark.parametrize(
    ("type_", "action", "context", "moment", "session"),
    [
        ("message", "received", {"content": "My name is Aziz"}, PromptSubmitted("My name is Aziz"), ""),
        (
            "agent",
            "bootstrap",
            {
                "sessionId": "one",
                "bootstrapFiles": [
                    {"path": "/p/MEMORY.md"},
                    {"path": "/p/SOUL.md", "missing": True},
                    "nonsense",
                ],
            },
            BootstrapFilesCollected(("/p/MEMORY.md",)),
            "one",
        ),
        ("command", "new", {"sessionEntry": {"sessionId": "one"}}, SessionEnded(), "one"),
        (
            "command",
            "reset",
            {"sessionEntry": {"sessionId": "two"}, "previousSessionEntry": {"sessionId": "one"}},
            SessionEnded(),
            "one",
        ),
        ("session", "auto-reset", {"sessionEntry": {"sessionId": "one"}}, SessionEnded(), "one"),
        ("session", "compact:before", {"sessionId": "one"}, CompactionStarting(), "one"),
    ],
)
def test_openclaws_events_are_understood(type_, action, context, moment, session):
    record = {"type": type_, "action": action, "sessionKey": "agent:main:x", "transcript": "/t.sqlite"}
    told = parse_hook_event({**record, "context": {"workspaceDir": "/p", **context}})
    assert told == HookEvent("openclaw", f"{type_}:{action}", session, "/p", "/t.sqlite", moment)


@pytest.mark.parametrize(
    "record",
    [
        {"hook_event_name": "PreToolUse", "tool_name": "Bash"},
        {"hook_event_name": "SomethingNew"},
        {"hook_event_name": None},
        {"hook_event_name": ["Stop"]},
        {"type": "message", "action": "sent", "context": {}},
        {"type": "gateway", "action": "startup"},
        {"type": "agent-turn-began"},
        {},
        [],
        "Stop",
        None,
        3,
    ],
)
def test_what_asks_for_nothing_is_nothing(record):
    assert parse_hook_event(record) is None


@given(
    st.dictionaries(
        st.sampled_from(KEYS),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["Stop", "PreCompact"]),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
            max_leaves=4,
        ),
    )
)
def test_nothing_that_json_can_say_is_too_much(record):
    told = parse_hook_event(record)
    assert told is None or all(
        isinstance(one, str) for one in (told.agent, told.session, told.cwd, told.transcript)
    )


def told(agent, event, moment):
    return HookEvent(agent, event, "s", "/p", "", moment)


@pytest.mark.parametrize(
    ("who", "printed"),
    [
        (
            told("claude-code", "UserPromptSubmit", PromptSubmitted("x")),
            '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"tea ☕"}}\n',
        ),
        (
            told("codex", "UserPromptSubmit", PromptSubmitted("x")),
            '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"tea ☕"}}\n',
        ),
        (
            told("claude-code", "SessionStart", SessionStarted("startup")),
            '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"tea ☕"}}\n',
        ),
        (told("claude-code", "PreCompact", CompactionStarting()), "tea ☕\n"),
        (told("codex", "PreCompact", CompactionStarting()), ""),
        (told("claude-code", "Stop", TurnEnded("x")), ""),
        (told("claude-code", "SessionEnd", SessionEnded()), ""),
        (told("claude-code", "PostCompact", CompactionFinished("x")), ""),
        (told("openclaw", "message:received", PromptSubmitted("x")), ""),
        (
            told("openclaw", "agent:bootstrap", BootstrapFilesCollected(())),
            f'{{"bootstrapFiles":[{PAGE}]}}\n',
        ),
    ],
)
def test_an_answer_has_the_shape_of_its_agent_and_event(who, printed):
    assert hook_reply(who, "tea ☕") == printed
    assert hook_reply(who, "") == ""
    if printed.startswith("{"):
        json.loads(printed)


@pytest.mark.parametrize(
    ("agent", "text", "counted"),
    [
        ("claude-code", "tea", 3),
        ("claude-code", "漢", 1),
        ("claude-code", "😀", 2),
        ("openclaw", "😀", 2),
        ("codex", "tea", 3),
        ("codex", "漢", 3),
        ("codex", "😀", 4),
    ],
)
def test_a_text_is_counted_as_its_agent_counts_it(agent, text, counted):
    assert agent_length(agent, text) == counted


def test_a_time_without_a_response_beyond_all_numbers_is_unknown():
    record = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "resume"}
    event = parse_hook_event({**record, "seconds_since_last_response": 10**400}, "claude-code")
    assert event.kind == SessionStarted("resume", None)


def test_every_agent_gives_a_hook_some_seconds_and_codex_ends_a_session_in_three():
    for _, _, moment in MOMENTS:
        assert all(hook_timeout(agent, moment) >= 3 for agent in AGENTS)
    assert hook_timeout("codex", SessionEnded()) == 3
