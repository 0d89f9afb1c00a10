import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtool.core.text.folding import search_fold
from memtool.core.text.tokenizer import (
    SIGNED_LETTER,
    CharacterRun,
    CompoundWord,
    Word,
    atoms,
    is_plain,
    pieces,
    unicode_pieces,
)


def found(text):
    return [piece for piece, _, _ in pieces(search_fold(text))]


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert search_fold(search_fold(text)) == search_fold(text)


@given(st.text("ab_1 +#-"))
def test_ascii_text_is_plain_unless_it_has_a_letter_with_signs(text):
    assert is_plain(text) is (re.search(SIGNED_LETTER, text) is None)


@given(st.text())
def test_composed_and_decomposed_text_fold_alike(text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert search_fold(composed) == search_fold(decomposed)


@given(st.text(alphabet="aZ9_ '#+.-/\n*~@"))
def test_the_fast_way_through_ascii_gives_what_the_slow_one_gives(text):
    assert list(pieces(search_fold(text))) == list(unicode_pieces(search_fold(text)))


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("a_-'京都ก้👍 "))))
@example("\u24eb\u2776 \u24c2")
def test_pieces_are_ordered_and_lie_inside_the_text(text):
    folded = search_fold(text)
    end = 0
    for _, start, stop in pieces(folded):
        assert end <= start < stop <= len(folded)
        end = stop


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Café", "cafe"),
        ("Łódź", "lodz"),
        ("Straße", "STRASSE"),
        ("Ёлка", "елка"),
        ("Ὀδυσσεύς", "οδυσσευς"),
        ("ＡＢＣ１２３", "abc123"),
        ("ﬁne", "fine"),
        ("co\u00adoperate", "cooperate"),
        ("yoʻq", "yo'q"),
        ("yo’q", "yo'q"),
        ("İstanbul", "istanbul"),
        ("أُحِبُّ", "احب"),
        ("المَدرَسة", "المدرسه"),
        ("الـــسلام", "السلام"),
        ("کتابی", "كتابي"),
        ("שָׁלוֹם", "שלום"),
    ],
)
def test_these_read_the_same(left, right):
    assert search_fold(left) == search_fold(right)


def test_accents_that_are_letters_stay_apart():
    assert search_fold("が") != search_fold("か")
    assert search_fold("กา") != search_fold("ก")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deploy_script", CompoundWord("deploy_script", ("deploy", "script"))),
        ("ABC-123", CompoundWord("abc-123", ("abc", "123"))),
        ("me@x.org", CompoundWord("me@x.org", ("me", "x", "org"))),
        ("v1.2.3", CompoundWord("v1.2.3", ("v1", "2", "3"))),
        ("yo'q", CompoundWord("yoq", ("yo", "q"))),
        ("_emphasis_", Word("emphasis")),
        ("C++", Word("c++")),
        ("c#", Word("c#")),
        ("京都", CharacterRun("京都")),
        ("👍🏽", CharacterRun("👍")),
    ],
)
def test_what_is_one_piece(text, expected):
    assert found(text) == [expected]


def test_words_glued_to_another_script_come_apart():
    assert found("使用Python编程") == [CharacterRun("使用"), Word("python"), CharacterRun("编程")]


def test_a_run_goes_on_in_the_next_line_but_not_in_the_next_word():
    assert found("京\n都") == [CharacterRun("京都")]
    assert found("京 都") == [CharacterRun("京"), CharacterRun("都")]


def test_thai_vowel_signs_do_not_part_a_run():
    assert len(found("น้ำแข็ง")) == 1


def test_a_sentence_end_joins_nothing():
    assert found("one. two") == [Word("one"), Word("two")]


def test_atoms_are_the_smallest_words():
    assert atoms("a_b 京都 don't") == ["a", "b", "京", "都", "don", "t"]
