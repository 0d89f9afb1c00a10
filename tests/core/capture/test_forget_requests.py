"""Requests to forget: what they are about, without the reason that is given for them."""

from __future__ import annotations

import pytest

from memtool.core.capture.forget_requests import forget_requests
from memtool.core.capture.message_sentences import split_message


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("Forget what I said about the second shop, that was wrong.", "the second shop"),
        ("Forget everything I told you about Ann; I was joking.", "Ann"),
        ("Forget that I live in Lima - it isn't true any more.", "I live in Lima"),
        ("Vergiss, was ich über Anna gesagt habe, das war falsch.", "Anna"),
        ("Olvida lo que te dije sobre Ana, era mentira", "Ana"),
        ("Забудь, что я говорил про Анну, это неправда", "Анну"),
    ],
)
def test_a_request_is_about_what_is_to_be_forgotten_and_not_about_why(sentence, topic):
    assert forget_requests([sentence]) == {0: topic}


@pytest.mark.parametrize(
    "sentence",
    [
        "Forget what I said about Ann, she is my cousin",
        "Forget what I said about the deadline, that is on Friday",
        "Forget what I said about the second shop, I only have one.",
    ],
)
def test_what_holds_instead_is_a_correction(sentence):
    assert not forget_requests([sentence])


def test_it_is_named_in_the_words_of_the_user_with_code():
    assert split_message("Forget that I use `pnpm` for builds.").forget_requests == {
        0: "I use `pnpm` for builds"
    }
