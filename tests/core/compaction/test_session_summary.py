"""What a session was about: what the user wanted, what was decided, what is open; and its themes."""

from __future__ import annotations

import pytest

from memtool.core.compaction.session_summary import session_themes, summarize_session
from memtool.core.records.turn import Message, TextPart


def talk(*said):
    return [
        Message("assistant" if number % 2 else "user", (TextPart(text),)) for number, text in enumerate(said)
    ]


TALK = talk(
    "Hi! Can you help me find out why the payment API times out? It began in May.",
    "I am sorry to hear that. Let me look at the logs. Which region is it?",
    "Frankfurt. The checkout service calls the payment API.",
    "I am sorry for the confusion. The checkout service opens a connection for every call.",
    "Ok, let's reuse connections with a pool of 50.",
    "That is a good idea, I will write it down.",
    "Draft a note for the team.",
    "Here is the note: we reuse connections from today on.",
    "Who owns the dashboard?",
    "I don't know who owns the dashboard.",
    "Thanks a lot!",
    "You are welcome. Anything else I can help you with?",
)


def test_what_was_wanted_decided_and_left_open_stand_under_their_titles():
    text = summarize_session(TALK, 600)
    wanted, _, rest = text.removeprefix("Requests:\n").partition("\nDecisions:\n")
    decided, _, rest = rest.partition("\nOpen questions:\n")
    assert wanted.split("\n") == [
        "- user: Can you help me find out why the payment API times out?",
        "- user: Draft a note for the team.",
    ]
    assert decided == "- user: Ok, let's reuse connections with a pool of 50."
    assert rest.startswith("- user: Who owns the dashboard? — agent: I don't know who owns the dashboard.")


@pytest.mark.parametrize(
    "text",
    [
        "I prefer short answers.",
        "I'm allergic to hazelnuts.",
        "My favourite glaze is celadon.",
        "My sister hates coriander.",
        "I never eat meat.",
        "Remember that my mother lives in Graz.",
        "Actually, my name is Nilufar.",
    ],
)
def test_preferences_and_facts_are_no_decisions(text):
    summary = summarize_session(talk(text, "Noted.", "Let's use the small kiln.", "Fine."), 600)
    assert summary == f"Decisions:\n- user: Let's use the small kiln.\nOther statements:\n- user: {text}"


def test_requirements_and_changed_decisions_are_decisions():
    for text in ("The pool must hold 50 connections.", "Actually, make it 12 mugs."):
        assert summarize_session(talk(text, "Noted."), 600) == f"Decisions:\n- user: {text}"


def test_courtesies_are_left_out():
    text = summarize_session(TALK, 600)
    for courtesy in ("sorry", "Thanks", "welcome", "Anything else", "Hi!"):
        assert courtesy not in text


@pytest.mark.parametrize(
    ("wanted", "decided", "question", "answer"),
    [
        (
            "Ich möchte eine Reise planen.",
            "Wir nehmen den Zug.",
            "Was kostet der Zug?",
            "Das weiß ich nicht.",
        ),
        ("Quiero planear un viaje.", "Vamos con Tiflis en tren.", "¿Cuánto cuesta el tren?", "No sé."),
        ("Помоги спланировать поездку.", "Мы решили ехать.", "Сколько стоит поезд?", "Не знаю."),
        ("Menga sayohat rejasi kerak.", "Qaror qildik, boramiz.", "Poyezd qancha turadi?", "Bilmayman."),
    ],
)
def test_in_other_languages(wanted, decided, question, answer):
    rows = summarize_session(talk(wanted, "1", decided, "2", question, answer), 600).split("\n")
    assert rows.index("Requests:") < rows.index(f"- user: {wanted}") < rows.index("Decisions:")
    assert rows.index("Decisions:") < rows.index(f"- user: {decided}")
    assert f"- user: {question} — agent: {answer}" in rows


def test_themes_are_names_and_nouns_that_come_again_and_no_months():
    assert session_themes(TALK)[0] == "payment API"
    assert "May" not in session_themes(TALK)


def test_nothing_is_longer_than_the_room():
    for most in (0, 30, 90, 300):
        assert len(summarize_session(TALK, most)) <= most
