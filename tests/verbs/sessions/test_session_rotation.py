"""At the end of a session its entries move to the archive, once, and search finds them there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.entries import Owner
from memtool.formats.session_state import split_entries
from memtool.verbs.sessions.session import start_session
from memtool.verbs.sessions.session_rotation import rotate_session_state
from tests.trees import NOW, contents, make, memtool, opened

ANN, BOB = Owner("user", "ann"), Owner("user", "bob")
HEAD = "# SESSION-STATE.md -- Active Working Memory\n\n"
STATE, ARCHIVE = "SESSION-STATE.md", "SESSION-STATE.archive.md"


def line(text, minutes=0, owner=""):
    at = (NOW + timedelta(minutes=minutes)).isoformat(timespec="seconds")
    return f"- [{at}] {owner}**decision**: {text}\n"


def rotate(root, owner=ANN, session="s1", minutes=60):
    workspace = opened(root, "native")
    return rotate_session_state(workspace, owner, session, NOW + timedelta(minutes=minutes))


def test_what_a_session_recorded_moves_to_the_archive_and_the_head_stays(tmp_path):
    entries = [line("oak"), line("ash") + "  with a second line\n", line("elm", owner="[user:ann] ")]
    root = make(tmp_path / "w", {STATE: HEAD + "".join(entries)})
    assert rotate(root)
    assert (root / STATE).read_text() == HEAD
    assert (root / ARCHIVE).read_text().endswith("\n" + "".join(entries))
    before = contents(root)
    assert rotate(root) == ()
    assert contents(root) == before


def test_entries_of_other_users_and_of_sessions_that_are_open_stay(tmp_path):
    root = make(tmp_path / "w", {})
    workspace = opened(root, "native")
    start_session(workspace, BOB, "s2", NOW + timedelta(minutes=20))
    ended, bobs, later = line("oak", 10), line("ash", 10, "[user:bob] "), line("elm", 30)
    anns = line("yew", 40, "[user:ann] ")
    make(root, {STATE: HEAD + ended + bobs + later + anns})
    rotate(root)
    assert (root / STATE).read_text() == HEAD + bobs + later
    assert (root / ARCHIVE).read_text().endswith(ended + anns)
    rotate(root, BOB, "s2")
    assert (root / STATE).read_text() == HEAD


def test_a_session_that_was_never_ended_holds_entries_for_a_day(tmp_path):
    root = make(tmp_path / "w", {STATE: HEAD + line("oak", 5)})
    start_session(opened(root, "native"), BOB, "s2", NOW)
    assert rotate(root, minutes=23 * 60) == ()
    assert rotate(root, minutes=25 * 60)


def test_an_end_that_was_interrupted_between_the_files_archives_nothing_twice(tmp_path):
    root = make(tmp_path / "w", {STATE: HEAD + line("oak") + line("ash")})
    rotate(root)
    archive = (root / ARCHIVE).read_text()
    make(root, {STATE: HEAD + line("oak") + line("ash") + line("elm")})
    rotate(root)
    assert (root / ARCHIVE).read_text() == archive + line("elm")
    assert (root / STATE).read_text() == HEAD


def test_a_state_that_cannot_be_read_stays(tmp_path):
    root = make(tmp_path / "w", {f"{STATE}/x": ""})
    assert rotate(root) == ()
    assert (root / STATE / "x").exists()


@pytest.mark.parametrize("layout", ["native", "q15", "openclaw", "claude-code", "obsidian", "nano", "qanot"])
def test_what_was_archived_is_found_and_stands_in_no_prompt(tmp_path, layout):
    root = tmp_path / "w"
    root.mkdir()
    run = {"home": tmp_path, "cwd": root}
    memtool("init", "--layout", layout, **run)
    memtool("scan", "-m", "Let's go with larch for the new jetty", **run)
    assert memtool("session-end", "--session", "s1", **run).returncode == 0
    found = memtool("search", "larch", "--paths", **run).stdout
    assert "SESSION-STATE.archive.md" in found
    told = memtool("context", "--prompt", "hello there", **run, environment={"MEMTOOL_RETRIEVAL": "off"})
    assert "larch" not in told.stdout
    assert memtool("session-end", "--session", "s1", **run).returncode == 1


parts = st.lists(st.sampled_from([line("oak"), line("ash", owner="[user:ann] "), "  more\n", "\n", "x\n"]))


@given(parts.map("".join), st.sampled_from([None, ANN]))
def test_entries_are_split_off_without_a_loss(text, owner):
    remaining, taken = split_entries(HEAD + text, lambda entry: entry.owner == owner)
    assert sorted((remaining + "".join(taken)).split("\n")) == sorted((HEAD + text).split("\n"))
    assert remaining.startswith(HEAD)
    assert all(entry.endswith("\n") for entry in taken)
