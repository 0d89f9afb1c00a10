"""Truncation keeps the beginning and the end, and tells the truth about what is between."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.truncate import truncate, truncation_marker

LETTERS = st.sampled_from(
    ["a", "é", "e\u0301\u0323", "漢", "👩‍👩‍👧", "👍🏽", "🇺🇿", "\r\n", "\udcff\udcfe", " "]
)
TEXTS = st.lists(LETTERS, max_size=300).map("".join)


def cut(text, most, size=7):
    return "".join(truncate((text[start : start + size] for start in range(0, len(text), size)), most))


@given(TEXTS, st.integers(1, 400), st.integers(1, 50))
def test_it_never_exceeds_the_budget_and_counts_right(text, most, size):
    short = cut(text, most, size)
    assert len(short) <= most
    if len(text) <= most:
        assert short == text
        return
    match = re.search(r"\n\[\.\.\. (\d+) characters removed \.\.\.\]\n", short)
    if match is None:
        assert text.startswith(short)
        assert most <= len(truncation_marker(len(text)))
        return
    head, tail = short[: match.start()], short[match.end() :]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + int(match[1]) + len(tail) == len(text)


@given(TEXTS, st.integers(60, 400))
def test_no_letter_is_parted_from_its_marks(text, most):
    short = cut(text, most)
    match = re.search(r"\n\[\.\.\. \d+ characters removed \.\.\.\]\n", short)
    if match is not None:
        for after in (short[match.end() :], text[match.start() :]):
            assert not after or not (unicodedata.combining(after[0]) or after[0] == "\u200d")
        assert not short[: match.start()].endswith(("\u200d", "\r"))


def test_the_shares_are_seventy_and_twenty_percent():
    text = "".join(chr(97 + n % 26) for n in range(100_000))
    short = cut(text, 8000, 999)
    head, _, tail = short.partition("\n[... 92800 characters removed ...]\n")
    assert (len(head), len(tail)) == (5600, 1600)
