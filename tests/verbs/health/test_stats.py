"""stats: every entry is counted once, of its own day, and the index says what the files say."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shutil
import subprocess
import sys
from datetime import date

import pytest

from memtool.core.history.memory_counts import MemoryCount, period_name, since, sum_by_period, sum_by_role
from memtool.core.records.scope import Scope
from memtool.verbs.access.get import list_files
from memtool.verbs.health.stats import stats
from memtool.verbs.health.status import status
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.turns import TurnSync
from tests.trees import NOW, SAMPLE, clean_environment, contents, make, memtool, opened

KEY = b"k" * 32
FIXED = {"MEMTOOL_NOW": NOW.isoformat()}


def counted(root):
    shelf = TurnSync(opened(root), KEY, wait=1.0)
    found = stats(shelf)
    shelf.close()
    return found


@pytest.fixture
def root(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "w")
    return tmp_path / "w"


def test_the_index_says_what_the_files_say_and_is_not_believed_when_it_is_stale(root):
    before = contents(root)
    read = counted(root)
    assert not (root / ".memtool").exists()
    shelf = TurnSync(opened(root), KEY, wait=1.0)
    shelf.sync()
    shelf.close()
    assert counted(root) == read
    assert contents(root) == before
    turns = root / "memory/history/turns/2025/01/15"
    text = (turns / f"{3:020}.json").read_text()
    make(turns, {f"{5:020}.json": text.replace('"seq": 3', '"seq": 5')})
    now = counted(root)
    assert sum_by_role(now.counts)["turn"].files == sum_by_role(read.counts)["turn"].files + 1


def test_every_file_is_counted_once_and_every_byte(root):
    found = counted(root)
    assert found.unread == ()
    sums = sum_by_role(found.counts)
    files = {path: content for path, content in contents(root).items() if path != "memtool.toml"}
    assert sum(count.files for count in sums.values()) == len(files)
    assert sum(count.bytes for count in sums.values()) == sum(map(len, files.values()))
    assert sums["session-state"].entries == 5
    assert sums["semantic"].entries == 9


def test_one_evening_is_one_day_in_the_workspaces_zone(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\ntimezone = "Asia/Kathmandu"\n'})
    late = {"MEMTOOL_NOW": "2025-01-14T18:20:00Z"}  # five past midnight there

    def run(*arguments, stdin=""):
        return memtool("--root", str(root), *arguments, home=tmp_path, stdin=stdin, environment=late).stdout

    run("scan", "-m", "I prefer tea")
    run("append-daily", "--user-text", "a", "--agent-text", "b")
    run("append-turn", stdin='[{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]')
    run("learn", "error", "xx")
    run("rules", "add", "Be short.")
    for _ in range(2):  # first the files are read, then the index is asked
        rows = run("stats", "--by", "day", "--no-plot").split("\n\n")[1].splitlines()
        assert len(rows) == 2
        assert rows[1].split()[0] == "2025-01-15"
        assert set(rows[0].split()[1:-1]) == {"session-state", "daily-note", "rules", "turn", "learnings"}
        assert "turn" in run("stats", "--since", "today")
        run("search", "--in", "turns", "q")
        run("reindex")


def test_an_entry_is_of_its_own_day_and_a_note_of_that_in_its_name(root):
    counts = counted(root).counts
    assert counts["session-state", date(2025, 1, 15)].entries == 2
    assert counts["daily-note", date(2025, 1, 12)].files == 1
    assert ("semantic", None) in counts
    late = since(counts, date(2025, 1, 15))
    assert {day for _, day in late} == {date(2025, 1, 15)}


@pytest.mark.parametrize(
    ("day", "names"),
    [
        (date(2025, 1, 15), ("2025-01-15", "2025-W03", "2025-01")),
        (date(2024, 12, 30), ("2024-12-30", "2025-W01", "2024-12")),
        (date(1, 1, 1), ("0001-01-01", "0001-W01", "0001-01")),
    ],
)
def test_a_period_has_the_name_that_the_world_gives_it(day, names):
    assert tuple(period_name(day, period) for period in ("day", "week", "month")) == names


def test_periods_come_in_order_and_add_up():
    counts = {
        ("b", date(2025, 2, 1)): MemoryCount(1, 2, 3, 4),
        ("a", date(2025, 1, 31)): MemoryCount(1, 1, 1, 1),
        ("a", date(2025, 1, 1)): MemoryCount(1, 1, 1, 1),
        ("a", None): MemoryCount(9, 9, 9, 9),
    }
    assert sum_by_period(counts, "month") == {
        "2025-01": {"a": MemoryCount(2, 2, 2, 2)},
        "2025-02": {"b": MemoryCount(1, 2, 3, 4)},
    }


def test_files_that_make_no_sense_are_counted_as_files(root):
    state = "- [2025-99-99T00:00:00Z] **x**: y\n"
    lines = '[1]\n{"at": 5}\nnonsense\n{"at": "2025-01-15T00:00:00Z"}\n'
    make(root, {"memory/2025-01-16.md": b"\xff\xfe", "SESSION-STATE.md": state})
    make(root, {"memory/cognition/evidence.jsonl": lines, "memory/history/turns/2025/01/15/x.json": "[]"})
    found = counted(root)
    assert found.counts["daily-note", date(2025, 1, 16)] == MemoryCount(1, 2, 0, 1)
    sums = sum_by_role(found.counts)
    assert (sums["evidence"].entries, sums["session-state"].entries, sums["turn"].files) == (3, 0, 3)


def test_a_plot_that_is_asked_for_says_what_it_needs_or_is_drawn(root):
    result = memtool("stats", "--plot", home=root.parent, cwd=root, environment=FIXED)
    try:
        import plotext  # noqa: F401
    except ImportError:
        assert result.returncode == 18
        assert "pip install '.[plots]'" in result.stderr
    else:
        assert "entries by day: daily-note" in result.stdout
        assert "\x1b" not in result.stdout


def test_a_terminal_sees_the_same_table_with_thousands_separated(root):
    plain = memtool("stats", "--no-plot", home=root.parent, cwd=root, environment=FIXED).stdout
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "memtool", "stats", "--no-plot"]
    subprocess.run(
        command,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        cwd=root,
        env=clean_environment(root.parent, NO_COLOR="1", **FIXED),
        check=True,
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(controller, 65536):
            shown += part
    assert shown.decode().replace(",", "").split() == plain.split()
    os.close(controller)


def test_it_counts_for_programs(root):
    result = memtool("stats", "--json", "--by", "month", home=root.parent, cwd=root, environment=FIXED)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    turns = [row for row in rows if row["role"] == "turn"]
    assert [row["period"] for row in turns] == [None, "2025-01"]
    assert turns[0] == {**turns[1], "period": None}


def test_what_is_another_users_counts_nowhere(tmp_path):
    turns = "memory/history/turns/2025/01/15/0000000000000000000"
    record = {"schema_version": 2, "created_at": "2025-01-15T10:30:00Z", "messages": [{"role": "user"}]}
    shared = {
        "memtool.toml": 'layout = "native"\n',
        "MEMORY.md": "# Memory\n\n- tea\n- [context] [user:ann] I bake\n",
        f"{turns}1.json": json.dumps({**record, "seq": 1, "user": "ann"}),
    }
    of_bob = {
        "MEMORY.md": shared["MEMORY.md"] + "- [context] [user:bob] I row\n",
        "memories/bob.md": "---\nowner: user:bob\n---\nI row\n",
        "memory/cognition/sessions/of-bob/turns.jsonl": '{"owner": "user:bob", "content": "I row"}\n',
        f"{turns}2.json": json.dumps({**record, "seq": 2, "user": "bob"}),
    }
    ann = Scope(owners=frozenset({"user:ann"}))

    def told(root):
        workspace = opened(root)
        indexes = SearchIndexes(workspace, KEY, wait=1.0)
        facts = FactSync(workspace, KEY, wait=1.0, embedder=None)
        found = [(stats(indexes.turns, scope=ann).counts, status(workspace, indexes, facts, NOW, ann).roles)]
        indexes.sync()
        found.append((stats(indexes.turns, scope=ann).counts, list_files(workspace, ann).files))
        state = status(workspace, indexes, facts, NOW, ann)
        indexes.close()
        return found, (state.roles, state.index, state.transcripts)

    assert told(make(tmp_path / "both", {**shared, **of_bob})) == told(make(tmp_path / "one", shared))
