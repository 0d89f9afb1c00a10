import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtool.core.search.chunking import CHUNK_LIMIT, split_chunks

LINES = st.sampled_from(
    ["", "# Head", "## [10:30:00]", "- item", "  - nested", "1. one", "```", "~~~", "| a | b |", "plain text",
     "---", "===", "    code", "> quote", "word " * 60, "x" * 900, "\ttab", "\r", "a\rb", "…。" * 300, " "]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=25).map("\n".join) | st.text()


def spans(text, **options):
    return [(chunk.first, chunk.last) for chunk in split_chunks(text, **options)]


@given(TEXTS)
@example("---\ntitle: x\n")
@example("\ufeff---\na: b\n---\nbody")
def test_every_line_that_is_not_blank_lies_in_a_chunk(text):
    covered = {line for first, last in spans(text) for line in range(first, last + 1)}
    lines = enumerate(text.split("\n"), 1)
    assert all(number in covered for number, line in lines if line.strip())


@given(TEXTS, st.integers(5, 900))
def test_chunks_are_ordered_bounded_and_say_their_lines(text, limit):
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    end = 0
    for chunk in split_chunks(text, limit):
        assert 0 < len(chunk.text) <= limit
        assert end <= chunk.first <= chunk.last <= len(lines)
        assert "\n".join(lines[chunk.first - 1 : chunk.last]).find(chunk.text) >= 0
        end = chunk.last if chunk.first == chunk.last else chunk.last + 1


@given(TEXTS)
def test_every_word_is_in_a_chunk(text):
    joined = "".join("".join(chunk.text.split()) for chunk in split_chunks(text, 50))
    assert joined == "".join("".join(line.split()) for line in text.split("\n"))


@given(
    st.lists(LINES.filter(lambda line: line[:3] not in {"```", "~~~"}), max_size=25).map("\n".join),
    st.integers(5, 900),
)
@example("# A\n- b\n  # c\nd", 800)
@example("A\n=\n# B", 800)
def test_a_fence_at_the_end_changes_no_chunk_above(text, limit):
    """Headings of a text without fences are found in another way."""
    with_fence = split_chunks(f"{text}\n# End\n\n```\n```", limit)
    end = text.count("\n") + 1
    assert tuple(chunk for chunk in with_fence if chunk.last <= end) == split_chunks(text, limit)


def test_a_block_of_a_daily_note_is_one_chunk():
    blocks = "## [10:30:00]\n**User:** hi\n**Agent:** do\n- a\n- b\n\n## [10:31:00]\n**User:** x\n"
    text = f"# Daily Notes -- 2025-01-15\n\n{blocks}"
    assert spans(text) == [(1, 1), (3, 7), (9, 10)]


def test_every_item_of_a_list_is_a_chunk_with_what_is_nested_in_it():
    text = "# Facts\n\n- one\n  - nested\n  goes on\n- two\nlazily\n\n  still two\n- three\n\nafter\n"
    assert spans(text) == [(1, 1), (3, 5), (6, 9), (10, 10), (12, 12)]


def test_a_list_that_is_indented_as_a_whole_has_its_items_apart():
    assert spans("  - a\n  - b\n") == [(1, 1), (2, 2)]


def test_what_stands_under_one_heading_is_joined_where_it_fits():
    text = "# A\n\nfirst\n\nsecond\n\n## B\nthird\n"
    assert spans(text) == [(1, 5), (7, 8)]
    assert spans(text, limit=12) == [(1, 3), (5, 5), (7, 8)]


def test_the_trail_is_the_headings_above():
    text = "# A\na\n## B\nb\n### C #\nc\n## D\nd\n\nE\n=\ne"
    assert [chunk.trail for chunk in split_chunks(text)] == [
        ("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",),
    ]  # fmt: skip


def test_a_fence_is_whole_and_hides_headings():
    text = "before\n\n```sh\n# not a heading\n- not an item\n```\n\n# Heading\n"
    assert spans(text) == [(1, 6), (8, 8)]
    assert spans(text, limit=45) == [(1, 1), (3, 6), (8, 8)]


def test_an_open_fence_ends_with_the_text():
    assert spans("```\n# a\n\n- b") == [(1, 4)]


def test_rows_of_a_table_that_is_too_long_are_parted_at_rows():
    table = "\n".join(f"| {i} | {'x' * 40} |" for i in range(50))
    assert all(chunk.text.startswith("|") and chunk.text.endswith("|") for chunk in split_chunks(table))


def test_frontmatter_is_a_chunk_at_its_own_lines():
    first, second = split_chunks("---\ntitle: Deploy\ntags: [a]\n---\n# Deploy\nbody", frontmatter=4)
    assert (first.first, first.last, first.trail) == (1, 4, ())
    assert "title: Deploy" in first.text
    assert second.first == 5


def test_a_rule_in_the_middle_is_neither_frontmatter_nor_heading():
    assert [chunk.trail for chunk in split_chunks("# A\ntext\n---\nmore\n\n---\n\nend")] == [("A",)]


def test_a_long_line_is_cut_at_sentences_under_one_number():
    found = split_chunks("a\n" + "This is a sentence. " * 100)
    assert {(chunk.first, chunk.last) for chunk in found[1:]} == {(2, 2)}
    assert all(chunk.text.endswith(".") for chunk in found[1:])


def test_lines_end_at_lf_alone():
    (chunk,) = split_chunks("one\r\ntwo\u2028three\x0cfour\r\n")
    assert chunk.text == "one\ntwo\u2028three\x0cfour"
    assert (chunk.first, chunk.last) == (1, 2)


@pytest.mark.parametrize(
    "unit",
    ["x", "word ", "- a\n", "\n", "```\n", "|\n", "#", "- - ", "  - a\n", "a\n===\n", "---\n", "\t", "。"],
)
def test_no_chunk_is_longer_than_the_limit(unit):
    text = unit * (20 * CHUNK_LIMIT // len(unit))
    assert all(len(chunk.text) <= CHUNK_LIMIT for chunk in split_chunks(text))
