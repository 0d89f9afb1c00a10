"""Long-term memory: a person's file, to which a tool adds in one section."""

from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memtool.core.records.entries import Fact, Owner
from memtool.formats import compaction_section, long_term
from memtool.formats.syntax.text_lines import fold_line_breaks
from tests.examples import examples
from tests.formats.texts import facts, texts

SPECIMEN = """\
# Memory

- Deploys go out on Thursdays

## Auto-captured

- **preference**: I prefer dark mode
- **proper_noun**: [user:sardor] My name is Sardor

## People

* Nodira runs the data team
"""
TEA = Fact("preference", "I like tea")
LINE = "- **preference**: I like tea"


def read(text):
    return long_term.facts(long_term.parse(text))


def test_the_specimen_reads_with_the_lines_people_wrote():
    assert read(SPECIMEN) == (
        Fact("", "Deploys go out on Thursdays"),
        Fact("preference", "I prefer dark mode"),
        Fact("proper_noun", "My name is Sardor", Owner("user", "sardor")),
        Fact("", "Nodira runs the data team"),
    )
    assert [item.line for item in long_term.items(long_term.parse(SPECIMEN))] == [3, 7, 8, 12]


def test_a_superseded_line_stays_and_holds_no_more():
    text = long_term.supersede(SPECIMEN, {7}, date(2025, 1, 15))
    assert text.split("\n")[6] == "- **preference**: I prefer dark mode [superseded: 2025-01-15]"
    assert Fact("preference", "I prefer dark mode") not in read(text)
    (item,) = (item for item in long_term.items(long_term.parse(text)) if item.superseded)
    assert item == long_term.LongTermItem(7, Fact("preference", "I prefer dark mode"), date(2025, 1, 15))
    assert long_term.render(long_term.parse(text)) == text
    assert long_term.active_text(text) == SPECIMEN.replace("- **preference**: I prefer dark mode\n", "")
    assert long_term.active_text(SPECIMEN) == SPECIMEN


def test_the_text_for_a_prompt_has_no_rest_of_a_superseded_item_and_keeps_the_items_below_it():
    gone = "- **preference**: never give Ada [superseded: 2026-01-02]\n  penicillin\n"
    below = (
        "  - it nearly killed her\n    twice\n\n  an indented paragraph\n- **decision**: deploy on Fridays\n"
    )
    assert long_term.active_text(gone + below) == below


@pytest.mark.parametrize(
    ("below", "has_text", "has_items"),
    [
        ("  more\n", True, False),
        ("more\n", True, False),
        ("#tag\n", True, False),
        ("\n  more\n", True, False),
        ("more\n\n  and more\nto the end\n", True, False),
        ("  more\n  - sub-item\n", True, True),
        ("  - sub-item\n", False, True),
        ("\n  1. sub-item\n", False, True),
        ("", False, False),
        ("\na paragraph\n", False, False),
        ("- item\n", False, False),
        ("-\n", False, False),
        ("# Heading\n", False, False),
        ("#\r\n", False, False),
        ("> quote\n", False, False),
        ("---\r\n", False, False),
        ("```\ncode\n```\n", False, False),
        ("<!-- comment -->\n", False, False),
    ],
)
@pytest.mark.parametrize("indent", ["", " "])
def test_one_rule_says_what_below_an_item_belongs_to_it(below, has_text, has_items, indent):
    below = "".join(f"{indent}{row}" if row.strip() else row for row in below.splitlines(keepends=True))
    text = f"{indent}- **decision**: Glaze twice\n{below}"
    assert long_term.goes_on(text, 1) == has_text
    assert long_term.goes_on(text, 1, nested=True) == (has_text or has_items)
    assert long_term.items(long_term.parse(text))[0].goes_on == (has_text or has_items)
    own = below.partition(f"{indent}  - ")[0] if has_text else ""
    superseded = long_term.supersede(text, {1}, date(2025, 1, 15))
    assert long_term.active_text(superseded) == below[len(own) :]


def test_a_detail_cannot_claim_that_it_is_superseded():
    line = long_term.render_line(Fact("preference", "I like tea [superseded: 2025-01-15]"))
    assert read(line) == (Fact("preference", "I like tea (superseded: 2025-01-15)"),)


@pytest.mark.parametrize(
    "line",
    ["- Lines end in [superseded: 2025-01-15]", "- **preference**: I like tea [superseded: 2025-99-99]"],
)
def test_what_a_person_wrote_or_no_date_is_no_mark(line):
    assert long_term.items(long_term.parse(line))[0].superseded is None


@given(fact=facts.filter(lambda fact: "[superseded:" not in fact.detail))
@settings(max_examples=examples(200))
def test_a_fact_that_is_written_reads_back(fact):
    assert read(long_term.render_line(fact)) == (
        Fact(fact.category, fold_line_breaks(fact.detail), fact.owner),
    )


@pytest.mark.parametrize("fact", [Fact("", "x"), Fact("preference", "\n"), Fact("Two words", "x")])
def test_what_would_not_read_back_is_not_written(fact):
    with pytest.raises(ValueError):
        long_term.render_line(fact)


def test_a_detail_cannot_claim_an_owner():
    line = long_term.render_line(Fact("preference", "[user:mallory] I like malware"))
    assert line == "- **preference**: \\[user:mallory] I like malware"
    assert read(line) == (Fact("preference", "[user:mallory] I like malware"),)


def test_facts_go_to_the_end_of_the_section_wherever_it_is():
    expected = SPECIMEN.replace("My name is Sardor\n", f"My name is Sardor\n{LINE}\n")
    assert long_term.add(SPECIMEN, [TEA]) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"## Auto-captured\n\n{LINE}\n"),
        ("\ufeff", f"\ufeff## Auto-captured\n\n{LINE}\n"),
        ("# Memory", f"# Memory\n\n## Auto-captured\n\n{LINE}\n"),
        ("# Memory\r\n\r\n", f"# Memory\r\n\r\n## Auto-captured\r\n\r\n{LINE}\r\n".replace("\r\n\n", "\r\n")),
        ("## Auto-captured", f"## Auto-captured\n\n{LINE}\n"),
        ("## Auto-captured\n", f"## Auto-captured\n\n{LINE}\n"),
        ("## Auto-captured\n\n\n## Next\n", f"## Auto-captured\n\n{LINE}\n\n\n## Next\n"),
        ("## Auto-captured\n- a\n## Next", f"## Auto-captured\n- a\n{LINE}\n## Next"),
        (
            "## Auto-captured\n- a\n### Under\n- b\n# Up\n",
            f"## Auto-captured\n- a\n### Under\n- b\n{LINE}\n# Up\n",
        ),
        (
            "## Auto-captured\nWhat follows is the tool's.\n",
            f"## Auto-captured\nWhat follows is the tool's.\n\n{LINE}\n",
        ),
        (
            "## Auto-captured\n- a\n  more of a\n\nNext\n====\n",
            f"## Auto-captured\n- a\n  more of a\n{LINE}\n\nNext\n====\n",
        ),
        ("## auto-captured ##\n- a", f"## auto-captured ##\n- a\n{LINE}\n"),
        ("---\n# Auto-captured\n---\n", f"---\n# Auto-captured\n---\n\n## Auto-captured\n\n{LINE}\n"),
    ],
)
def test_a_fact_is_added(before, after):
    assert long_term.add(before, [TEA]) == after


def test_a_section_in_fenced_code_is_not_the_section():
    text = "```md\n## Auto-captured\n- **preference**: an example\n```\n"
    assert read(text) == ()
    assert long_term.add(text, [TEA]) == text + f"\n## Auto-captured\n\n{LINE}\n"


def test_a_fence_that_nothing_closes_hides_nothing():
    text = "```\n## Auto-captured\n- a\n"
    assert long_term.add(text, [TEA]) == text + LINE + "\n"


def test_adding_nothing_changes_nothing():
    assert long_term.add(SPECIMEN, []) == SPECIMEN


@given(text=texts, new=st.lists(facts, min_size=1, max_size=3))
@settings(max_examples=examples(250))
def test_adding_keeps_every_line_and_makes_each_fact_readable(text, new):
    assume("[superseded: " not in new[0].detail)  # written with round brackets
    added = long_term.add(text, new)
    written = [long_term.render_line(fact) for fact in new]
    left = iter(line.removesuffix("\r").removeprefix("\ufeff") for line in added.split("\n"))
    assert all(line.removesuffix("\r").removeprefix("\ufeff") in left for line in text.split("\n"))
    folded = [Fact(fact.category, fold_line_breaks(fact.detail), fact.owner) for fact in new]
    assert read(added).count(folded[0]) > read(text).count(folded[0])
    assert len(read(added)) == len(read(text)) + len(new)
    assert "\n".join(written) in added.replace("\r\n", "\n")
    assert long_term.section(added)


@given(text=texts, first=facts, second=facts)
@settings(max_examples=examples(100))
def test_a_second_fact_lands_right_behind_the_first(text, first, second):
    one_by_one = long_term.add(long_term.add(text, [first]), [second])
    assert one_by_one == long_term.add(text, [first, second])


def test_a_section_of_the_users_own_about_compactions_is_none():
    own = "## Session Compactions: when I may run them\n\nOnly at night.\n"
    made = "## Session Compaction 2025-01-15T10:00:00+00:00\n\nwas said\n\n"
    assert compaction_section.without_sections(own) == own
    assert compaction_section.without_sections(made + own) == own
    assert compaction_section.split_sections(own, "x") == (own, "")
