"""Facts about the user: what is stated to last, in the third person, with the words that prove it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.extract import facts_in_messages, statements_in_text
from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, TextPart
from tests.trees import NOW


def details(text):
    return [fact.detail for fact in statements_in_text(text)]


@pytest.mark.parametrize(
    ("text", "fact", "quote"),
    [
        ("My cat's name is Tom and she is old.", "User's cat's name is Tom", "My cat's name is Tom"),
        ("my favourite editor is vim, btw", "User's favourite editor is vim", "my favourite editor is vim"),
        ("I live in Oslo with my wife.", "User lives in Oslo with their wife", "I live in Oslo with my wife"),
        ("Well, I’m allergic to peanuts.", "User is allergic to peanuts", "I’m allergic to peanuts"),
        ("I am a nurse at St. Mary's.", "User is a nurse at St. Mary's", "I am a nurse at St. Mary's"),
        (
            "our database is MySQL 8.4; it is slow",
            "User's (our) database is MySQL 8.4",
            "our database is MySQL 8.4",
        ),
        ("I have two kids, Ada and Max", "User has two kids, Ada and Max", "I have two kids, Ada and Max"),
        ("I take 20 mg of it every day", "User takes 20 mg of it every day", "I take 20 mg of it every day"),
    ],
)
def test_what_is_stated_is_a_fact(text, fact, quote):
    assert details(text) == [f'{fact} — "{quote}"']


@pytest.mark.parametrize(
    "text",
    [
        "If my server is down, call me.",
        "I think my cat is ill",
        "Is my name Bob?",
        "She said my code is bad",
        "I'm going to the store",
        "I'm a bit tired",
        "my build is failing",
        "our tests are still red",
        "My point is that you should stop",
        "I have an error",
        "I use it",
        "My API key is sk-abcdefghijklmnopqrstuvwxyz0123456789",
        "```\nmy cat is Tom\n```",
        "> my cat is Tom",
        "the army is large",
    ],
)
def test_what_passes_or_is_doubted_is_none(text):
    assert details(text) == []


def test_several_statements_of_a_sentence():
    found = details("My wife's name is Ann, my son is called Tim and I work at Acme Corp. in Ghent")
    assert [one.partition(" — ")[0] for one in found] == [
        "User's wife's name is Ann",
        "User's son is called Tim",
        "User works at Acme Corp. in Ghent",
    ]


def test_only_the_user_gives_facts_each_once_and_owned():
    owner = Owner("user", "ann")
    said = [
        Message("assistant", (TextPart("I prefer tea. My cat is Tom."),)),
        Message("user", (TextPart("I prefer green tea. Let's use cone 6."),)),
        Message("user", (TextPart("I prefer green tea."),)),
        Message(
            "user",
            (TextPart("[CONTEXT COMPACTION: 2 earlier messages were removed]\n- user: I prefer rum."),),
        ),
    ]
    found = facts_in_messages(said, NOW, owner)
    assert [(fact.category, fact.detail, fact.owner) for fact in found] == [
        ("preference", "I prefer green tea.", owner),
        ("decision", "Let's use cone 6.", owner),
    ]


@given(st.text(max_size=300))
def test_any_text_gives_facts_of_one_line(text):
    for fact in statements_in_text(text):
        assert "\n" not in fact.detail
        assert fact.detail.startswith("User")
