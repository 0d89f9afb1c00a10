"""What `undo` removed from memory is quoted in prompts as superseded, unless it holds again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from memtool.verbs.memory_files.undone_rows import undone_rows
from tests.trees import make, opened
from tests.trees import memtool as run_memtool

HEAD = 'layout = "native"\n'
YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).isoformat()
REPLY = "It is a lovely thing, I heard of a new museum there."


class _Tree:
    """A workspace, and the commands that run in it."""

    def __init__(self, folder):
        self.root = make(folder / "w", {"memtool.toml": HEAD})

    def run(self, *arguments, user="", stdin=""):
        chosen = ("--user", user) if user else ()
        return run_memtool(
            "--root", str(self.root), *chosen, *arguments, home=self.root.parent, stdin=stdin
        ).stdout

    def say(self, message, user=""):
        self.run("scan", "-m", message, user=user)
        self.note(message, user, YESTERDAY)

    def note(self, message, user="", at="now"):
        at = () if at == "now" else ("--at", at)
        self.run("append-daily", *at, "--user-text", message, "--agent-text", REPLY, user=user)

    def undo_last(self, command):
        rows = [row.split("\t") for row in self.run("log").splitlines()]
        self.run("undo", next(row[0] for row in rows if row[2] == command and "[undone]" not in row[3]))

    def shown(self, prompt, user=""):
        return self.run("context", "--retrieved", "--prompt", prompt, user=user)


@pytest.fixture
def tree(tmp_path):
    return _Tree(tmp_path)


@pytest.mark.parametrize(
    ("message", "prompt"),
    [
        ("My aunt lives in Porto", "Where does my aunt live, in Porto?"),
        ("I prefer dark mode", "Do I prefer dark mode?"),
        ("Always use tabs in code", "Should code use tabs?"),
        ("Ich wohne in Leipzig", "Wohne ich in Leipzig?"),
    ],
)
def test_an_undone_statement_is_marked_in_the_daily_note_of_a_prompt(tree, message, prompt):
    tree.say(message)
    tree.undo_last("scan")
    assert f"user: [superseded] {message}\n" in tree.shown(prompt)


@pytest.mark.parametrize("had_ended", [True, False])
def test_an_undone_statement_is_marked_in_the_summary_of_a_session_that_had_ended(tree, had_ended):
    tree.run("scan", "-m", "My aunt lives in Porto")
    ended, mark = (YESTERDAY, "[superseded] ") if had_ended else ("2999-01-01T00:00:00Z", "")
    head = f'---\nsession_id: "s"\nowner: "session:s"\nended_at: "{ended}"\n---\n'
    said = "Other statements:\nuser: My aunt lives in Porto.\nuser: The museum there opens at ten.\n"
    make(tree.root, {f"memory/episodic/{YESTERDAY[:10]}-s.md": head + said})
    tree.undo_last("scan")
    shown = tree.shown("Where does my aunt live, in Porto?")
    assert f"user: {mark}My aunt lives in Porto.\n" in shown


def test_an_undone_statement_is_marked_in_the_prompt_of_a_hook(tree):
    tree.say("My aunt lives in Porto")
    tree.undo_last("scan")
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s",
        "prompt": "Where does my aunt live, in Porto?",
    }
    shown = json.loads(tree.run("hook", stdin=json.dumps(event)))["hookSpecificOutput"]["additionalContext"]
    assert "user: [superseded] My aunt lives in Porto\n" in shown


def test_an_undone_statement_with_nothing_beside_it_stands_in_no_prompt(tree):
    message = "My aunt lives in Porto"
    tree.run("scan", "-m", message)
    tree.run("append-turn", "--user-text", message, "--agent-text", "Noted.")
    tree.undo_last("scan")
    assert "Porto" not in tree.shown("Where does my aunt live, in Porto?")


@pytest.mark.parametrize("again", ["said", "redone"])
def test_an_undone_statement_that_holds_again_is_not_marked(tree, again):
    message = "My aunt lives in Porto"
    tree.say(f"{message}. She has a big dog.")
    tree.undo_last("scan")
    if again == "said":
        tree.run("scan", "-m", message)
    else:
        tree.undo_last("undo")
    shown = tree.run("context", "--prompt", "Where does my aunt live, in Porto?")
    assert message in shown
    assert "[superseded]" not in shown


def test_a_statement_that_was_undone_redone_and_undone_is_marked(tree):
    message = "My aunt lives in Porto"
    tree.say(message)
    tree.undo_last("scan")
    for _ in range(2):
        newest = tree.run("log", "-n", "1").partition("\t")
        tree.run("undo", newest[0])
    assert f"[superseded] {message}" in tree.shown("Where does my aunt live, in Porto?")


def test_what_an_undone_correction_had_replaced_is_not_marked(tree):
    tree.say("My aunt lives in Porto")
    tree.say("Actually, my aunt lives in Braga, not in Porto")
    tree.undo_last("scan")
    rows = undone_rows(opened(tree.root), (), None)
    assert any("Braga" in text for _, _, text in rows)
    shown = tree.run("context", "--prompt", "Does my aunt live in Porto or in Braga?")
    assert "My aunt lives in Porto" in shown
    assert "[superseded] My aunt" not in shown


def test_what_one_user_took_back_is_not_marked_for_another(tree):
    message = "My aunt lives in Porto"
    for user in ("alice", "bob"):
        tree.note(message, user, YESTERDAY)
    tree.run("scan", "-m", message, user="alice")
    tree.run("undo", user="alice")
    assert f"[superseded] {message}" in tree.shown("Where does my aunt live, in Porto?", "alice")
    assert message in (shown := tree.shown("Where does my aunt live, in Porto?", "bob"))
    assert "[superseded]" not in shown


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_what_is_said_after_the_undo_or_by_hand_is_not_marked(tree, is_by_hand):
    message = "My aunt lives in Porto"
    tree.run("scan", "-m", message)
    tree.undo_last("scan")
    if is_by_hand:
        make(tree.root, {"memory/notes/zettel/aunt.md": f"# Family\n\n{message}.\n"})
    else:
        tree.note(message)
    shown = tree.shown("Where does my aunt live, in Porto?")
    assert message in shown
    assert "[superseded]" not in shown


def test_what_an_undone_session_end_wrote_was_not_taken_back(tree):
    tree.run("scan", "-m", "My aunt lives in Porto")
    for part in (tree.root / ".memtool/journal").iterdir():  # as if the session's end had promoted it
        part.write_bytes(part.read_bytes().replace(b'"by": "scan"', b'"by": "session-end"'))
    tree.undo_last("session-end")
    assert "undo" in tree.run("log", "-n", "1")
    assert undone_rows(opened(tree.root), (), None) == []


def test_no_line_is_read_of_a_journal_without_undo(tree):
    tree.say("My aunt lives in Porto")
    journal = opened(tree.root).journal
    assert [*journal.lines()]
    assert [*journal.lines(b'"undoes"')] == []
