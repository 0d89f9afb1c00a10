"""Failures of tools go to the learnings by themselves, once, whichever event of an agent brings them."""

from __future__ import annotations

import json

import pytest

from tests.hooks import claude_log, event, hook, locked_elsewhere, log_of, prompt  # noqa: F401

ERROR = 'Exit code 1\nnpm error Missing script: "tset"'


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def learnt(root, name="errors"):
    path = root / f"learnings/{name}.md"
    return [row for row in path.read_text().split("\n") if row.startswith("- ")] if path.exists() else []


def log_with_failures(path, *calls, said="run the tests"):
    """A log of Claude Code with a turn in which these calls, by their ids, failed."""
    claude_log(path, [(said, "they fail")])
    head, answer = path.read_text().splitlines()
    rows, parent = [head], json.loads(head)["uuid"]
    for number, call in enumerate(calls):
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "npm run tset"}}
        result = {"type": "tool_result", "tool_use_id": call, "content": ERROR, "is_error": True}
        for role, block in (("assistant", use), ("user", result)):
            uuid = f"{number:08}-0000-4000-9000-{len(rows):012}"
            row = {"parentUuid": parent, "isSidechain": False, "type": role, "uuid": uuid, "sessionId": "s1"}
            row |= {"timestamp": "2025-01-15T10:30:00.000Z", "message": {"role": role, "content": [block]}}
            rows.append(json.dumps(row))
            parent = uuid
    rows.append(json.dumps({**json.loads(answer), "parentUuid": parent}))
    path.write_text("\n".join(rows) + "\n")
    return path


def failure(call="t1", **fields):
    given = {"tool_name": "Bash", "tool_use_id": call, "tool_input": {"command": "npm run tset"}}
    return event("PostToolUseFailure", **given, error=ERROR, **fields)


LINE = 'Bash: npm run tset: exit code 1: npm error Missing script: "tset"'


def test_a_failure_in_the_transcript_of_a_turn_is_learnt_once_and_counts(hook, root, tmp_path):  # noqa: F811
    log = log_with_failures(tmp_path / "t/s1.jsonl", "t1", "t2")
    for _ in range(2):
        hook(event("Stop", transcript_path=str(log)))
    assert learnt(root) == [f"- [2025-01-15T10:30:00Z] {LINE} (2 times)"]
    assert log_of(root) == ""


def test_a_failure_that_its_own_event_brought_is_not_repeated_at_the_end_of_the_turn(hook, root, tmp_path):  # noqa: F811
    for _ in range(2):
        hook(failure("t1"))
    assert learnt(root) == [f"- [2025-01-15T10:30:00Z] {LINE}"]
    log = log_with_failures(tmp_path / "t/s1.jsonl", "t1", "t2")
    hook(event("Stop", transcript_path=str(log)))
    assert learnt(root) == [f"- [2025-01-15T10:30:00Z] {LINE} (2 times)"]


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"tool_response": {"stdout": "", "stderr": "bash: tree: command not found", "exit_code": 127}}, 1),
        ({"tool_response": {"is_error": True, "content": "error: no such table"}}, 1),
        ({"tool_response": {"stdout": "error: this is a page about errors", "stderr": ""}}, 0),
        ({"tool_response": "error: a text"}, 0),
    ],
)
def test_after_a_tool_only_a_failure_is_learnt(hook, root, fields, count):  # noqa: F811
    hook(event("PostToolUse", tool_name="Bash", tool_use_id="t1", tool_input={"command": "tree"}, **fields))
    assert len(learnt(root)) == count


def test_a_failure_is_its_users(hook, root):  # noqa: F811
    hook(failure("t1"), MEMTOOL_USER="ann")
    hook(failure("t2"), MEMTOOL_USER="bob")
    assert [row.split("] ")[1] for row in learnt(root)] == ["[user:bob", "[user:ann"]


def test_a_failure_is_queued_and_learnt_by_the_next_writer(hook, root):  # noqa: F811
    with locked_elsewhere(root):
        hook(failure("t1"), "--seconds", "1")
    assert learnt(root) == []
    hook(prompt("I prefer oolong"))
    assert len(learnt(root)) == 1


def test_a_failure_of_a_turn_that_is_not_to_be_kept_is_not_learnt(hook, root, tmp_path):  # noqa: F811
    log = log_with_failures(tmp_path / "t/s1.jsonl", "t1", said="Don't remember this: run the tests")
    hook(event("Stop", transcript_path=str(log)))
    assert learnt(root) == []


def test_the_failure_of_a_private_prompt_is_not_learnt_from_its_own_event(hook, root):  # noqa: F811
    hook(prompt("Don't remember this: run the tests"))
    hook(failure("t1"))
    assert learnt(root) == []
    hook(event("Stop", last_assistant_message="They pass."))
    hook(prompt("run the tests"))
    hook(failure("t2"))
    assert len(learnt(root)) == 1


def test_nothing_is_learnt_incognito(hook, root):  # noqa: F811
    hook(failure("t1"), "--incognito")
    assert learnt(root) == []


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I told you to use tabs", "I told you to use tabs"),
        ("Fix it. Перестань извиняться", "Перестань извиняться"),
        ("Don't do that again. Stop using emojis!", "Don't do that again. Stop using emojis!"),
    ],
)
def test_a_correction_of_the_agents_behaviour_is_learnt_once(hook, root, text, row):  # noqa: F811
    for _ in range(2):
        hook(prompt(text), MEMTOOL_USER="ann")
    assert learnt(root, "corrections") == [f"- [2025-01-15T10:30:00Z] [user:ann] {row}"]


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>I told you to use tabs</system-reminder> Go on.",
        "Translate this:\n> I told you to use tabs",
        "```\nYou keep forgetting the tests\n```\nwhat does this log mean?",
        "I told you to use tabs. Don't store that.",
    ],
)
def test_a_pasted_or_private_correction_is_not_learnt(hook, root, text):  # noqa: F811
    hook(prompt(text))
    assert learnt(root, "corrections") == []
