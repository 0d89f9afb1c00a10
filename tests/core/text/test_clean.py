import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.clean import clean

oddities = st.sampled_from(
    "\u200b\u200c\u200d\u200e\u202e\u2066\ufeff\ufe0f\ufe0e\u00ad\x1b\x00\r\n\x0b\x85\u2028\U000e0067\U000e0100\u180b\u061c"
    "a 漢ا\u0915\u094d👩💻❤[]m31;"
)
texts = st.lists(oddities | st.characters()).map("".join)


@given(texts)
def test_cleaning_twice_changes_nothing(text):
    assert clean(clean(text)) == clean(text)


@given(texts)
def test_what_is_clean_holds_no_control_and_no_bidirectional_character(text):
    cleaned = clean(text)
    assert not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in cleaned if letter not in "\n\t")
    assert not set(cleaned) & set(
        "\u200b\u200e\u200f\u202a\u202e\u2066\u2069\u061c\ufeff\u2028\u2029\U000e0067"
    )
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned


@given(texts)
def test_the_only_line_end_left_is_the_newline(text):
    assert (
        clean(text).splitlines()
        == clean(text).removesuffix("\n").split("\n")[: len(clean(text).splitlines())]
    )


@pytest.mark.parametrize(
    "text",
    [
        "plain text, with\ttabs\nand lines",
        "👩\u200d💻 and ❤️\u200d🔥 and 🏳️\u200d🌈 and #️⃣",
        "نمی\u200cخواهم",
        "क\u094d\u200dष",
        "葛\U000e0100城",
        "Cześć, Дмитрий, 你好, สวัสดี",
    ],
)
def test_what_is_meant_stays(text):
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("pass\u200bword", "password"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("a\r\nb\rc\x0bd\u2028e\x85f", "a\nb\nc\nd\ne\nf"),
        ("x\u202egnp.exe", "xgnp.exe"),
        ("a\U000e0061\U000e0062b", "ab"),
        ("a\ufe01\ufe02\ufe03b", "a\ufe01b"),
        ("a\u200db", "ab"),
        ("\ud800!", "\ufffd!"),
    ],
)
def test_what_nobody_sees_goes(text, cleaned):
    assert clean(text) == cleaned
