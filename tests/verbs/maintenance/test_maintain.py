"""maintain: each step runs, in order, whatever becomes of the others; a second run finds nothing to do."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest

from memtool.core.records.turn import Message, TextPart, Turn, turn_id
from memtool.errors import Locked, PartlyApplied, UnreadableFile
from memtool.formats import turn as turn_format
from memtool.store.lock import hold
from memtool.verbs.maintenance.maintain import maintain
from memtool.verbs.memory_files.salience import decay, load_salience
from memtool.verbs.sessions.session import open_sessions
from tests.commands import expired, maintenance, neglected
from tests.trees import NOW, contents, make, memtool, opened

FACT = "m-4f1a90"


@pytest.fixture
def root(tmp_path):
    neglected(tmp_path / "w")
    return tmp_path / "w"


def run(root, now=NOW, **settings):
    return {report.step: report for report in maintain(maintenance(opened(root, **settings), now))}


def test_every_step_does_its_work_in_order(root):
    reports = run(root)
    assert [*reports] == ["upgrade-history", "merge", "sweep", "candidates", "decay", "index"]
    assert {report.exit_code for report in reports.values()} == {0}
    assert all(report.is_changed for step, report in reports.items() if step not in {"merge", "candidates"})
    assert reports["sweep"].counts["ended"] == 1
    assert reports["upgrade-history"].counts["upgraded"] > 0
    assert reports["upgrade-history"].counts["quarantined"] > 0
    assert reports["index"].counts["facts"] > 0
    workspace = opened(root)
    assert open_sessions(workspace) == []
    assert load_salience(workspace).of(FACT).decay == 0.95


def test_turns_that_share_a_number_after_a_merge_get_their_own(tmp_path):
    root = make(tmp_path, {"memtool.toml": 'layout = "native"\n'})
    folder = root / "memory/history/turns/2025/01/16"
    folder.mkdir(parents=True)
    turns = [
        Turn(turn_id(90), 90, f"2025-01-16T{hour}:00:00Z", (Message("user", (TextPart(hour),)),))
        for hour in ("09", "11")
    ]
    path = folder / f"{90:020}.json"
    path.write_text(turn_format.merge("", *map(turn_format.render, turns)))
    assert run(root)["merge"].counts == {"renumbered": 2}
    assert turn_format.parse(path.read_text()) == turns[0]
    assert turn_format.parse((folder / f"{91:020}.json").read_text()).messages == turns[1].messages
    assert not run(root)["merge"].is_changed


def test_a_turn_that_cannot_be_renumbered_is_named_but_is_no_failure(root):
    report = run(root)["merge"]
    assert (report.exit_code, report.is_changed) == (0, False)
    assert "is not a valid turn" in report.notices[0]


def test_candidates_expire_where_no_session_ends(root):
    shutil.rmtree(root)
    expired(root)
    pending = root / "memory/cognition/pending.jsonl"
    _, second = pending.read_text().splitlines(keepends=True)
    assert run(root)["candidates"].counts == {"expired": 1}
    assert pending.read_text() == second
    assert run(root, NOW + timedelta(days=400))["candidates"].counts == {"expired": 1}
    assert not pending.exists()


def test_a_second_run_on_the_same_day_finds_nothing_to_do(root):
    run(root)
    before = contents(root)
    again = run(root, NOW + timedelta(hours=3))
    assert [step for step, report in again.items() if report.is_changed] == []
    assert contents(root) == before
    assert run(root, NOW + timedelta(days=1))["decay"].is_changed


def test_a_fact_is_decayed_once_a_day_though_decay_ran_before(root):
    decay(opened(root), NOW)
    assert not run(root, NOW + timedelta(hours=1))["decay"].is_changed
    assert load_salience(opened(root)).of(FACT).decay == 0.95


def test_a_decay_in_the_future_does_not_stop_that_of_today(root):
    decay(opened(root), NOW + timedelta(days=400))
    assert run(root)["decay"].is_changed
    assert not run(root, NOW + timedelta(hours=1))["decay"].is_changed


def test_a_fact_that_is_new_since_the_decay_of_the_day_is_decayed(root):
    run(root)
    facts = root / "memory/semantic/facts.md"
    facts.write_text(facts.read_text() + "- [context] The new kiln is gas-fired ^m-new\n")
    assert run(root, NOW + timedelta(hours=1))["decay"].counts == {"facts": 1}


def test_the_printed_counts_agree_with_their_nouns(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    memtool("save", "The kiln is free on Thursday", home=tmp_path, cwd=root)
    memtool("append-turn", "--user-text", "Is the kiln free?", home=tmp_path, cwd=root)
    printed = memtool("maintain", home=tmp_path, cwd=root).stdout
    assert "decay\t1 fact\n" in printed
    assert printed.endswith(" documents, 1 turn, 1 fact\n")


def test_a_step_that_fails_does_not_stop_the_next_ones(root):
    pending = root / "memory/cognition/pending.jsonl"
    pending.unlink()
    pending.mkdir()
    reports = run(root)
    assert {step: report.exit_code for step, report in reports.items() if report.exit_code} == {
        "sweep": UnreadableFile.exit_code,
        "candidates": UnreadableFile.exit_code,
    }
    assert reports["candidates"].problems
    assert reports["decay"].is_changed
    assert reports["upgrade-history"].is_changed


def test_the_exit_code_says_whether_another_step_has_written(root, tmp_path):
    pending = root / "memory/cognition/pending.jsonl"
    pending.unlink()
    pending.mkdir()
    codes = [memtool("--root", str(root), "maintain", "-q", home=tmp_path).returncode for _ in range(2)]
    assert codes == [PartlyApplied.exit_code, UnreadableFile.exit_code]


def test_where_another_writer_has_the_lock_each_step_that_needs_it_says_so(root):
    before = contents(root)
    with hold(str(root), 1.0):
        reports = run(root, MEMTOOL_LOCK_TIMEOUT="0.05")
    assert reports["decay"].exit_code == Locked.exit_code
    assert contents(root) == before


def test_nothing_is_written_where_nothing_may_be(root):
    workspace = opened(root).read_only()
    before = contents(root)
    reports = {report.step: report for report in maintain(maintenance(workspace))}
    assert reports["sweep"].is_changed
    assert reports["decay"].plan
    assert contents(root) == before
