"""Claude Code's logs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memtool.transcripts import claude_code
from memtool.transcripts.transcript import ImportedTurn
from tests.transcripts.sources import CLAUDE, claude, lines, said, skipped


def read(*records, **more):
    return list(claude_code.read(lines(*records, **more)))


FIRST = [
    "user: When is the kiln free?",
    "assistant: (look) +signature",
    "assistant: Let me look.",
    'assistant: Read{"file_path": "k.md"}#t1',
    "tool: #t1 Thursday\n[image: image/png, 4 bytes]",
    "assistant: On Thursday.",
]


def test_a_session_becomes_turns():
    found = read(*CLAUDE)
    assert said(found) == [FIRST, ["user: Thanks!", "assistant: You are welcome."]]
    first = found[0]
    assert isinstance(first, ImportedTurn)
    assert (first.origin.agent, first.origin.session, first.origin.id) == ("claude-code", "s1", "u1")
    assert first.at == datetime(2025, 1, 15, 10, 30, 0, 123000, UTC)
    assert len(first.messages) == 4  # the lines of one message are one message
    assert first.messages[0].more == {"id": "u1", "at": "2025-01-15T10:30:00.123Z"}


@pytest.mark.parametrize("count", range(3, len(CLAUDE) + 1))
def test_a_log_that_grows_keeps_what_it_had(count):
    whole, part = read(*CLAUDE), read(*CLAUDE[:count])
    assert [one.origin for one in part] == [one.origin for one in whole][: len(part)]
    for old, new in zip(part, whole, strict=False):
        texts = said([old])[0]
        assert said([new])[0][: len(texts)] == texts


def test_a_corrupted_line_costs_that_line():
    found = read(*CLAUDE[:7], b'{"type": "user", "uu', b"\xff\xfe", b"[1]", *CLAUDE[7:], b'{"type": "assist')
    assert [turn[-1] for turn in said(found)] == ["assistant: On Thursday.", "assistant: You are welcome."]
    assert skipped(found) == [
        (8, "is truncated"), (9, "is not UTF-8 text"), (10, "is not a JSON object"), (14, "is truncated"),
    ]  # fmt: skip


def test_a_lost_line_does_not_lose_what_was_before():
    kept = [one for one in CLAUDE if one.get("uuid") != "a4"]
    assert said(read(*kept))[0] == FIRST[:-1]


def test_a_rewind_leaves_its_branch():
    records = [
        *CLAUDE,
        claude("user", "u2b", "a4", "And on Friday?"),
        claude("assistant", "a6", "u2b", "No."),
    ]
    assert said(read(*records))[1:] == [["user: And on Friday?", "assistant: No."]]
    again = [*CLAUDE, claude("user", "u1b", None, "Start over")]
    assert said(read(*again)) == [["user: Start over"]]


def test_calls_side_by_side_keep_their_results():
    def call(id_):
        return [{"type": "tool_use", "id": id_, "name": "Read", "input": {}}]

    def result(id_):
        return [{"type": "tool_result", "tool_use_id": id_, "content": f"of {id_}", "is_error": id_ == "t2"}]

    records = [
        claude("user", "u1", None, "Read both"),
        claude("assistant", "a1", "u1", call("t1"), message={"id": "m1"}),
        claude("user", "r1", "a1", result("t1")),
        claude("assistant", "a2", "a1", call("t2"), message={"id": "m1"}),
        claude("user", "r2", "a2", result("t2")),
        claude("assistant", "a3", "r2", "Done", message={"id": "m2"}),
    ]
    assert said(read(*records)) == [
        ["user: Read both", "assistant: Read{}#t1", "tool: #t1 of t1", "assistant: Read{}#t2",
         "tool: #t2 failed of t2", "assistant: Done"]
    ]  # fmt: skip


def test_a_compaction_is_crossed():
    boundary = {
        "type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None,
        "logicalParentUuid": "a5", "isSidechain": False,
    }  # fmt: skip
    after = [
        claude("user", "c1", "b", "This session is being continued…", isCompactSummary=True),
        claude("user", "u3", "c1", "Go on"),
        claude("assistant", "a6", "u3", "Gladly"),
    ]
    assert said(read(*CLAUDE, boundary, *after))[1:] == [
        ["user: Thanks!", "assistant: You are welcome."],
        ["user: Go on", "assistant: Gladly"],
    ]
    old = [claude("user", "c1", None, "Continued…", isCompactSummary=True), *after[1:]]
    assert len(said(read(*CLAUDE, *old))) == 3  # older versions wrote no boundary


def test_what_was_not_said_is_left_out():
    records = [
        *CLAUDE,
        claude("user", "x1", "a5", "Caveat: …", isMeta=True),
        claude("user", "x2", "x1", "<command-name>/clear</command-name>"),
        claude("user", "x3", "x2", "<local-command-stdout>ok</local-command-stdout>"),
        claude("assistant", "x4", "x3", "No response requested.", message={"model": "<synthetic>"}),
        claude("user", "x5", "x4", [{"type": "text", "text": "[Request interrupted by user]"}]),
        {"type": "attachment", "uuid": "x6", "parentUuid": "x5", "attachment": {"hook": "output"}},
        claude("user", "side", "x1", "look into it", isSidechain=True),
    ]
    assert said(read(*records))[1] == [
        "user: Thanks!", "assistant: You are welcome.", "user: [Request interrupted by user]",
    ]  # fmt: skip


NOTE = "<system-reminder>The date has changed.</system-reminder>"


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (f"{NOTE}\n{NOTE}\nFire the kiln", "user: Fire the kiln"),
        (f"Fire the kiln\n\n{NOTE} {NOTE}\n", "user: Fire the kiln"),
        (f"What is {NOTE} for?", f"user: What is {NOTE} for?"),
        (f"What says this: {NOTE}", f"user: What says this: {NOTE}"),
        (f"```\n{NOTE}\n```", f"user: ```\n{NOTE}\n```"),
        (f"{NOTE} it says, and </system-reminder>", "user: it says, and </system-reminder>"),
    ],
)
def test_what_the_host_reminds_the_model_of_is_not_the_user_s(content, kept):
    assert said(read(claude("user", "u1", None, content))) == [[kept]]


def test_a_task_that_ended_opens_no_turn():
    ended = "<task-notification>\n<status>completed</status>\n</task-notification>"
    records = [
        claude("user", "u1", None, "Run the tests"),
        claude("assistant", "a1", "u1", "They run"),
        claude("user", "u2", "a1", ended, origin={"kind": "task-notification"}),
        claude("user", "u3", "u2", [{"type": "text", "text": NOTE}]),
        claude("assistant", "a2", "u3", "They pass"),
    ]
    assert said(read(*records)) == [["user: Run the tests", "assistant: They run", "assistant: They pass"]]


def test_a_sub_agent_s_file_is_a_conversation_of_its_own():
    records = [
        claude("user", "u1", None, "Find the kiln", isSidechain=True, agentId="ag1"),
        claude("assistant", "a1", "u1", "Found", isSidechain=True, agentId="ag1"),
    ]
    found = read(*records, name="s1/subagents/agent-ag1.jsonl")
    assert said(found) == [["user: Find the kiln", "assistant: Found"]]
    assert found[0].origin.session == "s1/ag1"


def test_a_tree_that_bites_its_tail_ends():
    records = [claude("user", "u1", "a1", "x"), claude("assistant", "a1", "u1", "y")]
    assert said(read(*records)) == [["user: x", "assistant: y"]]
