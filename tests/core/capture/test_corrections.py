"""Corrections: what a sentence replaces by what, and which lines it makes wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.corrections import (
    corrections,
    is_about_behaviour,
    is_corrected,
    may_correct,
    stated_name,
)


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("It isn't Sarvar, it's Sardor.", "Sarvar", "Sardor"),
        ("No, it's not port 8000, it's port 8080", "port 8000", "port 8080"),
        ("not Tuesday but Wednesday", "Tuesday", "Wednesday"),
        ("I meant Berlin, not Bern", "Bern", "Berlin"),
        ("Actually it's 12 May, not 2 May.", "2 May", "12 May"),
        ("12 May is wrong, it's 19 May", "12 May", "19 May"),
        ("12 May isn't right, it's 19 May", "12 May", "19 May"),
        ("12 May is out of date, it's 19 May", "12 May", "19 May"),
        ("Instead of tabs use spaces", "tabs", "spaces"),
        ("Use spaces instead of tabs please", "tabs", "spaces"),
        ("we moved the launch from 12 May to 19 May", "12 May", "19 May"),
        ("My name is spelled Sara not Sarah", "Sarah", "Sara"),
        ("I switched from Vim to Neovim last week", "Vim", "Neovim"),
        ("I used to live in Munich but now I live in Berlin", "Munich", "Berlin"),
    ],
)
def test_a_correction_names_both_values(sentence, old, new):
    (found,) = corrections(sentence)
    assert (found.old, found.new) == (old, new)
    assert may_correct(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm not sure if this is right, but I think so",
        "It's not working, it's broken",
        "not only fast but also cheap",
        "Blue is correct, it's my favourite",
        "Blue was right, it's the sky",
        "my accuracy improved a lot",
        "",
        "make sure I'm caching correctly and not overwriting data",
        "it should be reading lines quickly, not holding files open",
    ],
)
def test_other_sentences_replace_nothing(sentence):
    assert corrections(sentence) == ()


def test_a_correction_is_about_lines_that_share_its_subject():
    (found,) = corrections("we moved the launch from 12 May to 19 May")
    assert is_corrected(found, "Our launch is on 12 May", is_recent=False)
    assert not is_corrected(found, "My birthday is 12 May", is_recent=True)
    assert not is_corrected(found, "Our launch moved from 12 May to 19 May", is_recent=False)


def test_a_correction_without_a_subject_is_about_a_recent_line_or_a_name():
    (found,) = corrections("it's not 8000, it's 8080")
    assert is_corrected(found, "The port is 8000", is_recent=True)
    assert not is_corrected(found, "The port is 8000", is_recent=False)
    assert not is_corrected(found, "8000 people came", is_recent=True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hi, my name is Zora Neale.", "zora neale"),
        ("Ich heiße Uwe", "uwe"),
        ("меня зовут Анна", "анна"),
        ("我叫小明", "小明"),
        ("私の名前は田中です", "田中"),
        ("my name is Zoe and I like tea", None),
        ("her name is Zoe", None),
    ],
)
def test_a_name_that_a_text_gives_and_nothing_else(text, name):
    assert stated_name(text) == name


@pytest.mark.parametrize(
    ("sentence", "is_it"),
    [
        ("stop apologising", True),
        ("Please stop saying sorry!", True),
        ("don't do that again", True),
        ("You keep forgetting the units", True),
        ("Stop the server", False),
        ("I don't like tea", False),
    ],
)
def test_a_correction_of_conduct(sentence, is_it):
    assert is_about_behaviour(sentence) == is_it


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    for found in corrections(text):
        assert found.old
        assert found.new
        assert found.old != found.new
