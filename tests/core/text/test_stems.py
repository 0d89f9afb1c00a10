"""A word is known in every form."""

from __future__ import annotations

import pytest

from memtool.core.text.stems import base_form, beginnings_of, stem, stem_like


def test_irregular_forms_have_their_word():
    assert [base_form(word) for word in ("bought", "children", "went", "kiln")] == [
        "buy",
        "child",
        "go",
        "kiln",
    ]


@pytest.mark.parametrize(
    "forms",
    [
        "deploy deploys deployed deploying",
        "run runs running ran",
        "go going went gone",
        "child children",
        "журнал журнала журналом",
    ],
)
def test_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("words", ["add ad", "evening even", "university universal", "internal intern"])
def test_other_words_have_other_stems(words):
    one, other = words.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["it", "c++", "v2", "x1", "京", "x" * 41, "café", "kiln", "狗", ""])
def test_what_has_no_forms_is_its_own_stem(word):
    assert stem(word) == word


def test_ever_new_words_do_not_fill_the_memory():
    limit = stem.cache_info().maxsize
    assert limit is not None
    for number in range(limit + 100):
        stem(f"word{number}")
    assert stem.cache_info().currsize <= limit


@pytest.mark.parametrize("word", ["went", "going", "gone", "goes", "garden", "dying", "ёлками"])
def test_a_word_of_the_same_stem_is_stemmed(word):
    root = stem(word)
    assert stem_like([root])(word) == root


def test_a_word_with_another_first_letter_is_not_stemmed():
    assert stem_like(["go", "garden"])("kilns") == ""


@pytest.mark.parametrize(
    "word",
    [
        "dying",
        "skies",
        "bought",
        "stability",
        "hoping",
        "rationalization",
        "went",
        "ties",
        "dogs",
        "ox",
        "x1",
    ],
)
def test_a_word_begins_with_the_letters_that_are_known_of_its_stem(word):
    assert word.startswith(beginnings_of(stem(word)))


def test_of_a_stem_in_other_letters_no_beginning_is_known():
    assert beginnings_of(stem("книгами")) == ()
    assert stem_like([stem("книгами")])("книга") == stem("книгами")
