"""What fits into a prompt's budget: sections by share, the newest entries first, and what is retrieved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.compaction.tokens import estimate_tokens
from memtool.core.context.budget import fit_budget, fit_sections
from memtool.core.context.context import PromptSnippet
from memtool.core.context.section import (
    PromptSection,
    SectionShare,
    cut_section,
    essential_cut,
    first_left_out,
    split_records,
)
from memtool.core.privacy.recalled import CLOSING, OPENING


def snippet(text, number=0, path="a.md"):
    return PromptSnippet("group", path, path, "note", 1, 1, text, number)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=400) | st.sampled_from(
    ["x" * 5000, "word " * 900, "one\ntwo\n## three\n" * 40, "", CLOSING]
)


@given(st.lists(texts, max_size=5), st.lists(texts, max_size=9), st.integers(1, 4000), st.booleans())
def test_no_budget_is_ever_exceeded(standing, found, budget, in_tokens):
    cost = estimate_tokens if in_tokens else len
    sections = [PromptSection(f"{number}.md", "core", text) for number, text in enumerate(standing)]
    snippets = [snippet(text, number) for number, text in enumerate(found)]
    fits = fit_budget(sections, snippets, budget, cost)
    text = fits.text
    assert cost(text) <= budget
    assert sum(len(one.text) for one in (*fits.sections, *fits.snippets)) <= len(text) + 60
    if text:
        assert text.startswith(OPENING + "\n")
        assert text.endswith(f"\n{CLOSING}\n")
        assert text.count(CLOSING) == 1
    whole = fit_budget(sections, snippets, None, cost)
    assert fit_budget(sections, snippets, cost(whole.text), cost) == whole


def test_snippets_are_sure_of_a_part_of_the_budget():
    sections = [PromptSection("core.md", "core", "identity\n" * 500)]
    text = fit_budget(sections, [snippet("the kiln is free on Thursday " * 20)], 1000, len).text
    assert "identity" in text
    assert "[1] (a.md) the kiln is free" in text
    assert 950 < len(text) <= 1000


def test_headings_with_nothing_under_them_are_a_sections_own():
    text = "# Working Memory\n\n## Current Priorities\n\n## Temporary Context\n"
    section = PromptSection("WORKING_MEMORY.md", "working-memory", text)
    for snippets in ([], [snippet("the kiln is free")]):
        assert text in fit_budget([section], snippets, None, len).text
    cut = fit_budget([section, PromptSection("b.md", "core", "x" * 500)], [], 130, len).text
    assert text.strip() in cut
    assert "b.md" not in cut


SHARES = {
    "rules": SectionShare("rules", 15, 0, "newest"),
    "long-term": SectionShare("long-term", 20, 1, "facts"),
    "core": SectionShare("identity", 20, 2, "beginning"),
    "session-state": SectionShare("session-state", 10, 3, "newest"),
    "learnings": SectionShare("learnings", 5, 4, "first"),
}


def section(role, text, path=None):
    return PromptSection(path or f"{role}.md", role, text, share=SHARES[role])


def entries(count, category="decision"):
    return [f"- [2025-01-15T10:00:00+00:00] **{category}**: entry {number}" for number in range(count)]


def facts(count, category="preference"):
    return [f"- **{category}**: fact number {number}" for number in range(count)]


records = st.lists(st.text("abc -*#\n`", max_size=60), max_size=40).map("\n".join)
roles = st.sampled_from(sorted(SHARES))


def unfair(text):
    """A cost of which the whole has more than its parts have together."""
    return len(text) + (len(text) // 40) ** 2 // 9


costs = st.sampled_from([len, estimate_tokens, unfair, lambda text: len(text.encode())])


@given(st.lists(st.tuples(roles, records), max_size=7), st.integers(0, 9), st.integers(1, 3000), costs)
def test_whatever_a_text_costs_no_budget_is_exceeded(parts, found, budget, cost):
    sections = [section(role, text, f"{number}.md") for number, (role, text) in enumerate(parts)]
    snippets = [snippet(f"snippet {number} " * 9, number) for number in range(found)]
    fitted = fit_budget(sections, snippets, budget, cost)
    assert cost(fitted.text) <= budget
    assert all(part.text.strip() in fitted.text for part in fitted.sections if part.text.strip())
    assert all(snippet.line(rank) in fitted.text for rank, snippet in enumerate(fitted.snippets, 1))


@given(st.lists(st.tuples(roles, records), max_size=7), st.integers(1, 3000))
def test_each_share_holds_and_a_section_that_is_not_cut_is_the_same(parts, budget):
    sections = [section(role, text, f"{number}.md") for number, (role, text) in enumerate(parts)]
    fitted = fit_sections(sections, budget, len)
    before = {part.path: part for part in sections}
    for role, share in SHARES.items():
        shown = [part for part in fitted.sections if part.role == role]
        used = sum(len(part.printed) for part in shown if part != essential_cut(before[part.path]))
        assert used <= budget * share.percent / 100
    for part in fitted.sections:
        lines = before[part.path].text.split("\n")
        if part.left_out:
            assert f", run memtool get {part.path})" in part.printed
        elif SHARES[part.role].keep == "beginning":
            assert part == before[part.path]
        assert all(line in lines or line.endswith("…") for line in part.text.split("\n"))


@given(st.integers(1, 300), st.integers(180, 9000))
def test_the_newest_entry_of_a_log_is_the_last_to_be_cut(count, budget):
    log = section("session-state", "\n".join(["# SESSION-STATE.md", "", *entries(count)]))
    memory = section("long-term", "\n".join(["# Memory", "", "Curated.", "", *facts(count)]))
    for part, newest in ((log, entries(count)[-1]), (memory, facts(count)[-1])):
        text = fit_budget([part], [], budget, len).text
        assert newest in text
    cut = fit_budget([log], [], budget, len).sections[0]
    shown = [line for line in cut.text.split("\n") if line.startswith("- ")]
    assert shown == entries(count)[-len(shown) :]
    assert len(shown) + cut.left_out == count


@given(st.integers(600, 9000), st.integers(0, 200), st.integers(0, 40))
def test_what_is_retrieved_has_at_least_its_part(budget, count, more):
    sections = [section(role, "\n".join(entries(count) + facts(count))) for role in SHARES]
    snippets = [snippet("x" * 100, number) for number in range(more)]
    fitted = fit_budget(sections, snippets, budget, len)
    wanted = sum(len(one.line(rank)) + 1 for rank, one in enumerate(snippets, 1))
    given_ = sum(len(one.line(rank)) + 1 for rank, one in enumerate(fitted.snippets, 1))
    longest = 130 + len("\n## Relevant memory\n\n")
    assert given_ >= min(wanted, budget * 0.3 - longest)


def test_what_one_section_leaves_goes_to_snippets_and_then_to_the_section_that_is_needed_most():
    long = "\n".join(entries(200))
    sections = [section("session-state", long), section("rules", long)]
    alone = fit_budget(sections, [], 4000, len)
    shown = {part.role: len(part.text) for part in alone.sections}
    assert shown["rules"] > 3000 > 400 > shown["session-state"] > 200
    assert len(alone.text) > 3900
    many = fit_budget(sections, [snippet("x" * 100, number) for number in range(40)], 4000, len)
    assert {part.role: len(part.printed) <= 750 for part in many.sections} == dict.fromkeys(shown, True)
    assert sum(len(one.text) for one in many.snippets) > 2400


@pytest.mark.parametrize("name", ["My name is Zora", "Call me Zora"])
def test_names_and_preferences_stay_whatever_else_is_remembered(name):
    others = facts(150, "remember")
    lines = [f"- **proper_noun**: {name}", "- **preference**: I prefer tea", *others]
    text = fit_budget([section("long-term", "\n".join(lines))], [], 600, len).text
    assert lines[0] in text
    assert lines[1] in text
    assert others[-1] in text
    assert others[0] not in text


def test_captured_facts_leave_room_for_curated_text_and_the_other_way_round():
    curated = [f"Sentence {number} of what was written by hand." for number in range(90)]
    for category in ("preference", "proper_noun", "remember"):
        text = "\n".join([*curated, "", "## Auto-captured", "", *facts(90, category)])
        shown = cut_section(section("long-term", text), 1000, len).text
        assert curated[0] in shown
        assert facts(90, category)[-1] in shown


def test_prose_is_cut_at_the_end_of_a_line_as_its_host_cuts_it():
    text = "\n".join(f"line {number} of the prose" for number in range(100))
    cut = cut_section(section("core", text), 500, len)
    assert text.startswith(cut.text + "\n")
    assert cut.printed.endswith(f"\n(for {cut.left_out} more lines, run memtool get core.md)\n\n")
    assert cut.left_out == 100 - cut.text.count("\n") - 1
    both = SectionShare("identity", 20, 2, "beginning", head=0.75)
    cut = cut_section(PromptSection("a.md", "core", text, share=both), 500, len)
    assert cut.text.startswith("line 0 ")
    assert cut.text.endswith("line 99 of the prose")


def test_files_of_one_share_divide_it_so_that_short_ones_are_whole():
    short, long = section("core", "who I am", "a.md"), section("core", "\n".join(["long"] * 900), "b.md")
    for order in ([short, long], [long, short]):
        fitted = {part.path: part for part in fit_sections(order, 2000, len).sections}
        assert fitted["a.md"] == short
        assert 300 < len(fitted["b.md"].printed) <= 400


def test_a_heading_that_lost_what_stands_under_it_is_lost_too():
    text = "\n".join(["# All", "", "## First", "", *entries(30), "", "## Last", "", "- last"])
    assert cut_section(section("rules", text), 200, len).text.endswith("## Last\n\n- last")
    first = "\n".join(["# All", "", "## First", "", "- first", "", "## Last", "", *entries(30)])
    assert cut_section(section("learnings", first), 110, len).text == "# All\n\n## First\n\n- first"


def test_an_entry_that_is_longer_than_its_room_is_shown_as_far_as_it_fits():
    log = section("session-state", "- [2025-01-15T10:00:00+00:00] **decision**: " + "word " * 900)
    cut = cut_section(log, 300, len)
    assert cut.text.startswith("- [2025-01-15T10:00:00+00:00] **decision**: word")
    assert cut.text.endswith("…")
    assert 250 < len(cut.printed) <= 300
    assert cut_section(log, 150, len) is None  # most of it would be the lines around the entry


@given(records)
def test_records_are_the_lines_again(text):
    lines = text.split("\n")
    assert "\n".join(split_records(lines)).split("\n") == lines


def test_a_record_has_the_lines_under_it():
    lines = ["# A", "- one", "  more", "", "  still", "- two", "lazy", "", "A paragraph", "of two lines"]
    assert split_records(lines) == [
        "# A",
        "- one\n  more\n\n  still",
        "- two\nlazy\n",
        "A paragraph\nof two lines",
    ]


def test_the_first_line_that_is_left_out_is_found_wherever_it_is():
    log = section("session-state", "\n".join(["# Log", "", *entries(9)]))
    prose = section("core", "\n".join(f"line {number}" for number in range(90)))
    assert first_left_out(log, cut_section(log, 250, len)) == 2
    cut = cut_section(prose, 250, len)
    assert first_left_out(prose, cut) == cut.text.count("\n") + 1
    assert first_left_out(log, None) == 2


def test_rules_say_that_the_last_one_is_the_newest_unless_pinned_ones_are_last():
    rules = section("rules", "# Rules\n\n- Answer at length.\n- Answer briefly.", "rules.md")
    assert rules.title == "## rules.md (newest last)"
    assert replace(rules, pinned=1).title == "## rules.md"
    assert section("rules", "# Rules\n\n- Answer at length.", "rules.md").title == "## rules.md"


@pytest.mark.parametrize("keep", ["newest", "first", "facts", "beginning"])
@pytest.mark.parametrize("unit", ["# ", "- ", "#", "- **a**: x\n", "\n \n", "- [" * 9 + "\n", "```\n", "**"])
def test_hostile_text_is_cut_in_linear_time(keep, unit):
    share = SectionShare("any", 10, 0, keep)
    part = PromptSection("a.md", "core", unit * (100_000 // len(unit)), share=share)
    calls = 0

    def cost(text):
        nonlocal calls
        calls += len(text)
        return len(text)

    cut_section(part, 2000, cost)
    assert calls < 40 * len(part.text)


@pytest.mark.parametrize(("budget", "count"), [(150, 1), (300, 3), (400, 3), (500, 3), (530, 3)])
def test_the_newest_rule_name_and_preference_go_before_everything_else(budget, count):
    rules = section("rules", "# Rules\n\n- Older rule of conduct.\n- Answer in metric units.", "rules.md")
    facts_ = ["- **fact**: Older.", "- **proper_noun**: My name is Ada.", "- **preference**: I like brevity."]
    memory = section("long-term", "\n".join(["# Memory", "", *facts_, "- **fact**: Newer."]), "MEMORY.md")
    log = section("session-state", "\n".join(["# SESSION-STATE.md", "", *entries(30)]), "log.md")
    text = fit_budget([log, memory, rules], [snippet("kiln " * 60)], budget, len).text
    wanted = ["- Answer in metric units.", "My name is Ada.", "I like brevity."]
    assert [line for line in wanted if line in text] == wanted[:count]
    assert len(text) <= budget


def test_the_command_that_reads_a_section_quotes_a_path_with_a_blank():
    text = "\n".join(f"line {number} of the prose" for number in range(100))
    cut = cut_section(PromptSection("memory/core/my tools.md", "core", text), 500, len)
    assert cut.printed.endswith("more lines, run memtool get 'memory/core/my tools.md')\n\n")
