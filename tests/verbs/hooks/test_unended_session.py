"""Sessions whose agents report no end: their sweep reads the rest of the transcript first."""

from __future__ import annotations

import json
import os
import stat
from datetime import timedelta

import pytest
from msgspec.structs import replace

from memtool.verbs.maintenance.maintain import maintain
from tests.commands import maintenance
from tests.hooks import claude_log, codex_log, event, hook, prompt
from tests.trees import NOW, make, opened

__all__ = ["hook"]

TALK = [
    ("My brother Tom has an exam in May.", "Noted."),
    ("I am afraid of the exam.", "I see."),
    ("Tom has to study for the exam.", "He will study on Sunday."),
]


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def sweep(root, hours=1.0):
    task = replace(maintenance(opened(root), NOW + timedelta(hours=hours)), idle=timedelta(minutes=30))
    return next(report for report in maintain(task) if report.step == "sweep")


def said(root):
    turns = [json.loads(path.read_text()) for path in sorted(root.rglob("history/turns/**/*.json"))]
    return [part["text"] for turn in turns for message in turn["messages"] for part in message["parts"]]


def unended(hook, tmp_path):
    """A session of which the hooks have seen the first turn, and whose transcript has two more."""
    log = tmp_path / "t" / "s1.jsonl"
    hook(prompt(TALK[0][0], transcript_path=str(log)))
    claude_log(log, TALK[:1])
    hook(event("Stop", transcript_path=str(log), last_assistant_message="Noted."))
    return claude_log(log, TALK)


@pytest.mark.parametrize("hours", [1, 40])
def test_a_sweep_imports_what_no_hook_has_read(hook, root, tmp_path, hours):
    unended(hook, tmp_path)
    assert "study on Sunday" not in "".join(said(root))
    report = sweep(root, hours)
    assert report.counts["ended"] == 1
    assert not any("session s1" in notice for notice in report.notices)
    assert said(root) == [text for pair in TALK for text in pair]
    [episode] = root.glob("memory/episodic/*.md")
    assert "exam" in episode.read_text()
    assert "study on Sunday" in (root / "memory/2025-01-15.md").read_text()
    assert sweep(root, hours).counts["ended"] == 0


def replace_by_link(path):
    target = path.with_name("elsewhere.jsonl")
    path.rename(target)
    path.symlink_to(target)


def replace_by_folder(path):
    path.unlink()
    path.mkdir()


def replace_by_fifo(path):
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.unlink(), "no longer exists"),
        (lambda path: path.rename(path.with_name("moved.jsonl")), "no longer exists"),
        (replace_by_link, "was not read, because its path now contains a symbolic link"),
        (replace_by_folder, "is a folder, not a file"),
        (replace_by_fifo, "not a file"),
        (lambda path: path.write_bytes(b"\x00\xff" * 100), "is not in a known transcript format"),
    ],
)
def test_a_transcript_that_cannot_be_read_stops_no_sweep(hook, root, tmp_path, damage, reason):
    damage(unended(hook, tmp_path))
    hook(prompt("Let's go with cone 6.", session_id="s2"))
    report = sweep(root)
    assert report.counts["ended"] == 2
    assert any(reason in notice for notice in report.notices)
    assert said(root)[:2] == [*TALK[0]]
    assert sweep(root).counts["ended"] == 0


def test_a_huge_transcript_stops_no_sweep(hook, root, tmp_path):
    log = codex_log(tmp_path / "t" / "rollout-1-t1.jsonl", TALK)
    hook(prompt(TALK[0][0], transcript_path=str(log), session_id="t1"), "--agent", "codex")
    os.truncate(log, 1 << 40)
    report = sweep(root)
    assert report.counts["ended"] == 1
    assert any("too large" in notice for notice in report.notices)


def test_the_path_of_a_transcript_is_only_in_a_private_signed_file(hook, root, tmp_path):
    log = unended(hook, tmp_path)
    file = root / ".memtool" / "running.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert str(log).encode() in file.read_bytes()
    other = claude_log(tmp_path / "t" / "private.jsonl", [("The safe opens with 4711.", "Yes.")])
    file.write_bytes(file.read_bytes().replace(str(log).encode(), str(other).encode()))
    assert sweep(root).counts["ended"] == 0
    assert "4711" not in "".join(said(root))


def test_the_file_of_an_older_version_ends_sessions_and_names_no_transcript(hook, root, tmp_path):
    log = unended(hook, tmp_path)
    row = [NOW.isoformat(), NOW.isoformat(), ["claude-code", str(log), None, False]]
    (root / ".memtool" / "running.json").write_text(json.dumps({"\ns1": row[:2], "\ns2": row}))
    assert sweep(root).counts["ended"] == 2
    assert said(root) == [*TALK[0]]


def test_the_rest_of_a_groups_session_goes_to_the_group(hook, root, tmp_path):
    make(root, {"groups/family/MEMORY.md": "- x\n", "groups/global/MEMORY.md": "- hi\n"})
    log = claude_log(tmp_path / "t" / "s1.jsonl", TALK)
    hook(prompt("Let's go with cone 6.", transcript_path=str(log)), MEMTOOL_GROUP="family")
    assert "cone 6" in (root / "groups/family/SESSION-STATE.md").read_text()
    assert sweep(root).counts["ended"] == 1
    assert len([*root.glob("groups/family/memory/history/turns/**/*.json")]) == len(TALK)
    assert not [*root.glob("memory/history/turns/**/*.json")]
    assert "cone 6" not in (root / "groups/family/SESSION-STATE.md").read_text()
