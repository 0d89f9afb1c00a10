"""What fits into a prompt's budget: sections by share, the newest entries first, and what is retrieved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.tokens import estimate_tokens
from memtool.core.context.budget import fit_budget
from memtool.core.context.context import PromptSnippet
from memtool.core.context.section import (
    PromptSection,
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
    assert "[1] (group:a.md) the kiln is free" in text
    assert 950 < len(text) <= 1000


def test_headings_with_nothing_under_them_are_a_sections_own():
    text = "# Working Memory\n\n## Current Priorities\n\n## Temporary Context\n"
    section = PromptSection("WORKING_MEMORY.md", "working-memory", text)
    for snippets in ([], [snippet("the kiln is free")]):
        assert text in fit_budget([section], snippets, None, len).text
    cut = fit_budget([section, PromptSection("b.md", "core", "x" * 500)], [], 130, len).text
    assert text.strip() in cut
    assert "b.md" not in cut
