"""What the user asks not to keep is in no message that is stored, before or after it was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture.withheld import has_private_sentences, withhold, withhold_exchange
from memtool.core.privacy.private_requests import NOT_KEPT, private_turns
from memtool.core.records.turn import Message, ReasoningPart, TextPart, ToolCall, ToolResult

REQUESTS = {
    "en": ("My salary is 90k.", "Please don't remember that."),
    "uz": ("Mening maoshim 90k.", "Buni eslab qolma."),
    "ru": ("Моя зарплата 90k.", "Не запоминай это."),
    "es": ("Mi sueldo es 90k.", "No guardes esto."),
    "de": ("Mein Gehalt ist 90k.", "Bitte merk dir das nicht."),
    "fr": ("Mon salaire est de 90k.", "N'enregistre pas ça."),
    "pt": ("Meu salário é 90k.", "Não guarde isso."),
    "tr": ("Maaşım 90k.", "Bunu kaydetme."),
    "zh": ("我的工资是90k。", "请不要记住这个。"),
    "ja": ("給料は90kです。", "これは覚えないでください。"),
}


def said(*texts):
    """A conversation in which user and agent take turns."""
    return [Message(("user", "assistant")[n % 2], (TextPart(text),)) for n, text in enumerate(texts)]


def stored(*texts):
    return [message.text for message in withhold(said(*texts))]


@pytest.mark.parametrize("language", REQUESTS)
def test_what_a_request_is_about_is_not_kept_in_the_same_message(language):
    secret, request = REQUESTS[language]
    user, agent = stored(f"{secret} {request}", "Noted: 90k.")
    assert "90k" not in user + agent
    assert NOT_KEPT in user


@pytest.mark.parametrize("language", REQUESTS)
def test_what_a_request_is_about_is_not_kept_in_the_message_before(language):
    secret, request = REQUESTS[language]
    texts = stored("I use Postgres.", "Good.", secret, "90k is fine. What else?", request, "Ok, not 90k.")
    assert texts == ["I use Postgres.", "Good.", NOT_KEPT, f"{NOT_KEPT} What else?", request, NOT_KEPT]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Don't save this: my salary is 90k", NOT_KEPT),
        ("No guardes esto: gano 90k", NOT_KEPT),
        ("My salary is 90k, please don't save that", NOT_KEPT),
        (
            "I live in Rome. Don't remember that I earn 90k. I like tea.",
            f"I live in Rome. {NOT_KEPT} I like tea.",
        ),
        ("Don't save this: the codes are\n```\n90k\n```", NOT_KEPT),
        ("Don't save the file yet. The limit is 90k.", "Don't save the file yet. The limit is 90k."),
        ("How do I save 90k rows?", "How do I save 90k rows?"),
    ],
)
def test_only_the_sentences_that_are_asked_for_go(text, left):
    assert stored(text) == [left]
    assert has_private_sentences(text) == (left != text)


def test_a_new_question_after_a_request_stays():
    texts = stored(
        "My salary is 90k.", "I see.", "Don't remember that. How is the weather in Rome?", "Rain in Rome."
    )
    assert texts[2:] == ["Don't remember that. How is the weather in Rome?", "Rain in Rome."]


def test_a_request_about_everything_takes_all_that_was_said_before():
    texts = stored(
        "I have diabetes.", "I see.", "My salary is 90k.", "I see.", "Forget everything I said.", "Done."
    )
    assert texts[::2] == [NOT_KEPT, NOT_KEPT, "Forget everything I said."]


def test_calls_and_results_stay_in_pairs():
    messages = [
        *said("Don't save this: my salary is 90k. Compute the tax."),
        Message(
            "assistant", (ReasoningPart("90k is much.", {"x": 1}), ToolCall("c1", "tax", '{"of": "90k"}'))
        ),
        Message("tool", (ToolResult("c1", "rate 30 %\nof 90k\n"),)),
        Message("assistant", (ToolCall("c2", "ls", '{"path": "src"}'), TextPart("All done."))),
    ]
    user, call, result, last = withhold(messages)
    assert user.text == NOT_KEPT
    assert call.parts == (ReasoningPart(NOT_KEPT, {}), ToolCall("c1", "tax", "{}"))
    assert result.parts == (ToolResult("c1", f"rate 30 %\n{NOT_KEPT}\n"),)
    assert last == messages[-1]


def test_an_exchange_is_cut_on_both_sides():
    assert withhold_exchange("Don't save this: my salary is 90k", "90k it is. Bye.") == (
        NOT_KEPT,
        f"{NOT_KEPT} Bye.",
    )
    assert withhold_exchange("My salary is 90k", None) == ("My salary is 90k", None)


def test_a_turn_of_which_something_was_not_kept_stays_private():
    assert private_turns([NOT_KEPT, "I like tea"]) == {0}


sentences = st.sampled_from(
    [text for pair in REQUESTS.values() for text in pair] + ["I like tea.", "Hm: 90k?", "\n"]
)
texts = st.lists(sentences, min_size=1, max_size=4).map(" ".join)


@given(st.lists(texts, max_size=6))
def test_doing_it_again_changes_nothing_and_no_message_is_lost(conversation):
    messages = said(*conversation)
    once = withhold(messages)
    assert [message.role for message in once] == [message.role for message in messages]
    assert withhold(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "Don't store that, use a set.",
        "Do not keep these; print them.",
        "No need to save this, just return it.",
        "olvida eso, usa tabs",
        "vergiss das, nimm Tabs",
        "забудь это, используй табы",
    ],
)
def test_what_a_program_is_not_to_store_is_kept(text):
    assert withhold_exchange(text, "Done: tabs and a set.") == (text, "Done: tabs and a set.")


@pytest.mark.parametrize("text", ["Don't save this, my salary is 90k.", "Don't keep this, delete it."])
def test_a_request_that_gives_its_reason_is_one(text):
    assert withhold_exchange(text, None) == (NOT_KEPT, None)
