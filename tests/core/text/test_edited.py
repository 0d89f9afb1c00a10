from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.edited import Edit, edit


@st.composite
def edited_texts(draw):
    text = draw(st.text("abcdef", max_size=30))
    cuts = sorted(
        draw(st.lists(st.integers(0, len(text)), max_size=8).filter(lambda cuts: len(cuts) % 2 == 0))
    )
    pairs = list(zip(cuts[::2], cuts[1::2], strict=True))
    return text, [Edit(start, end, draw(st.text("XY", max_size=3))) for start, end in pairs if start < end]


@given(edited_texts())
def test_what_no_edit_touched_is_found_again(case):
    text, edits = case
    edited = edit(text, edits)
    for start in range(len(edited.text)):
        if edited.text[start] not in "XY":
            first, last = edited.origin(start, start + 1)
            assert text[first:last] == edited.text[start]


@given(edited_texts())
def test_spans_keep_their_order_and_stay_inside(case):
    text, edits = case
    edited = edit(text, edits)
    for start in range(len(edited.text)):
        first, last = edited.origin(start, len(edited.text))
        assert 0 <= first <= last <= len(text)


def test_a_span_takes_in_whole_edits():
    edited = edit("I like hunter2 a lot", [Edit(7, 14, "[X]")])
    assert edited.text == "I like [X] a lot"
    assert edited.origin(8, 9) == (7, 14)
    assert edited.origin(0, 10) == (0, 14)
    assert edited.origin(10, 16) == (14, 20)


def test_nothing_stands_for_what_was_taken_out_at_its_edges():
    edited = edit("ab--cd", [Edit(2, 4, "")])
    assert edited.origin(0, 2) == (0, 2)
    assert edited.origin(2, 4) == (4, 6)
    assert edited.origin(1, 3) == (1, 5)
