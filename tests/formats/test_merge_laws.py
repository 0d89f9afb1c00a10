"""The laws of three-way merges of files of records: machines merge in any order and grouping."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats import (
    daily_note,
    head,
    json_lines,
    learnings,
    long_term,
    rules,
    salience,
    semantic,
    working_buffer,
)
from memtool.formats.three_way import merge_file


def statement_of(row):
    """The beginning of what a row says, without its mark."""
    return row.strip().partition(" [superseded")[0][:24]


def lines_of(*records, heads=("",), copies=True):
    """Texts of these records, in any order, under some heading; without `copies` no two that say the same.

    No statement that can have a mark is there twice: where one machine removes a mark and another doubles the
    line, the grouping matters.
    """

    with_marks = {statement_of(row) for row in records if "[superseded" in row or "(pinned" in row}

    def valid(rows):
        seen, kept = set(), []
        for row in rows:
            statement = statement_of(row)
            is_unique = not copies or statement in with_marks
            if row.strip().startswith("#") or not (is_unique and statement in seen):
                kept.append(row)
                seen.add(statement)
        return kept

    return st.builds(
        lambda head, rows: head + "".join(f"{row}\n" for row in rows),
        st.sampled_from(heads),
        st.lists(st.sampled_from(records), max_size=6).map(valid),
    )


def sections_of(*records, heads=("",)):
    """Texts of these records, each record in the section that it always is in."""
    rows = without_headings(records)
    statements = [*dict.fromkeys(map(statement_of, rows))]
    pools = [
        [row for row in rows if statements.index(statement_of(row)) % 3 == number] for number in range(3)
    ]

    def section(heading, pool):
        texts = lines_of(*pool, copies=False)
        return st.builds(
            lambda text, is_there: heading + text if text or is_there else "", texts, st.booleans()
        )

    return st.builds(
        "{}{}{}{}".format,
        st.sampled_from(heads),
        lines_of(*pools[0], copies=False),
        section("## Heading\n", pools[1]),
        section("\n# Top\n", pools[2]),
    )


def without_headings(records):
    """Those without a heading, also one that fenced code would be without its fence."""
    return [
        row for row in records if not row.strip().startswith("#") and "```" not in row and "~~~" not in row
    ]


FACTS = (
    "- [place] Osh is in the south ^m-1",
    "- [place] Osh is in the south [superseded: 2026-01-02] ^m-1",
    "- [place] Osh is in the south [superseded: 2026-01-03 by m-2] ^m-1",
    "- [tool] The kiln is old",
    "- [tool] The kiln is old\n  and hot",
    "Prose of two\nlines.",
    "\nMore prose.\n",
    "## Heading",
    "\n## Heading\n",
    "### Inner",
    "## Other",
    "# Top",
    "```\n# code\n\n```",
    "```",
    "~~~ text",
    "- ```",
    "  indented",
    "    code\n\n    more",
    "```inline```",
    "| a | b |",
)
RULES = (
    "- [2026-01-02T10:00:00Z] Ask first ^r-1",
    "- [2026-01-02T10:00:00Z] Ask first (pinned) ^r-1",
    "- [2026-01-01T12:00:00+03:00] Answer briefly ^r-2",
    "- [2026-01-01] No id",
    "Prose.",
    "## Heading",
)
ITEMS = (
    "- **place**: Osh",
    "- **place**: Osh [superseded: 2026-01-02]",
    "- **place**: Osh [superseded: 2026-01-03]",
    "1. first",
    *FACTS[3:],
)
LEARNED = (
    "- [2026-01-02T10:00:00Z] Run the tests",
    "- [2026-01-02T10:00:00Z] Run the tests (2 times)",
    "- [2026-01-03T12:00:00+03:00] Read first",
    "- no time\n  more",
    "# Errors\n",
)
ENTRIES = (
    "- [2026-01-02T10:00:00+00:00] **decision**: cone 6",
    "- [2026-01-02T11:00:00+03:00] **decision**: cone 6",
    "- [2026-01-01T10:00:00Z] **name**: Odil\nmore\n",
    "- [2026-01-01T10:00:00Z] **name**: Anvar",
)
BLOCKS = (
    "## [10:30:00]\n**User:** a\n",
    "## [10:30:00]\n**User:** b",
    "## [09:00]\nA note.\n\nIts end.\n",
    "## [99:00]\nNo time.",
    "## Session Compaction 2026-01-02 12:00\n\nSummary\n",
)
EXCHANGES = (
    "## [2026-01-02 10:00:00] Human\nq\n\n## [2026-01-02 10:00:00] Agent (summary)\na",
    "## [2026-01-02 10:00:00] Human\nr\n",
    "## [2026-01-01 10:00] Human\ns\n\n## [2026-01-01 10:00:01] Agent\nt",
)
JSON_ROWS = (
    '{"at": "2026-01-02T10:00:00Z", "id": "a"}',
    '{"at": "2026-01-02T10:00:00Z", "id": "a", "turn": 2}',
    '{"at": "2026-01-02T11:00:00+03:00", "id": "b"}',
    '{"id": "é"}',
    "broken",
    '{"at": 3}',
)
SALIENCE = st.dictionaries(
    st.sampled_from("abc"),
    st.fixed_dictionaries(
        {
            "accesses": st.integers(0, 3),
            "last_accessed": st.sampled_from([None, "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]),
            "decay": st.sampled_from([0.5, 1.0]),
        },
        optional={"mood": st.integers(0, 2)},
    ),
).map(lambda value: salience.render(salience.parse(json.dumps(value))))
HEAD = st.builds(
    '{{"last_seq": {}, "updated_at": "2026-01-0{}T00:00:00Z"}}\n'.format, st.integers(0, 3), st.integers(1, 3)
)
META = ("---\ntags: [a]\n---\n", "---\ntags: [a, b]\ntitle: X\n---\n", "---\ntags: [c]\n---\n")

FORMATS = {
    "semantic": (semantic.merge, sections_of(*FACTS, heads=("", "Prose.\n", *META))),
    "semantic with copies": (semantic.merge, lines_of(*without_headings(FACTS), heads=META)),
    "rules": (rules.merge, sections_of(*RULES)),
    "rules with copies": (rules.merge, lines_of(*without_headings(RULES))),
    "long-term": (long_term.merge, sections_of(*ITEMS)),
    "long-term with copies": (long_term.merge, lines_of(*without_headings(ITEMS))),
    # a count only falls by hand, and then not in one of two lines that say the same
    "learnings": (learnings.merge, lines_of(*without_headings(LEARNED), copies=False)),
    "daily-note": (daily_note.merge, lines_of(*BLOCKS, heads=("", "# Daily Notes\n\n", "# Day\n\nText\n"))),
    "working-buffer": (working_buffer.merge, lines_of(*EXCHANGES, heads=("", "# Buffer\n---\n"))),
    "json-lines": (json_lines.merge, lines_of(*JSON_ROWS)),
    "json-lines by id": (partial(json_lines.merge, by_id=True), lines_of(*JSON_ROWS)),
    "salience": (salience.merge, SALIENCE),
    "head": (head.merge, HEAD),
}
EACH = pytest.mark.parametrize("name", FORMATS)


def draw(data, name, count):
    merge, texts = FORMATS[name]
    return merge, [data.draw(texts) for _ in range(count)]


def comparable(text, name):
    """A text, without the order of its lines where machines may reorder equal lines."""
    return sorted(filter(None, text.split("\n"))) if name.endswith("with copies") else text


@EACH
@given(st.data())
def test_the_order_and_the_grouping_of_merges_do_not_matter(name, data):
    merge, (base, a, b, c) = draw(data, name, 4)
    assert merge(base, a, b) == merge(base, b, a)
    first, second = merge(base, merge(base, a, b), c), merge(base, a, merge(base, b, c))
    assert comparable(first, name) == comparable(second, name)


@EACH
@given(st.data())
def test_merging_a_version_again_changes_nothing(name, data):
    merge, (base, a, b) = draw(data, name, 3)
    merged = merge(base, a, b)
    assert comparable(merge(base, merged, a), name) == comparable(merged, name)
    assert merge(base, merged, merged) == merged


MOVING = {
    "semantic": (semantic.merge, lines_of(*FACTS, heads=("", "# Facts\n", *META), copies=False)),
    "rules": (rules.merge, lines_of(*RULES, heads=("", "# Rules\n\n"), copies=False)),
    "long-term": (long_term.merge, lines_of(*ITEMS, heads=("", "# Memory\n\nProse.\n"), copies=False)),
    "learnings": (learnings.merge, lines_of(*LEARNED, copies=False)),
}


@pytest.mark.parametrize("name", MOVING)
@given(st.data())
def test_of_records_that_move_only_their_order_and_empty_headings_depend_on_the_grouping(name, data):
    merge, texts = MOVING[name]
    base, a, b, c = (data.draw(texts) for _ in range(4))
    assert merge(base, a, b) == merge(base, b, a)
    grouped = merge(base, merge(base, a, b), c), merge(base, a, merge(base, b, c))
    first, second = (sorted(without_headings(rows_of(text))) for text in grouped)
    assert first == second


def rows_of(text):
    return {line for line in text.splitlines() if line.strip()}


NUMBERS = st.lists(st.integers(0, 12), unique=True)
LINES = {
    "semantic": "- [place] number {} ^m-{}",
    "rules": "- [2026-01-{:02}T10:00:00Z] Rule ^r-{}",
    "long-term": "- **place**: number {}, {}",
    "session-state": "- [2026-01-{:02}T10:00:00+00:00] **decision**: cone {}",
    "feedback": '{{"at": "2026-01-{:02}T10:00:00Z", "id": {}}}',
}


@pytest.mark.parametrize("name", LINES)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_added_records_are_there_once_and_deleted_ones_are_not(name, base, a, b):
    texts = ["".join(LINES[name].format(n + 1, n) + "\n" for n in each) for each in (base, a, b)]
    merged = merge_file(name, name, "", *texts)
    before, ours, theirs = map(rows_of, texts)
    assert rows_of(merged) == ((ours | theirs) - before) | (ours & theirs)
    assert len(merged.splitlines()) == len(rows_of(merged))


@EACH
@given(st.data())
def test_a_side_without_changes_gives_the_other_byte_for_byte(name, data):
    base, a = (data.draw(FORMATS[name][1]) for _ in range(2))
    assert merge_file("", name, "", base, a, base) == merge_file("", name, "", base, base, a) == a


def test_the_byte_order_mark_and_the_line_ends_stay():
    base = "\ufeff# Facts\r\n\r\n- [place] Osh\r\n"
    ours, theirs = base + "- [tool] A kiln\r\n", base + "- [tool] A wheel\r\n"
    merged = merge_file("semantic", "semantic", "", base, ours, theirs)
    assert merged == base + "- [tool] A kiln\r\n- [tool] A wheel\r\n"


def test_a_new_record_stays_under_its_heading_and_an_edited_one_in_its_place():
    base = "# Memory\n\nOld words.\n\n## People\n\n- Odil\n\n## Places\n\n- Osh\n"
    ours = base.replace("Odil\n", "Odil\n- Anvar\n")
    theirs = base.replace("Old", "New").replace("Odil\n", "Odil\n- Aiko\n")
    merged = merge_file("long-term", "long-term", "", base, ours, theirs)
    assert merged == base.replace("Old", "New").replace("Odil\n", "Odil\n- Aiko\n- Anvar\n")


def test_frontmatter_merges_by_key_and_lists_by_item():
    base = "---\ntags: [a]\nx: 1\n---\n"
    ours, theirs = base.replace("[a]", "[a, b]"), "---\ntags: [c, a]\n---\n"
    assert semantic.merge(base, ours, theirs) == "---\ntags: [c, a, b]\n---\n"


def test_a_file_that_cannot_be_read_merges_by_lines_without_markers():
    base, ours = "{\n one\n two\n three\n", "{\n 1\n two\n three\n"
    merged = merge_file("salience", "salience", "", base, ours, base.replace("three", "3"))
    assert merged == "{\n 1\n two\n 3\n"
    assert merge_file("salience", "salience", "", base, ours, base.replace("one", "uno")) is None


def test_a_statement_can_be_superseded_and_stated_again():
    base, other = "- **place**: Osh\n", "- **place**: Osh\n- **tool**: A kiln\n"
    ours = "- **place**: Osh [superseded: 2026-01-02]\n- **place**: Osh\n"
    merged = merge_file("long-term", "long-term", "", base, ours, other)
    assert merged == ours + "- **tool**: A kiln\n"
    for side in (ours, other):
        assert merge_file("long-term", "long-term", "", base, merged, side) == merged
