"""Sessions that only `append-turn` records end once their last turn is old enough, and only once."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from memtool.core.records.entries import Owner
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.sessions.running import (
    SessionSource,
    forget_unless_resumed,
    record_running,
    record_turn,
    running_sessions,
)
from memtool.verbs.sessions.session_sweep import sweep_sessions
from tests.trees import make, memtool, opened

SAID = (
    "Ada plays the cello in Porto.",
    "We fire the kiln at cone 6.",
    "The celadon glaze is tested first.",
    "Tom collects the order on Friday.",
)
ANN = ("--user", "ann", "--session", "s1")


def at(time, *arguments, root, stdin=""):
    return memtool(
        *arguments,
        home=root.parent,
        cwd=root,
        stdin=stdin,
        environment={"MEMTOOL_NOW": f"2025-01-15T{time}Z"},
    )


def talk(root, *options, said=SAID, hour=9):
    for number, text in enumerate(said):
        done = at(f"{hour:02}:0{number}:00", *options, "append-turn", "--user-text", text, root=root)
        assert done.returncode == 0


def sweep(root, time, *options):
    result = at(time, *options, "session", "sweep", "--idle", "30m", "--json", root=root)
    assert result.returncode == 0
    return result.stdout.count('"promoted"')


def episodes(root):
    return sorted(root.glob("memory/episodic/*.md"))


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


def test_a_session_ends_when_its_last_turn_is_old_enough_and_only_once(root):
    talk(root, *ANN)
    assert [sweep(root, "09:32:59"), sweep(root, "09:33:00"), sweep(root, "09:34:00")] == [0, 1, 0]
    [episode] = episodes(root)
    assert "cello" in episode.read_text()


def test_maintain_ends_it_and_a_session_of_another_user_stays_open_for_a_sweep_of_one(root):
    talk(root, *ANN)
    assert sweep(root, "11:00:00", "--user", "bob") == 0
    assert "1 ended" in at("11:00:00", "maintain", root=root).stdout
    assert len(episodes(root)) == 1


def test_a_session_that_was_ended_is_not_ended_again(root):
    talk(root, *ANN)
    assert at("09:05:00", *ANN, "session-end", root=root).returncode == 0
    assert sweep(root, "11:00:00") == 0


def test_a_turn_without_a_session_and_a_dry_run_leave_nothing_to_end(root):
    talk(root, "--user", "ann")
    talk(root, "--dry-run", *ANN)
    assert sweep(root, "11:00:00") == 0


def test_a_resumed_session_stays_open_and_its_episode_grows_when_it_ends_again(root):
    talk(root, *ANN)
    assert sweep(root, "09:40:00") == 1
    talk(root, *ANN, said=("The new wheel came from Lyon.",), hour=10)
    assert [sweep(root, "10:10:00"), sweep(root, "10:40:00")] == [0, 1]
    [episode] = episodes(root)
    assert "turn_count: 5" in episode.read_text()


def test_a_session_that_is_resumed_while_it_ends_is_ended_again_later(root):
    workspace, ann, ended = opened(root), Owner("user", "ann"), []
    now = datetime(2025, 1, 15, 10, 0, 30, tzinfo=UTC)

    def end(import_rest, at):
        settings = {"idle": timedelta(minutes=30), "now": at, "today": at.date(), "summarizer": None}
        policy = load_policy(workspace.settings)
        sweep_sessions(workspace, (), policy, **settings, import_rest=import_rest, report=ended.append)
        return len(ended)

    def resume(running):
        record_turn(workspace, "s1", ann, None, now)
        return (), []

    record_turn(workspace, "s1", ann, None, now - timedelta(hours=1))
    assert end(resume, now) == 1
    assert [one.last for one in running_sessions(workspace)] == [now]
    assert end(lambda running: ((), []), now + timedelta(minutes=29)) == 1
    assert end(lambda running: ((), []), now + timedelta(minutes=30)) == 2
    assert not [*running_sessions(workspace)]


def test_a_session_that_is_open_elsewhere_ends_when_it_is_idle_as_both(root):
    message = '{"role": "user", "content": "The kiln is warm."}'
    talk(root, *ANN)
    at("09:50:00", *ANN, "session", "turn", root=root, stdin=message)
    assert sweep(root, "10:00:00") == 0
    talk(root, *ANN, hour=10)
    assert sweep(root, "10:25:00") == 0
    assert sweep(root, "10:40:00") == 1
    assert sweep(root, "11:40:00") == 0


def test_the_same_name_of_another_user_is_another_session(root):
    message = '{"role": "user", "content": "The kiln is warm."}'
    talk(root, *ANN)
    at("09:50:00", "--user", "bob", "--session", "s1", "session", "turn", root=root, stdin=message)
    assert sweep(root, "10:00:00") == 1
    assert "user:bob" in at("10:00:00", "session", "status", root=root).stdout


def test_the_end_of_a_session_can_be_undone_after_one_of_its_statements_was(root):
    at("08:59:00", *ANN, "scan", "-m", "My sister Ada plays the cello in Porto.", root=root)
    at("09:00:00", *ANN, "scan", "-m", "We fire the kiln at cone 6 on Thursdays.", root=root)
    talk(root, *ANN)
    before = (root / "SESSION-STATE.md").read_text()
    at("09:10:00", *ANN, "session-end", root=root)
    log = at("09:10:00", "log", "-n", "20", root=root).stdout.splitlines()
    names = {row.split("\t")[2].split(" ")[0]: row.split("\t")[0] for row in log}
    assert at("09:11:00", "undo", names["scan"], root=root).returncode == 0
    refused = at("09:12:00", "undo", names["session-end"], root=root)
    assert "by hand" not in refused.stderr
    first, second = re.findall(r"memtool (undo [j0-9a-f -]+)", refused.stderr)
    assert at("09:13:00", *first.split(), root=root).returncode == 0
    assert (root / "SESSION-STATE.md").read_text() == before
    assert not episodes(root)
    assert at("09:14:00", *second.split(), root=root).returncode == 0
    assert "Porto" not in (root / "SESSION-STATE.md").read_text()


def test_a_session_that_hooks_and_turns_record_is_one(root):
    talk(root, "--session", "s1")
    prompt = {"session_id": "s1", "cwd": str(root), "hook_event_name": "UserPromptSubmit", "prompt": "Hello"}
    at("09:40:00", "hook", root=root, stdin=json.dumps(prompt))
    assert sweep(root, "09:50:00") == 0
    assert sweep(root, "10:41:00") == 1


def test_a_session_that_was_last_seen_in_the_future_is_idle_from_the_next_sweep_on(root):
    talk(root, *ANN, hour=20)
    assert [sweep(root, time) for time in ("09:00:00", "09:29:00", "09:31:00")] == [0, 0, 1]


@pytest.mark.parametrize("ends", ["session-end", "session sweep --idle 30m"])
def test_the_end_of_a_session_knows_recorded_messages_and_turns(root, ends):
    rows = [{"role": "user", "content": text} for text in SAID[:2]]
    at("09:00:00", *ANN, "session", "turn", root=root, stdin=json.dumps(rows))
    talk(root, *ANN, said=SAID[1:])
    assert at("10:00:00", *ANN, *ends.split(), root=root).returncode == 0
    [episode] = episodes(root)
    text = episode.read_text()
    assert all(words in text for words in ("Porto", "celadon", "Friday"))
    assert text.count("cone 6") == 1


def record(root, time, *texts):
    rows = [{"role": "user", "content": text} for text in texts]
    assert at(time, *ANN, "session", "turn", root=root, stdin=json.dumps(rows)).returncode == 0


def test_an_open_session_whose_entries_are_in_the_future_is_idle_from_the_next_sweep_on(root):
    record(root, "20:00:00", *SAID)
    assert [sweep(root, time) for time in ("09:00:00", "09:29:00", "09:30:00")] == [0, 0, 1]
    assert "cello" in episodes(root)[0].read_text()


def test_an_open_session_that_once_had_a_wrong_clock_is_busy_while_it_is_used(root):
    record(root, "20:00:00", *SAID[:3])
    assert sweep(root, "09:00:00") == 0
    record(root, "09:25:00", *SAID[3:])
    assert [sweep(root, "09:54:00"), sweep(root, "09:55:00")] == [0, 1]


def test_the_end_of_a_session_that_must_be_idle_comes_after_a_wrong_clock_too(root):
    record(root, "20:00:00", *SAID)
    ends = (*ANN, "session-end", "--if-idle", "30m")
    codes = [at(time, *ends, root=root).returncode for time in ("09:00:00", "09:29:00", "09:30:00")]
    assert codes == [1, 1, 0]
    assert len(episodes(root)) == 1


def test_a_sweep_knows_the_turns_of_a_session_that_another_machine_recorded(root):
    record(root, "09:00:00", *SAID[:2])
    talk(root, *ANN, said=SAID[2:])
    shutil.rmtree(root / ".memtool")  # it stays on the machine
    assert sweep(root, "10:00:00") == 1
    [episode] = episodes(root)
    assert all(words in episode.read_text() for words in ("Porto", "cone 6", "celadon", "Friday"))


def test_sessions_of_a_loops_jobs_leave_those_of_hooks(root):
    space = opened(root)
    source = SessionSource(agent="claude-code")
    now = datetime(2025, 1, 15, 9, tzinfo=UTC)
    record_running(space, "hooked", None, source, now)
    for number in range(70):
        record_turn(space, f"job{number}", None, None, now)
    names = {found.name for found in running_sessions(space)}
    assert names == {"hooked", *(f"job{number}" for number in range(70))}


def test_what_is_private_of_a_session_of_a_group_ends_by_itself(root):
    space, now = opened(root), datetime(2025, 1, 15, 9, tzinfo=UTC)
    record_turn(space, "s1", Owner("user", "ann"), None, now)
    record_turn(space, "s1", Owner("user", "ann"), "team", now)
    assert [found.source.group for found in running_sessions(space)] == [None, "team"]
    for found in [*running_sessions(space)]:
        forget_unless_resumed(space, found)
    assert not [*running_sessions(space)]
