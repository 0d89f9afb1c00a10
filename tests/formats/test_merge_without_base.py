"""The laws of merging two versions of a file whose base is unknown: no record lost, none doubled."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memtool.core.text.two_way import common_text, merge_without_base, without_deleted
from memtool.formats.three_way import merge_file
from tests.formats.test_merge_laws import FORMATS

LINES = {
    "semantic": "- [place] number {n} ^m-{n}",
    "long-term": "- **place**: number {n}",
    "rules": "- [2026-01-{n:02}T10:00:00Z] Rule ^r-{n}",
    "session-state": "- [2026-01-{n:02}T10:00:00+00:00] **decision**: cone {n}",
    "feedback": '{{"at": "2026-01-{n:02}T10:00:00Z", "id": {n}}}',
}
NUMBERS = st.lists(st.integers(1, 12), unique=True)


def counted(text):
    return Counter(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("name", LINES)
@given(NUMBERS, NUMBERS, NUMBERS)
def test_every_record_of_both_versions_is_there_once_also_when_merged_again(name, base, a, b):
    ours, theirs = (
        "".join(LINES[name].format(n=n) + "\n" for n in dict.fromkeys([*base, *added])) for added in (a, b)
    )
    merge = partial(merge_file, name, name, "")
    merged = merge_without_base(merge, ours, theirs)
    assert counted(merged) == counted(ours) | counted(theirs)
    assert set(counted(merged).values()) <= {1}
    assert counted(merge_without_base(merge, merged, theirs)) == counted(merged)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "salience"])
@given(st.data())
def test_no_line_is_lost_that_an_empty_base_keeps(name, data):
    merge, texts = FORMATS[name]
    ours, theirs = data.draw(texts), data.draw(texts)
    merged, union = merge_without_base(merge, ours, theirs), merge("", ours, theirs)
    both = counted(ours) | counted(theirs)
    assert both - counted(merged) <= both - counted(union)


PROSE = st.lists(st.sampled_from(["a b", "a c", "b c d", "- a b", "# a", "", "", "```"]), max_size=9)


@pytest.mark.parametrize("name", ["a.md", "a"])
@given(PROSE, PROSE)
def test_free_text_merges_without_loss_or_not_at_all(name, a, b):
    ours, theirs = ("".join(f"{line}\n" for line in lines) for lines in (a, b))
    merge = partial(merge_file, "memories", "", name)
    merged = merge_without_base(merge, ours, theirs, is_prose=True)
    assert merged is None or counted(ours) | counted(theirs) <= counted(merged)


@given(st.text("ab\r\n", max_size=20), st.text("ab\r\n", max_size=20))
def test_the_common_text_is_a_subsequence_of_both(a, b):
    for text in (a, b):
        lines = iter(text.replace("\r\n", "\n").split("\n"))
        assert not common_text(a, b) or all(line in lines for line in common_text(a, b).split("\n"))
    assert common_text(a, a) == a.replace("\r\n", "\n")


def test_added_records_stay_where_they_are_among_those_that_both_have():
    base = "# Facts\n\n## Places\n\n- [place] Osh\n- [place] Khiva\n\n## Tools\n\n- [tool] A kiln\n"
    ours = base.replace("- [place] Khiva", "- [place] Khiva\n- [place] Termez")
    theirs = base.replace("\n## Tools", "- [place] Andijan\n\n## Tools") + "- [tool] A wheel\n"
    merged = merge_without_base(partial(merge_file, "semantic", "semantic", "facts.md"), ours, theirs)
    assert (
        merged
        == base.replace("Khiva\n", "Khiva\n- [place] Andijan\n- [place] Termez\n") + "- [tool] A wheel\n"
    )


@given(NUMBERS, NUMBERS, NUMBERS)
def test_lines_count_as_deleted_only_if_the_other_file_had_all_lines_of_the_version(version, later, other):
    texts = ["".join(f"- {n}\n" for n in numbers) for numbers in (version, later, other)]
    shorter = without_deleted(texts[2], texts[0], texts[1])
    if {*version} <= {*other}:
        assert counted(shorter) == counted(texts[2]) - (counted(texts[0]) - counted(texts[1]))
    else:
        assert shorter == texts[2]


@given(NUMBERS)
def test_copies_of_a_line_are_deleted_one_by_one(numbers):
    assume(numbers)
    text = "".join(f"- {n}\n" for n in numbers)
    assert counted(without_deleted(text * 2, text * 2, text)) == counted(text)
