"""Sentences of ten languages and the category of the entry that each makes."""

from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.capture import message_sentences
from memtool.core.capture.languages.correction_signs import RETRACTION_SIGNS
from memtool.core.capture.languages.retractions import JOKES, JOKES_AT_END, RETRACTIONS
from memtool.core.capture.languages.tables import LANGUAGES
from memtool.core.capture.scan import scan_message
from memtool.core.capture.statement_model import SentenceClasses

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
TABLES = Path(__file__).parent / "sentences"


def sentences(language):
    lines = (TABLES / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def categories(message):
    return [found.entry.category for found in scan_message(message, NOW)]


REQUESTS = (TABLES / "requests_and_descriptions.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_makes_an_entry_of_its_category(language):
    rows = [row for row in sentences(language) if row[0] != "nothing"]
    made = [(category, message, categories(message)) for category, message in rows]
    assert [row for row in made if row[0] not in row[2]] == []


NOTHING = {name: [text for category, text in sentences(name) if category == "nothing"] for name in LANGUAGES}


@pytest.mark.parametrize(
    "messages", [*NOTHING.values(), REQUESTS], ids=[*LANGUAGES, "requests and descriptions"]
)
def test_a_description_or_a_request_has_no_trigger(messages, monkeypatch):
    monkeypatch.setattr(message_sentences, "classify", lambda _: SentenceClasses({}))
    assert [(message, made) for message in messages if (made := categories(message))] == []


def test_few_descriptions_and_requests_are_taken_for_instructions_by_odds():
    messages = [*chain(*NOTHING.values()), *REQUESTS]
    made = [message for message in messages if categories(message)]
    assert len(made) <= 0.04 * len(messages), made


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_sentences_enough(language):
    rows = sentences(language)
    assert sum(category != "nothing" for category, _ in rows) >= 8
    assert sum(category == "nothing" for category, _ in rows) >= 5


@pytest.mark.parametrize(
    "message",
    [
        "I prefer short answers, can you help me with this?",
        "Prefiero respuestas cortas, ¿puedes ayudarme?",
        "Ich bevorzuge kurze Antworten, kannst du mir helfen?",
        "Je préfère les réponses courtes, peux-tu m'aider ?",
        "Я предпочитаю короткие ответы, можешь помочь?",
        "我喜欢简短的回答，你能帮我吗？",
    ],
)
def test_a_clause_before_a_question_states_a_preference(message):
    assert categories(message) == ["preference"]


@given(st.data())
@pytest.mark.parametrize("pattern", [RETRACTIONS, JOKES, JOKES_AT_END])
def test_what_takes_a_sentence_back_has_a_sign_of_it(pattern, data):
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    assert any(sign in text for sign in RETRACTION_SIGNS)
