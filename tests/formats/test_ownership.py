"""Whose each line of a file is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.ownership import (
    file_owner,
    json_owner,
    line_owners,
    visible_content,
    with_file_owner,
    without_file_owner,
)

ANN, BOB = "user:ann", "user:bob"


@pytest.mark.parametrize(
    ("role", "text", "owners"),
    [
        ("semantic", "- [goal] [user:ann] a\n  more\nlazy\n\n- b", [ANN, ANN, ANN, ANN, ""]),
        ("semantic", "- [session:s1] a\n- [user:bob] b", ["", BOB]),
        ("note", "- list\n  - [user:ann] inner\n  - other\n- next", ["", ANN, "", ""]),
        (
            "daily-note",
            "## [10:00:00] [user:ann]\n# Title\n- item\n## [10:01:00]\nx",
            [ANN, ANN, ANN, "", ""],
        ),
        ("long-term", "## Session Compaction 2025 [user:bob]\n### a\nb\n## c", [BOB, BOB, BOB, ""]),
        (
            "working-buffer",
            "## [2025-01-15 10:00:00] Human [user:ann]\nx\n## [2025-01-15 10:00:00] Human",
            [ANN, ANN, ""],
        ),
        ("note", "---\nowner: user:ann\n---\n- [user:bob] b", [ANN, ANN, ANN, f"{ANN} {BOB}"]),
        ("note", "# [user:ann] a\n```\n# comment\n```\n# b", [ANN, ANN, ANN, ANN, ""]),
    ],
)
def test_a_line_is_of_the_user_whose_tag_it_is_under(role, text, owners):
    assert list(line_owners(text, role)) == owners


def test_lines_of_others_are_empty_and_their_files_are_missing():
    note = b"- [user:ann] tea\n- rain\n- [user:bob] milk"
    assert visible_content(note, "MEMORY.md", "long-term", {BOB}) == b"\n- rain\n- [user:bob] milk"
    assert visible_content(note, "MEMORY.md", "long-term", ()) == note
    assert visible_content(b'{"user": "ann"}', "1.json", "turn", {BOB}) is None
    assert visible_content(b'{"user": "ann", broken', "1.json", "turn", {BOB}) is None
    rows = b'{"owner": "user:ann"}\n{"owner": "user:bob"}'
    assert visible_content(rows, "a.jsonl", "evidence", {BOB}) == b'\n{"owner": "user:bob"}'
    assert visible_content(b"---\nowner: user:ann\n---\ntea", "a.json", "memories", {BOB}) is None


def test_the_user_of_a_turn_is_its_own_key_and_not_one_inside():
    assert json_owner(b'{"user": "ann", "messages": []}') == ANN
    assert json_owner(b'{"messages": [{"user": "bob"}]}') == ""


@given(st.text(alphabet="-\nowner: usabc\r", max_size=40))
def test_a_file_gets_an_owner_and_loses_it_again(text):
    owned = with_file_owner(text, ANN)
    assert file_owner(owned) == ANN
    assert without_file_owner(owned) == (ANN, text)
