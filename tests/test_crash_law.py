"""The crash law: stop a verb at any disk operation, run it again, and the tree is as if nothing had happened.

Append-only logs may hold a record twice, and the salience of facts may count the stopped run too: they are
at-least-once, and everything else is exactly-once.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memtool.core.facts.salience import Salience, decay_once
from memtool.formats import head
from memtool.formats import salience as salience_format
from memtool.formats import turn as turn_format
from memtool.formats.salience import SalienceFile
from memtool.store.workspace import Workspace
from tests.commands import COMMANDS, empty, run_append_turn, run_compact, run_on, sample
from tests.faulty import Stopped
from tests.trees import contents, opened
from tests.verbs.history.test_upgrade_history import TURNS

LOGS = {
    "learnings-archive",
    "evidence",
    "audit",
    "session-state",
    "session-state-archive",
    "daily-note",
    "working-buffer",
    "session-turns",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_crash_law_holds(name, tmp_path):
    prepare, run = COMMANDS[name]
    prepared, whole = tmp_path / "prepared", tmp_path / "whole"
    prepare(prepared)
    shutil.copytree(prepared, whole)
    before = contents(whole)
    disk = run_on(whole, run, None)
    expected = contents(whole)
    assert expected != before
    for stop_at in range(len(disk.done)):
        root = tmp_path / f"stop{stop_at}"
        shutil.copytree(prepared, root)
        with pytest.raises(Stopped):
            run_on(root, run, stop_at)
        assert_nothing_half_written(root, before, expected)
        run_on(root, run, None)
        assert_same(opened(root, "native"), contents(root), expected)
        shutil.rmtree(root)


def test_a_history_is_a_log_whose_numbers_stay_right_wherever_its_writer_stopped(tmp_path):
    whole = tmp_path / "whole"
    sample(whole)
    steps = len(run_on(whole, run_append_turn, None).done)
    for stop_at in range(steps):
        root = tmp_path / f"stop{stop_at}"
        sample(root)
        with pytest.raises(Stopped):
            run_on(root, run_append_turn, stop_at)
        for path in (root / TURNS).rglob("*.json"):
            turn_format.parse(path.read_text())  # never half a turn
        run_on(root, run_append_turn, None)
        written = sorted(path.stem for path in (root / TURNS).rglob("*.json"))
        assert [int(stem) for stem in written] in ([1, 2, 3, 5], [1, 2, 3, 5, 6])  # 4 is in quarantine
        assert head.parse((root / "memory/history/state/head.json").read_text()).last_seq == int(written[-1])
        shutil.rmtree(root)


def test_facts_are_stored_before_the_summary_wherever_compact_stops(tmp_path):
    facts, summary = Path("semantic/captured.md"), Path("journal/2025-01-15.md")
    whole = tmp_path / "whole"
    empty(whole)
    steps = len(run_on(whole, run_compact, None, layout="q15").done)
    expected = contents(whole)
    for stop_at in range(steps):
        root = tmp_path / f"stop{stop_at}"
        empty(root)
        with pytest.raises(Stopped):
            run_on(root, run_compact, stop_at, layout="q15")
        assert not (root / summary).exists() or (root / facts).read_bytes() == expected[str(facts)]
        run_on(root, run_compact, None, layout="q15")
        assert contents(root) == expected


def assert_nothing_half_written(root: Path, before: dict[str, bytes], expected: dict[str, bytes]) -> None:
    for path, content in contents(root).items():
        if not path.endswith(".memtool-tmp"):
            assert content in {before.get(path), expected.get(path)}, f"{path} is neither old nor new"


def assert_same(workspace: Workspace, found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    counts = {str(workspace.layout.path("salience"))}
    assert found.keys() - counts == expected.keys() - counts
    for path, content in found.items():
        located = workspace.role_of(path)
        if located is not None and located.role == "salience":
            whole = salience_format.parse(expected.get(path, b"{}").decode())
            assert_counted(salience_format.parse(content.decode()), whole)
        elif located is not None and located.role in LOGS:
            assert set(content.split(b"\n")) == set(expected[path].split(b"\n")), path
        else:
            assert content == expected[path], path


def assert_counted(found: SalienceFile, expected: SalienceFile) -> None:
    """Each fact as expected, or with the run that was stopped counted too: an access, or a night, more."""
    for name in {*found.facts, *expected.facts}:
        one, whole = found.facts.get(name, Salience()), expected.facts.get(name, Salience())
        assert one.accesses - whole.accesses in {0, 1}, name
        assert one.decay in {whole.decay, decay_once(whole).decay}, name
