"""A merge never makes a line another user's: what is Ann's on both machines is hers afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.ownership import line_owners
from memtool.formats.three_way import merge_file

NOTE = "# Studio\n\n## [user:ann] Kiln\n\nIt is old.\n\n## [user:bob] Wheel\n\nIt is loud.\n"
ROLES = {
    "semantic": ("semantic", "facts.md", "- [tool] {tag}{words}"),
    "daily-note": ("daily-note", "2026-01-15.md", "## [10:00:00] {tag}\n**User:** {words}\n"),
    "session-state": (
        "session-state",
        "SESSION-STATE.md",
        "- [2026-01-15T10:00:00Z] {tag}**decision**: {words}",
    ),
    "note": ("note", "plan.md", "## {tag}{words}\n\nAbout {words}.\n"),
}


def owners_of(text, role):
    lines = text.split("\n")
    owners = line_owners(text, role) or [""] * len(lines)
    return {(line, owner) for line, owner in zip(lines, owners, strict=True) if line}


def test_what_each_machine_adds_to_its_user_s_section_stays_there():
    ours = NOTE.replace("It is old.\n", "It is old.\n\nIt is hot.\n")
    theirs = NOTE + "\nIt is fast.\n"
    merged = merge_file("note", "note", "plan.md", NOTE, ours, theirs)
    assert {("It is hot.", "user:ann"), ("It is fast.", "user:bob")} <= owners_of(merged, "note")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_passage_added_to_a_section_that_the_other_side_deleted_is_a_conflict(ending):
    ours = NOTE.partition("\n## [user:bob]")[0].replace("\n", ending)
    theirs = NOTE + "\nIt is fast.\n"
    assert merge_file("note", "note", "plan.md", NOTE, ours, theirs) is None
    assert merge_file("note", "note", "plan.md", NOTE, theirs, ours) is None
    everybody = [text.replace("[user:bob] ", "").replace("[user:ann] ", "") for text in (NOTE, ours, theirs)]
    assert "It is fast." in merge_file("note", "note", "plan.md", *everybody)


RECORDS = st.lists(
    st.tuples(st.sampled_from(["", "[user:ann] ", "[user:bob] "]), st.integers(0, 9)),
    max_size=6,
    unique_by=lambda record: record[1],
)


@pytest.mark.parametrize("role", ROLES)
@given(st.data())
def test_every_line_belongs_to_whom_it_belonged_on_a_machine(role, data):
    format_name, name, record = ROLES[role]
    versions = [
        "# Top\n\n" + "\n".join(record.format(tag=tag, words=f"word {number}") for tag, number in records)
        for records in (data.draw(RECORDS), data.draw(RECORDS), data.draw(RECORDS))
    ]
    merged = merge_file(role, format_name, name, *versions)
    known = {owned for text in versions for owned in owners_of(text, role)}
    lines = {line for line, _ in known}
    assert merged is None or {owned for owned in owners_of(merged, role) if owned[0] in lines} <= known
