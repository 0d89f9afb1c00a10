from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.edits import TextEdit, apply_edits


@st.composite
def edited_texts(draw):
    text = draw(st.text("abcdef", max_size=30))
    cuts = sorted(
        draw(st.lists(st.integers(0, len(text)), max_size=8).filter(lambda cuts: len(cuts) % 2 == 0))
    )
    pairs = list(zip(cuts[::2], cuts[1::2], strict=True))
    return text, [
        TextEdit(start, end, draw(st.text("XY", max_size=3))) for start, end in pairs if start < end
    ]


@given(edited_texts())
def test_what_no_edit_touched_is_found_again(case):
    text, edits = case
    edited = apply_edits(text, edits)
    for start in range(len(edited.text)):
        if edited.text[start] not in "XY":
            first, last = edited.original_span(start, start + 1)
            assert text[first:last] == edited.text[start]


@given(edited_texts())
def test_spans_keep_their_order_and_stay_inside(case):
    text, edits = case
    edited = apply_edits(text, edits)
    for start in range(len(edited.text)):
        first, last = edited.original_span(start, len(edited.text))
        assert 0 <= first <= last <= len(text)


def test_a_span_takes_in_whole_edits():
    edited = apply_edits("I like hunter2 a lot", [TextEdit(7, 14, "[X]")])
    assert edited.text == "I like [X] a lot"
    assert edited.original_span(8, 9) == (7, 14)
    assert edited.original_span(0, 10) == (0, 14)
    assert edited.original_span(10, 16) == (14, 20)


def test_nothing_stands_for_what_was_taken_out_at_its_edges():
    edited = apply_edits("ab--cd", [TextEdit(2, 4, "")])
    assert edited.original_span(0, 2) == (0, 2)
    assert edited.original_span(2, 4) == (4, 6)
    assert edited.original_span(1, 3) == (1, 5)
