"""A question of the past that a prompt asks again is left out."""

from __future__ import annotations

import pytest

from memtool.core.context.context import PromptSnippet
from memtool.core.context.messages import PastMessage
from memtool.core.context.repeated_questions import repeats_question, says_more
from memtool.core.context.retrieved import RetrievedMemory
from memtool.core.search.query import prompt_query

PROMPT = "Which city do I live in now?"
ASKED = "user: which city do I live in now? — agent: OK, noted."
FACT = "I live in Bergen."


def message(number, text, reply=""):
    order = ("2025-01-15", number, 0)
    return PastMessage(f"turns/{number}.json", 7, "2025-01-15", "user", text, order, 1.0, reply, "assistant")


def chunk(text, role="episode"):
    return PromptSnippet("group", f"{role}.md", f"{role}.md", role, 1, 1, text, 0, 1.0)


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        (PROMPT, True),
        ("user: where do I live?", True),
        ("which city do I live in", True),
        ("I live in the city.", False),
        ("Which city do I live in, Bergen?", False),
        ("I moved. Which city do I live in now?", False),
    ],
)
def test_a_question_repeats_another_that_has_all_of_its_words(text, repeats):
    assert repeats_question(text, PROMPT) is repeats
    assert not repeats_question(text, "I live in the city.")


def shown(snippets=(), messages=(), room=60):
    memory = RetrievedMemory(prompt_query(PROMPT), tuple(snippets), tuple(messages))
    return [snippet.text for snippet in memory.select(room, "").snippets]


def test_a_chunk_of_repeated_questions_is_left_out():
    assert shown([chunk(ASKED), chunk(FACT, "note")], room=500) == [FACT]
    assert shown([chunk(f"{ASKED}\n{FACT}"), chunk(FACT, "note")], room=500)[0].startswith("user: which")


def test_a_message_that_only_repeats_the_question_is_left_out():
    asked, stated = message(1, PROMPT, "OK, noted."), message(2, FACT)
    assert shown(messages=[asked, stated]) == [FACT]
    assert shown(messages=[asked, stated], room=500) == [FACT]
    assert shown(messages=[asked], room=500) == []


@pytest.mark.parametrize(
    "text",
    ["Did you know I moved to Bergen?", "user: do you know that we moved to Bergen?", "You know I moved?"],
)
def test_a_question_that_tells_something_is_none(text):
    assert not repeats_question(text, "Did I, as you know, move to Bergen?")
    assert repeats_question("Did I move to Bergen?", "When did I move to Bergen?")


def test_a_question_whose_reply_answers_stays_where_it_is():
    for reply in ("You live there by the harbour.", "That is Bergen, by the harbour."):
        asked = message(1, PROMPT, reply)
        assert shown(messages=[asked, message(2, FACT)], room=60) == [PROMPT]
    answered = "user: where do I live? — agent: In Bergen."
    assert shown([chunk(answered), chunk(FACT, "note")], room=500) == [answered, FACT]


@pytest.mark.parametrize(
    ("reply", "answers"),
    [
        ("In the old harbour.", True),
        ("Bergen.", True),
        ("OK, noted.", False),
        ("Sorry, nothing found.", False),
        ("Thanks!", False),
        ("", False),
    ],
)
def test_a_repeated_question_is_shown_with_a_short_reply_that_answers(reply, answers):
    memory = RetrievedMemory(prompt_query(PROMPT), (), (message(1, PROMPT, reply),))
    shown_replies = [snippet.reply for snippet in memory.select(8_000, "").snippets]
    assert shown_replies == ([f"assistant: {reply}"] if answers else [])


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Which bank do I use?", False),
        ("**User:** Which bank do I use?\n**Agent:** I don't know which bank you use, sorry.", False),
        ("I have no information on which bank you use.", False),
        ("**User:** Which bank do I use?\n**Agent:** Nordea.", True),
        ("My bank is in Leeds", True),
        ("I use the bank in the high street", True),
    ],
)
def test_a_text_says_more_than_a_question_if_it_has_other_words_than_a_reply_without_an_answer(text, more):
    assert says_more(text, "Which bank do I use?") is more
