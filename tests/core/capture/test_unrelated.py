"""A request to forget what was said about something leaves what the message says of other things."""

import pytest

from memtool.core.capture.message_sentences import split_message


@pytest.mark.parametrize(
    ("message", "public"),
    [
        ("Forget what I said about my diet. I'm a nurse.", "I'm a nurse."),
        ("Please forget everything I said about my ex. I have two cats.", "I have two cats."),
        (
            "Forget what I told you about my job. It was a joke. My sister lives in Oslo.",
            "My sister lives in Oslo.",
        ),
    ],
)
def test_what_surely_is_about_something_else_may_be_stored(message, public):
    assert split_message(message).public_text.strip() == public


@pytest.mark.parametrize(
    "message",
    [
        "Forget what I said about my drinking. I'm an alcoholic.",
        "Forget what I said about my diet. I'm vegetarian.",
        "Forget what I said about my job. I work as a welder.",
        "Forget what I said about my boss. My boss is called Ingrid.",
        "Forget what I said about my sister. She lives in Rome.",
        "I'm a nurse. Forget what I said about my diet.",
        "Forget what I said about my affair. Don't save that. I live in Lima.",
        "Don't save this. I'm a nurse.",
        "Forget everything I said. I'm a nurse.",
        "Off the record: I'm a nurse. I live in Lima.",
    ],
)
def test_all_of_a_message_is_private_where_it_may_go_on_about_what_is_to_be_forgotten(message):
    split = split_message(message)
    assert len(split.private) == len(split.text.sentences)
