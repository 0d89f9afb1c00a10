"""The laws of three-way merges of free text: nothing is lost, and both versions of a passage are labelled."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.three_way import merge_file
from tests.formats.notes_edited import edited, has_duplicates, notes

SIDES = notes.flatmap(lambda base: st.tuples(st.just(base), edited(base), edited(base)))
UNIQUE = SIDES.filter(lambda sides: not any(map(has_duplicates, sides)))


def merge(base, ours, theirs):
    return merge_file("note", "note", "note.md", base, ours, theirs)


def words_in(text):
    return {line.strip("\ufeff\r\t ") for line in text.split("\n")}


@given(SIDES)
def test_it_does_not_matter_which_side_is_ours(sides):
    base, ours, theirs = sides
    assert merge(base, ours, theirs) == merge(base, theirs, ours)


@given(UNIQUE)
def test_merging_a_side_again_changes_nothing(sides):
    base, ours, theirs = sides
    merged = merge(base, ours, theirs)
    assert merge(base, merged, ours) == merge(base, theirs, merged) == merge(base, merged, merged) == merged


@given(SIDES)
def test_what_either_side_added_is_there_and_what_both_deleted_is_not(sides):
    base, ours, theirs = sides
    before, left, right = map(words_in, sides)
    merged = words_in(merge(base, ours, theirs))
    assert (left | right) - before <= merged
    assert left & right <= merged
    assert not (before - left - right) & merged
