"""Plain text, whose parts are remembered, has the same terms as text that is read piece by piece."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memtool.index.documents.terms import weigh

PLAIN = st.text("abc Z19.,-_'/:@#+\n()", max_size=40)
UNPLAIN = " 漢"
"""A character that makes a text other than plain, and adds one term."""


@given(PLAIN)
def test_plain_text_has_the_terms_of_its_pieces(text):
    plain, read = weigh(text), weigh(text + UNPLAIN)
    assert Counter(plain.stems) + Counter(UNPLAIN.split()) == Counter(read.stems)
    assert Counter(plain.words) == Counter(read.words)


@given(PLAIN)
def test_terms_of_a_heading_add_to_those_of_the_text(text):
    alone, under = weigh(text), weigh(text, ["a heading", "a heading"])
    assert alone.stems.keys() | {"a", "head"} == under.stems.keys()
    assert all(under.stems[term] >= count for term, count in alone.stems.items())
    assert {*under.stems.values(), *under.words.values()} == under.steps.keys()
