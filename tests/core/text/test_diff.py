"""A unified diff is the one that difflib makes, and is found in short time however much differs."""

from __future__ import annotations

import difflib
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.diff import changed_lines, unified_diff

lines = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=12)


@given(lines, lines)
def test_it_is_a_diff_that_patch_applies_with_the_context_of_diff(before, after):
    found = [*unified_diff(before, after, "a", "b")]
    assert bool(found) == (before != after)
    assert applied(before, found) == after


@given(lines, lines)
def test_one_change_is_told_as_difflib_does(before, after):
    made = [*before[:3], "new", *after[:2]]
    old = [*before[:3], *after[:2]]
    wanted = [*difflib.unified_diff(old, made, "a", "b", lineterm="", n=1)]
    found = [*unified_diff(old, made, "a", "b")]
    assert [line for line in found if line[0] == "+"] == [line for line in wanted if line[0] == "+"]
    assert applied(old, found) == made


def applied(before, diff):
    """What a diff makes of lines, each of its hunks held against them."""
    out, at = [], 0
    for line in diff[2:]:
        if line.startswith("@@"):
            first = line.split()[1][1:].split(",")
            start = int(first[0]) - (first[1:] != ["0"])
            out += before[at:start]
            at = start
        elif line[0] == "+":
            out.append(line[1:])
        else:
            assert before[at] == line[1:]
            out += [line[1:]] if line[0] == " " else []
            at += 1
    return out + before[at:]


def test_git_applies_what_it_says(tmp_path):
    before = [f"line {number}" for number in range(40)]
    after = ["first", *before[:10], "changed", *before[11:20], *before[25:], "last"]
    page = tmp_path / "x"
    page.write_text("".join(f"{line}\n" for line in before))
    patch = "".join(f"{line}\n" for line in unified_diff(before, after, "a/x", "b/x"))
    words = ["git", "apply", "--unidiff-zero", "-"]
    subprocess.run(words, cwd=tmp_path, input=patch.encode(), check=True)
    assert page.read_text() == "".join(f"{line}\n" for line in after)


def test_a_difference_in_every_second_line_or_in_all_applies():
    before = [f"line {number}\r" if number % 2 else f"line {number}" for number in range(2_000)]
    same = [line.rstrip("\r") for line in before]
    other = [f"other {number}" for number in range(2_500)]
    found = [*unified_diff(before, same, "a", "b")]
    whole = [*unified_diff(before, other, "a", "b")]
    assert sum(line[0] == "-" for line in found[2:]) == 1_000
    assert applied(before, found) == same
    assert applied(before, whole) == other


@given(st.lists(st.integers(0, 2_000), max_size=30), st.integers(1_001, 1_100))
def test_changes_of_long_texts_lead_from_one_to_the_other_and_leave_most_lines(inserted, count):
    before = [f"line {number}" for number in range(count)]
    after = [*before]
    for place in inserted:
        after.insert(place % (len(after) + 1), "new" if place % 2 else f"new {place}")
    changes = changed_lines(before, after)
    position, built = 0, []
    for low, high, new_low, new_high in changes:
        built += [*before[position:low], *after[new_low:new_high]]
        position = high
    assert [*built, *before[position:]] == after
    assert sum(high - low for low, high, _, _ in changes) == 0
