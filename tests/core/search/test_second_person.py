"""A question about somebody is put to that somebody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.second_person import capitalised_words, to_second_person


@pytest.mark.parametrize(
    ("text", "called", "put"),
    [
        ("What did Ann buy?", {"ann"}, "What did you buy?"),
        ("Where is Ann's bicycle?", {"ann"}, "Where is your bicycle?"),
        ("Where is ANN’s bicycle?", {"ann"}, "Where is your bicycle?"),
        ("Do Ann and Bob agree?", {"ann", "bob"}, "Do you and you agree?"),
        ("Did Joanna see Annapolis?", {"ann"}, "Did Joanna see Annapolis?"),
        ("What did José say?", {"jose"}, "What did you say?"),
        ("What did Jose\u0301 say?", {"jose"}, "What did you say?"),
        ("что сказала Аня?", {"аня"}, "что сказала Аня?"),
        ("Was hat Ann in Berlin gekauft?", {"ann"}, "Was hat Ann in Berlin gekauft?"),
        ("Waar is Ann?", {"ann"}, "Waar is Ann?"),
        ("¿A qué hora llega Ann a casa?", {"ann"}, "¿A qué hora llega Ann a casa?"),
        ("Ann bicycle", {"ann"}, "Ann bicycle"),
        ("What did Ann buy?", set(), "What did Ann buy?"),
        ("", {"ann"}, ""),
    ],
)
def test_names_become_the_second_person(text, called, put):
    assert to_second_person(text, called) == put


def test_words_with_a_capital_may_be_names():
    assert capitalised_words("When did Ann's friend José meet them? What of DHL and 3M?") == {
        "ann",
        "jose",
        "dhl",
    }


@given(st.text(), st.sets(st.text(min_size=1, max_size=4), max_size=3))
def test_nothing_is_said_again_that_names_nobody(text, called):
    put = to_second_person(text, called)
    assert put == text or "you" in put
