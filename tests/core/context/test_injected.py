"""What was injected into a conversation is not injected again, and whatever is new or changed is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.context.injected import injected_text, not_injected
from memtool.core.context.section import PromptSection


def section(text, path="MEMORY.md"):
    return PromptSection(path, "long-term", text)


def injected(text, path="MEMORY.md"):
    return {path: injected_text(text, is_whole=True)}


def test_what_was_injected_is_not_injected_again():
    assert not_injected([section("- tea")], injected("- tea")) == []


def test_of_a_longer_file_only_the_addition_is_injected():
    assert not_injected([section("- tea\n- milk")], injected("- tea")) == [section("- milk")]


def test_a_file_that_changed_before_its_end_is_injected_whole():
    now = section("- green tea\n- milk")
    assert not_injected([now], injected("- tea\n- milk")) == [now]


def test_another_file_is_injected():
    assert not_injected([section("- tea", "USER.md")], injected("- tea")) == [section("- tea", "USER.md")]


@given(st.text(), st.text())
def test_together_everything_is_injected(before, more):
    [*rest] = not_injected([section(before + more)], injected(before))
    assert "".join(one.text for one in rest).strip() in {more.strip(), (before + more).strip()}
