"""What the user asks not to keep is in no file, whichever command is given it."""

from __future__ import annotations

import json

import pytest

from tests.hooks import claude_log, event
from tests.trees import NOW, make, memtool

SECRET = "zebrafish"
BEFORE = f"My password hint is {SECRET}. Please don't remember that."
AFTER = f"Don't save this: my password hint is {SECRET}"
REPLY = f"I will not keep {SECRET}. Shall we go on?"


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


def run(root, *arguments, stdin=""):
    environment = {"MEMTOOL_NOW": NOW.isoformat(), "MEMTOOL_USER": "ann", "MEMTOOL_SESSION": "s1"}
    return memtool(*arguments, home=root.parent, cwd=root, stdin=stdin, environment=environment)


def holding(root):
    """The files that hold the secret."""
    return [str(path) for path in root.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def chat(*texts):
    roles = ("user", "assistant")
    return json.dumps([{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)])


@pytest.mark.parametrize("text", [BEFORE, AFTER])
@pytest.mark.parametrize(
    "command", ["append-turn", "session turn", "append-daily", "buffer", "scan", "compact"]
)
def test_no_command_keeps_it(root, command, text):
    given = {
        "append-turn": (["append-turn"], chat(text, REPLY)),
        "session turn": (["session", "turn"], chat(text, REPLY)),
        "append-daily": (["append-daily", "--user-text", text, "--agent-text", REPLY], ""),
        "buffer": (["buffer", "--used", "150000", "--user-text", text, "--agent-text", REPLY], ""),
        "scan": (["scan", "-m", text], ""),
        "compact": (
            ["compact", "--force"],
            chat(*["I prefer plain text.", "Good."] * 3, text, REPLY, *["Go on.", "Yes."] * 4),
        ),
    }
    arguments, stdin = given[command]
    result = run(root, *arguments, stdin=stdin)
    assert result.returncode in {0, 1}, result.stderr
    run(root, "session-end")
    assert holding(root) == []


@pytest.mark.parametrize("arguments", [["save"], ["learn", "correction"]])
@pytest.mark.parametrize("text", [BEFORE, AFTER])
def test_what_asks_not_to_be_kept_is_refused_as_a_fact(root, arguments, text):
    refused = run(root, *arguments, text)
    assert refused.returncode == 2
    assert "contains a request not to store it" in refused.stderr
    assert holding(root) == []


TALK = [
    ("I use Postgres.", "Good."),
    (f"My password hint is {SECRET}.", REPLY),
    ("Please don't remember that.", f"Gone: {SECRET}."),
    ("What is next?", "The tests."),
]


def test_an_import_keeps_none_of_it_and_a_second_one_adds_nothing(root):
    log = claude_log(root.parent / "log.jsonl", TALK)
    assert run(root, "import", "claude-code", str(log)).returncode == 0
    assert holding(root) == []
    replayed = run(root, "replay").stdout
    assert "Postgres" in replayed
    assert "[not kept]" in replayed
    before = {path: path.read_bytes() for path in (root / "memory/history").rglob("*.json")}
    assert run(root, "import", "claude-code", str(log)).returncode == 0
    assert {path: path.read_bytes() for path in (root / "memory/history").rglob("*.json")} == before


def test_a_turn_that_a_later_one_asks_not_to_keep_is_taken_back_from_the_history(root):
    log = root.parent / "log.jsonl"
    for count in range(1, len(TALK) + 1):
        claude_log(log, TALK[:count])
        stop = event(
            "Stop", session_id="s1", transcript_path=str(log), last_assistant_message=TALK[count - 1][1]
        )
        assert run(root, "hook", stdin=json.dumps(stop)).returncode == 0
    left = holding(root)
    assert [path for path in left if "/history/" in path] == []


@pytest.mark.parametrize("text", [BEFORE, AFTER])
def test_hooks_keep_none_of_it(root, text):
    log = claude_log(root.parent / "log.jsonl", [("I use Postgres.", "Good."), (text, REPLY)])
    for name, more in (
        ("UserPromptSubmit", {"prompt": text}),
        ("Stop", {"last_assistant_message": REPLY}),
        ("PreCompact", {"trigger": "auto"}),
        ("SessionEnd", {"reason": "other"}),
    ):
        sent = event(name, session_id="s1", transcript_path=str(log), **more)
        assert run(root, "hook", stdin=json.dumps(sent)).returncode == 0
    assert list((root / "memory/history").rglob("*.json"))
    assert holding(root) == []
