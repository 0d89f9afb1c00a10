"""Hooks as agents call them: processes, many at once, with streams that are closed or never end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.cli.hooks import fast_path, runner
from memtool.core.hooks.hook_event import AGENTS
from memtool.serve.watch.client import ask
from memtool.verbs.delegates import delegate, write_hooks
from tests import forked
from tests.forked import Forked
from tests.hooks import PAGES, claude_log, context_of, event, log_of, prompt
from tests.trees import clean_environment, make, memtool, opened

HOOK = [sys.executable, "-m", "memtool", "hook"]


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", PAGES)


def started(record, home: Path, *options: str, **environment: str) -> Forked | subprocess.Popen:
    variables = clean_environment(home, MEMTOOL_NOW="2025-01-15T10:30:00Z", **environment)
    one = forked.started(["hook", *options], home, variables)
    assert one.stdin is not None
    one.stdin.write(json.dumps(record).encode())
    one.stdin.close()
    return one


def ended(one: Forked | subprocess.Popen) -> bytes:
    assert one.stdout is not None
    assert one.stderr is not None
    answer, told = one.stdout.read(), one.stderr.read()
    assert (one.wait(60), told) == (0, b"")
    one.stdout.close()
    one.stderr.close()
    return answer


def test_prompts_at_once_are_all_answered_and_all_recorded(tmp_path, root):
    records = [
        prompt(f"I prefer recipe number {n}x. The kiln?", cwd=str(root), session_id=f"s{n}") for n in range(6)
    ]
    answers = [ended(one) for one in [started(record, tmp_path) for record in records]]
    assert all("1240 degrees" in context_of(answer) for answer in answers)
    with opened(root).lock():
        pass  # records what a hook queued because the lock was held for too long on a slow machine
    page = (root / "MEMORY.md").read_text()
    assert [page.count(f"I prefer recipe number {n}x") for n in range(6)] == [1] * 6
    assert all("is building the index" in line for line in log_of(root).splitlines())  # then files are read


def test_the_journal_names_the_agent_the_moment_and_the_session(tmp_path, root):
    ended(started(prompt("I prefer tea", cwd=str(root), session_id="s7"), tmp_path))
    ended(started(prompt("I prefer plov", cwd=str(root), session_id="no/name"), tmp_path, "--user", "ann"))
    done = memtool("--root", str(root), "--json", "log", home=tmp_path)
    last, first = [json.loads(row) for row in done.stdout.splitlines()]
    assert (first["command"], first["session"], first["user"]) == (
        "hook claude-code UserPromptSubmit",
        "s7",
        None,
    )
    assert (last["session"], last["user"]) == (None, "ann")
    memtool("--root", str(root), "undo", "2", home=tmp_path)
    assert "prefer" not in (root / "MEMORY.md").read_text()


def test_the_ends_of_a_turn_and_of_its_session_at_once_keep_it_once(tmp_path, root):
    log = claude_log(tmp_path / "t" / "s1.jsonl", [("How hot?", "1240."), ("And now?", "20.")])
    told = {"cwd": str(root), "transcript_path": str(log)}
    records = [event(name, **told) for name in ("Stop", "Stop", "SessionEnd", "SubagentStop")]
    for one in [started(record, tmp_path) for record in records]:
        assert ended(one) == b""
    assert len(list(root.glob("memory/history/turns/**/*.json"))) == 2
    assert (root / "memory/2025-01-15.md").read_text().count("**User:**") == 2


def test_who_reads_no_answer_is_not_waited_for(tmp_path, root):
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        HOOK,
        input=json.dumps(prompt("hi", cwd=str(root))).encode(),
        stdout=writer,
        stderr=subprocess.PIPE,
        env=clean_environment(tmp_path),
        check=False,
    )
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")
    again = ended(started(prompt("hi", cwd=str(root)), tmp_path))
    assert "1240 degrees" in context_of(again)  # only what has reached its reader was told


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_breaks_nothing(tmp_path, root, closed):
    line = json.dumps(prompt("I prefer tea", cwd=str(root)))
    command = f"printf %s '{line}' | exec {' '.join(HOOK)} {closed}"
    result = subprocess.run(
        ["sh", "-c", command], env=clean_environment(tmp_path), capture_output=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")


def test_an_agent_that_never_ends_what_it_says_is_left(tmp_path):
    with subprocess.Popen(
        HOOK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean_environment(tmp_path)
    ) as hook:
        assert hook.wait(60) == 0  # the hook gives up by itself, after eight seconds
        assert hook.stdout is not None
        assert hook.stdout.read() == b""


def test_what_is_said_twice_to_import_less_is_the_same():
    assert runner.GUARD_VARIABLES == (delegate.GUARD_VARIABLE, write_hooks.HOOK_GUARD_VARIABLE)
    assert fast_path._AGENTS == AGENTS


def test_a_hook_imports_no_click_and_asks_a_watcher_before_all_else(tmp_path, root):
    code = (
        "import sys\nbefore = {*sys.modules}\n"
        "from memtool.cli.hooks.fast_path import run_fast\nrun_fast(sys.argv[1:])\n"
        "names = {'click', 'msgspec', 'pathlib', 're', 'typing', 'whoosh'} - before\n"
        "print(sorted(name for name in names if name in sys.modules), file=sys.stderr)"
    )

    def imported() -> tuple[str, bytes]:
        result = subprocess.run(
            [sys.executable, "-c", code, "hook"],
            input=json.dumps(prompt("the kiln?", cwd=str(root), session_id=None)).encode(),
            capture_output=True,
            env=clean_environment(tmp_path),
            check=True,
        )
        return result.stderr.decode().strip(), result.stdout

    alone, answer = imported()
    assert "'msgspec'" in alone
    assert "'click'" not in alone
    assert memtool("watch", "--daemon", home=tmp_path, cwd=root).returncode == 0
    try:
        watched, same = imported()
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)
    assert watched == "[]"
    assert same == answer


def test_a_watcher_answers_a_prompt_as_the_hook_itself_does(tmp_path, root):
    make(root, {"groups/family/MEMORY.md": "- the picnic is at the lake\n"})
    memtool("watch", "--daemon", home=tmp_path, cwd=root)
    try:
        told = context_of(ended(started(prompt("celadon? I prefer tea", cwd=str(root)), tmp_path)))
        assert "three percent" in told
        assert "I prefer tea" in (root / "MEMORY.md").read_text()
        assert ended(started(prompt("thanks", cwd=str(root)), tmp_path)) == b""
        (root / "memory/notes/zettel/new.md").write_text("# Engobe\n\nEngobe is sieved twice.\n")
        told = context_of(ended(started(prompt("the engobe?", cwd=str(root)), tmp_path)))
        assert "sieved twice" in told  # what is on disk now, not what the watcher saw last
        record = prompt("I prefer the lake", cwd=str(root), session_id="s3")
        told = context_of(ended(started(record, tmp_path, MEMTOOL_GROUP="family")))
        assert "the picnic is at the lake" in told
        assert "1240" not in told
        assert "I prefer the lake" in (root / "groups/family/MEMORY.md").read_text()
        record = prompt("I prefer coffee", cwd=str(root), session_id="s4")
        assert "1240" in context_of(ended(started(record, tmp_path, MEMTOOL_MODE="incognito")))
        assert "coffee" not in (root / "MEMORY.md").read_text()
        record = prompt("I prefer milk", cwd=str(root), session_id="s5")
        ended(started(record, tmp_path, "--user", "ann"))
        assert "[user:ann] I prefer milk" in (root / "MEMORY.md").read_text()
        for strange in (
            {"record": 3, "given": {}},
            {"record": {}, "given": {}},
            {"record": prompt("\ud800")},
        ):
            message = {"ask": "hook", "event_id": "a" * 32, "environment": {}, "given": {}}
            reply = ask(str(root), {**message, **strange})
            assert reply is not None
            assert reply.get("text", "").startswith(("", "{"))
        assert "watch" not in log_of(root)
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)
    assert "Traceback" not in (root / ".memtool/watch.log").read_text()


@pytest.mark.parametrize("has_watcher", [False, True])
def test_a_hook_says_what_it_recorded_and_added_if_asked(tmp_path, root, has_watcher):
    recorded, added = "recorded in SESSION-STATE.md, MEMORY.md; ", "characters to the conversation\n"
    if has_watcher:
        memtool("watch", "--daemon", home=tmp_path, cwd=root)
    try:
        for text, outcome in (
            ("I prefer tea. The kiln?", f"{recorded}added COUNT {added}"),
            ("I prefer green mugs.", f"{recorded}nothing to add to the conversation\n"),
            ("Thank you.", "nothing to record; nothing to add to the conversation\n"),
        ):
            record = json.dumps(prompt(text, cwd=str(root)))
            told = memtool("hook", "-v", home=tmp_path, cwd=root, stdin=record)
            added_length = len(context_of(told.stdout.encode())) if told.stdout else 0
            expected = outcome.replace("COUNT", f"{added_length:,}")
            by_watcher = "the watcher answered: " * has_watcher
            assert told.stderr == f"memtool: {by_watcher}UserPromptSubmit: {expected}"
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)


def test_a_hook_says_why_it_recorded_no_turn_if_asked(tmp_path, root):
    def told(event):
        record = json.dumps({"hook_event_name": "Stop", "session_id": "s1", "cwd": str(root), **event})
        return memtool("hook", "-v", home=tmp_path, cwd=root, stdin=record).stderr

    message = {"role": "user", "content": "I like tea"}
    line = {"type": "user", "sessionId": "s1", "uuid": "u1", "timestamp": "2025-01-15T10:00:00Z"}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "Noted."}]}
    rows = (
        {**line, "message": message},
        {**line, "type": "assistant", "uuid": "u2", "parentUuid": "u1", "message": answer},
    )
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "recorded in memory/" in told({"transcript_path": str(transcript)})
    again = told({"transcript_path": str(transcript)})
    assert "nothing to record, because the transcript contains no new turn; " in again
    assert "nothing to record, because the input contains neither a transcript nor a message; " in told({})


def test_what_a_watcher_could_not_do_is_in_the_log(tmp_path, root):
    memtool("watch", "--daemon", home=tmp_path, cwd=root)
    try:
        (root / "SESSION-STATE.md").mkdir()
        told = context_of(ended(started(prompt("I prefer tea. The kiln?", cwd=str(root)), tmp_path)))
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)
    assert "1240 degrees" in told
    assert "UserPromptSubmit: " in log_of(root)
    assert "SESSION-STATE.md is a folder, not a file" in log_of(root)
    assert "tea" not in log_of(root)


def write_hook_to_a_pipe(home: Path) -> Path:
    """Configure a write hook that fails, and one that goes on until somebody reads it from this pipe."""
    pipe = home / "pipe"
    os.mkfifo(pipe)
    commands = ("exit 3", f"cat > {pipe}")
    tables = "".join(f"[[write_hook]]\ncommand = '{command}'\n" for command in commands)
    make(home / ".config/memtool", {"config.toml": tables})
    return pipe


def test_an_agent_waits_for_no_write_hook(tmp_path, root):
    pipe = write_hook_to_a_pipe(tmp_path)
    answer = ended(started(prompt("I prefer tea. The kiln?", cwd=str(root), session_id="s7"), tmp_path))
    assert "1240 degrees" in context_of(answer)
    record = json.loads(pipe.read_text())
    assert "write_hook 1 (exit 3) failed with exit code 3" in log_of(root)
    assert record["actor"] == {"user": None, "session": "s7", "agent": "claude-code"}
    assert record["command"] == "hook claude-code UserPromptSubmit"
    assert [row["path"] for row in record["changes"]] == ["SESSION-STATE.md", "MEMORY.md"]


def test_write_hooks_of_a_prompt_that_a_watcher_answers_run_in_the_watcher(tmp_path, root):
    pipe = write_hook_to_a_pipe(tmp_path)
    memtool("watch", "--daemon", home=tmp_path, cwd=root)
    try:
        ended(started(prompt("I prefer tea. The kiln?", cwd=str(root)), tmp_path))
        found = memtool("search", "-v", "oxide", home=tmp_path, cwd=root)
        assert "answered by the watcher" in found.stderr  # while the write hook runs
        assert json.loads(pipe.read_text())["verb"] == "hook"
        assert "write_hook 1 (exit 3) failed with exit code 3" in log_of(root)
    finally:
        memtool("watch", "stop", home=tmp_path, cwd=root)


def test_an_agent_that_a_write_hook_starts_is_let_alone(tmp_path, root):
    assert ended(started(prompt("The kiln?", cwd=str(root)), tmp_path, MEMTOOL_WRITE_HOOK="1")) == b""
    assert ended(started(prompt("The kiln?", cwd=str(root)), tmp_path, MEMTOOL_WRITE_HOOK="0")) != b""
