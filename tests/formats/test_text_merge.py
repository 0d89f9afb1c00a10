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
    """The lines of a text, except blank ones and lists of tags, which are merged by item."""
    lines = {line.strip("\ufeff\r\t ").removeprefix("# other version: ") for line in text.split("\n")}
    return {line for line in lines if line and not line.startswith("tags: ")}


@given(SIDES)
def test_it_does_not_matter_which_side_is_ours(sides):
    base, ours, theirs = sides
    assert merge(base, ours, theirs) == merge(base, theirs, ours)


@given(UNIQUE)
def test_merging_a_side_again_changes_nothing(sides):
    base, ours, theirs = sides
    merged = merge(base, ours, theirs)
    assert merge(base, merged, ours) == merge(base, theirs, merged) == merge(base, merged, merged) == merged


@given(UNIQUE)
def test_what_either_side_added_is_there_and_what_both_deleted_is_not(sides):
    base, ours, theirs = sides
    before, left, right = map(words_in, sides)
    merged = words_in(merge(base, ours, theirs))
    assert (left | right) - before <= merged
    assert left & right <= merged
    assert not (before - left - right) & merged


BASE = "# Plan\n\nWe fire on Monday,\nat cone 6.\n\n- clay\n- glaze\n\nThe end.\n"
LABELS = [
    "<!-- memtool: version 1 of 2; keep one and remove these labels --> <b>Version 1 of 2</b>",
    "<!-- memtool: version 2 of 2; keep one and remove these labels --> <b>Version 2 of 2</b>",
    "<!-- memtool: end of versions -->",
]


def test_a_passage_that_both_changed_has_both_versions_each_under_a_label():
    ours, theirs = BASE.replace("Monday", "Friday"), BASE.replace("Monday,", "Sunday,").replace("The", "An")
    merged = merge(BASE, ours, theirs).split("\n")
    assert merged[2:9] == [
        LABELS[0],
        *["We fire on Friday,", "at cone 6."],
        LABELS[1],
        *["We fire on Sunday,", "at cone 6."],
        LABELS[2],
    ]
    assert merged[9:] == ["", "- clay", "- glaze", "", "An end.", ""]


def test_a_third_version_joins_the_two_and_a_choice_of_one_removes_the_labels():
    first, second, third = (BASE.replace("Monday", day) for day in ("Friday", "Sunday", "Tuesday"))
    merged = merge(BASE, first, second)
    three = merge(BASE, third, merged)
    assert three == merge(BASE, merge(BASE, third, second), first)
    assert [day for line in three.split("\n") for day in ("Friday", "Sunday", "Tuesday") if day in line] == [
        *["Friday", "Sunday", "Tuesday"]
    ]
    assert three.count("Version 3 of 3") == 1
    chosen, elsewhere = merge(BASE, first, first), merged.replace("The end", "An end")
    assert merge(merged, chosen, elsewhere) == chosen.replace("The end", "An end")
    assert merge(merged, first, second) == merged


def test_changes_of_different_lines_of_a_paragraph_and_new_items_need_no_label():
    ours = BASE.replace("Monday", "Friday").replace("- glaze\n", "- glaze\n- tongs\n")
    theirs = BASE.replace("cone 6", "cone 10").replace("- glaze\n", "- glaze\n- bricks\n")
    merged = BASE.replace("Monday", "Friday").replace("cone 6", "cone 10")
    assert merge(BASE, ours, theirs) == merged.replace("glaze\n", "glaze\n- bricks\n- tongs\n")


def test_a_passage_that_one_side_deleted_and_the_other_changed_stays():
    ours, theirs = BASE.replace("The end.\n", ""), BASE.replace("The end", "An end")
    assert merge(BASE, ours, theirs) == theirs


def test_a_table_and_code_are_labelled_as_a_whole():
    base = "| a |\n|---|\n| 1 |\n\n```\nx = 1\n```\n"
    merged = merge(base, base.replace("1", "2"), base.replace("1", "3"))
    lines = merged.split("\n")
    assert lines[1:4] == ["| a |", "|---|", "| 2 |"]
    assert lines[5:8] == ["| a |", "|---|", "| 3 |"]
    assert lines[11:14] == ["```", "x = 2", "```"]


def test_the_other_value_of_a_key_follows_as_a_comment_and_a_time_of_change_does_not():
    base = "---\ntitle: A\nupdated: 2026-01-01\ntags: [x]\n---\n"
    ours = "---\ntitle: B\nupdated: 2026-01-02\ntags: [x, y]\n---\n"
    theirs = "---\ntitle: C\nupdated: 2026-01-03\ntags: [x, z]\n---\n"
    merged = "---\ntitle: C\n# other version: title: B\nupdated: 2026-01-03\ntags: [x, y, z]\n---\n"
    assert merge(base, ours, theirs) == merge(base, theirs, ours) == merge(base, merged, ours) == merged
    assert merge(merged, merged.replace("# other version: title: B\n", ""), merged + "More.\n") == (
        merged.replace("# other version: title: B\n", "") + "More.\n"
    )


def test_settings_stay_valid_and_have_no_labels():
    base = "[search]\nmax = 1\n\n[daily]\nclip = 2\n"

    def merge_settings(ours, theirs):
        return merge_file("", "", "memtool.toml", base, ours, theirs)

    first, second = base.replace("max = 1", "max = 3"), base.replace("clip = 2", "clip = 4")
    assert merge_settings(first, second) == first.replace("clip = 2", "clip = 4")
    assert merge_settings(first, base.replace("max = 1", "max = 5")) is None
    twice = base.replace("[search]\n", "[search]\nlog = 1\n"), base.replace("max = 1\n", "max = 1\nlog = 2\n")
    assert merge_settings(*twice) is None


def test_a_long_note_keeps_all_passages_once_and_gets_those_that_each_side_inserted():
    passages = [f"Passage {number} is about pots." for number in range(1_500)]
    ours, theirs = [*passages], [*passages]
    for place in (1_200, 600, 50):
        ours.insert(place, f"Ours before {place}.")
        theirs.insert(place + 30, f"Theirs before {place + 30}.")
    texts = ("\n\n".join(each) + "\n" for each in (passages, ours, theirs))
    merged = merge_file("note", "note", "plan.md", *texts)
    found = merged.removesuffix("\n").split("\n\n")
    assert [each for each in found if not each.startswith("Theirs")] == ours
    assert [each for each in found if not each.startswith("Ours")] == theirs
