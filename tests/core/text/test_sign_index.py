"""The index of signs finds the rows of which a text has a sign, and no others."""

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.sign_index import SignIndex, short_parts

SIGNS = st.lists(st.text("abc ", min_size=1, max_size=5), max_size=3)


@given(st.lists(SIGNS, max_size=6), st.text("abc ", max_size=30))
def test_rows_are_those_of_which_the_text_has_a_sign(rows, text):
    expected = [
        number for number, signs in enumerate(rows) if not signs or any(sign in text for sign in signs)
    ]
    index = SignIndex(rows)
    assert [index.rows(text, short_parts(text)) for _ in range(6)] == [expected] * 6


@given(st.lists(SIGNS, max_size=6), st.text("abc ", min_size=401, max_size=420))
def test_a_long_text_is_searched_in_the_same_way(rows, text):
    expected = [
        number for number, signs in enumerate(rows) if not signs or any(sign in text for sign in signs)
    ]
    assert SignIndex(rows).rows(text, short_parts(text)) == expected
