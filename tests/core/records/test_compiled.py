"""A memory that OpenLegion compiles: the head, and the newest entries of the log."""

from __future__ import annotations

import pytest

from memtool.core.records.compiled import CompiledForm, CompiledMemory, compiled_excerpt, parse_compiled

FORM = CompiledForm(
    "# Long-Term Memory", "<!-- compiled:begin -->", "<!-- compiled:end -->", "## Recent", 100, 32
)


def test_the_parts_of_a_compiled_memory():
    text = f"# Long-Term Memory\n\n{FORM.begin}\n- tea\n{FORM.end}\n\n## Monday\n- the kiln\n"
    assert parse_compiled(text, FORM) == CompiledMemory("- tea", "## Monday\n- the kiln")
    assert parse_compiled(f"{FORM.begin}{FORM.end}", FORM) == CompiledMemory("", "")


@pytest.mark.parametrize(
    "text", ["- tea\n", f"# Notes\n\n{FORM.begin}\n- tea\n{FORM.end}\n", f"{FORM.begin}\n- tea\n"]
)
def test_a_file_of_another_form_is_none(text):
    assert parse_compiled(text, FORM) is None


def test_a_log_that_is_cut_begins_with_an_entry():
    log = "\n\n".join(f"## Day {day}\n- what was done on day {day}" for day in range(1, 10))
    shown = compiled_excerpt(CompiledMemory("- tea", log), FORM, 16_000)
    assert shown.startswith("- tea\n\n## Recent\n\n## Day 8\n")
    assert shown.endswith("- what was done on day 9")
    assert compiled_excerpt(CompiledMemory("- tea", ""), FORM, 16_000) == "- tea"


def test_one_long_entry_begins_with_a_line():
    log = "## Day 1\n" + "".join(f"- number {number}\n" for number in range(50))
    shown = compiled_excerpt(CompiledMemory("", log), FORM, 16_000)
    assert shown.startswith("## Recent\n\n- number ")
    assert shown.endswith("- number 49")


def test_the_head_gives_way_to_the_log():
    shown = compiled_excerpt(CompiledMemory("x" * 500, "- newest"), FORM, 300)
    assert shown == "x" * 168 + "\n\n## Recent\n\n- newest"
