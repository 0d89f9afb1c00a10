import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.folding import fold, is_continuous
from memtool.core.text.tokenizer import words

marks = st.sampled_from("\u0301\u0307\u0308\u0345\u05b0\u0f71\u3099’ʻʼ‘`´ʹ′＇İıßϓΐﬁK\u1fef\u1ffdẞǆ가각ᄀ")
texts = st.text(st.characters(exclude_categories=("Cs",)) | marks)


@given(texts)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_folding_does_not_see_composed_from_decomposed(text):
    assert fold(unicodedata.normalize("NFC", text)) == fold(text) == fold(unicodedata.normalize("NFD", text))


def test_every_letter_folds_to_what_folds_to_itself():
    letters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    assert [letter for letter in letters if fold(fold(letter)) != fold(letter)] == []


@pytest.mark.parametrize("apostrophe", "'’ʻʼ‘`´ʹ′＇")
def test_every_apostrophe_is_one_letter(apostrophe):
    assert fold(f"YO{apostrophe}Q") == "yo'q"


def test_full_width_and_accented_text_folds_to_what_reads_the_same():
    assert fold("ＡＢＣ１２３") == "abc123"
    assert fold("E\u0301MILE") == fold("émile")


def test_words_of_scripts_without_spaces_are_single_characters():
    assert [word for word, _, _ in words("I like 咖啡")] == ["I", "like", "咖", "啡"]
    assert is_continuous("咖")
    assert not is_continuous("a")


@given(texts)
def test_words_lie_where_they_say(text):
    assert all(text[start:end] == word for word, start, end in words(text))
