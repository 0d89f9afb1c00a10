"""What a conversation was told is not told again, and whatever is new or changed is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.context.context import Section
from memtool.core.context.told import told, untold


def section(text, path="MEMORY.md"):
    return Section(path, "long-term", text)


def known(text, path="MEMORY.md"):
    return {path: told(text, is_whole=True)}


def test_what_was_told_is_not_told_again():
    assert untold([section("- tea")], known("- tea")) == []


def test_of_what_was_added_at_the_end_only_that_is_told():
    assert untold([section("- tea\n- milk")], known("- tea")) == [section("- milk")]


def test_what_changed_before_its_end_is_told_whole():
    now = section("- green tea\n- milk")
    assert untold([now], known("- tea\n- milk")) == [now]


def test_another_file_is_told():
    assert untold([section("- tea", "USER.md")], known("- tea")) == [section("- tea", "USER.md")]


@given(st.text(), st.text())
def test_together_all_is_told(before, more):
    [*rest] = untold([section(before + more)], known(before))
    assert "".join(one.text for one in rest).strip() in {more.strip(), (before + more).strip()}
