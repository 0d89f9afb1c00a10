"""scan: corrections that give another value in the words of a fact, and the notice of those that do not."""

from __future__ import annotations

import shlex
from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.formats import semantic
from memtool.verbs.capture.scan import scan
from memtool.verbs.capture.scan_notices import scan_notices
from tests.trees import NOW, make, memtool, opened

FACTS = "memory/semantic/facts.md"


def told(folder, *messages):
    """The facts after these messages, and the notices of the last one."""
    root = make(folder / "w", {"memtool.toml": 'layout = "native"\n', FACTS: "# Facts\n\n"})
    notices = []
    for minute, message in enumerate(messages):
        now = NOW + timedelta(minutes=minute)
        report = scan(opened(root), message, now=now, owner=None, triggers=DEFAULT_TRIGGERS)
        notices = scan_notices(opened(root), report, None, None)
    records = semantic.records(semantic.parse((root / FACTS).read_text()))
    return [(found.fact.quote or "").rstrip(".") for found in records if not found.superseded], notices


@pytest.mark.parametrize(
    ("known", "correction", "after"),
    [
        (
            "We fence every Monday evening.",
            "Actually, we fence on Fridays now, not Mondays.",
            "We fence every Friday evening",
        ),
        (
            "We fence every Monday evening.",
            "Actually, we fence on Fridays now, not on Mondays.",
            "We fence every Friday evening",
        ),
        (
            "Ich gehe jeden Freitag zum Turnen.",
            "Eigentlich gehe ich montags zum Turnen, nicht freitags.",
            "Ich gehe jeden Montag zum Turnen",
        ),
        (
            "I mended nets for ten years and retired in April 2020.",
            "Actually, I retired in 2018.",
            "I mended nets for ten years and retired in 2018",
        ),
        (
            "My aunt was born in 1931 in Riga.",
            "Actually, my aunt was born in 1933.",
            "My aunt was born in 1933 in Riga",
        ),
        ("I ride a black Yamaha.", "Actually, it's a white Yamaha.", "I ride a white Yamaha"),
        (
            "Ich fahre einen schwarzen Skoda.",
            "Eigentlich ist es ein roter Skoda.",
            "Ich fahre einen roten Skoda",
        ),
        ("I ride a white Yamaha.", "Actually, it's a silver Yamaha.", "I ride a silver Yamaha"),
        ("Je conduis une Fiat noire.", "En fait, c'est une Fiat blanche.", "Je conduis une Fiat blanche"),
        ("Our dog Pim turned four last week.", "Actually, Pim is five.", "Our dog Pim turned five last week"),
        (
            "My main sponsor is Falkenberg in Aarhus.",
            "Actually, my main sponsor is Dreyer in Odense.",
            "My main sponsor is Dreyer in Odense",
        ),
    ],
)
def test_another_value_in_the_words_of_a_fact_replaces_it(tmp_path, known, correction, after):
    facts, notices = told(tmp_path, known, correction)
    assert facts == [after]
    assert not notices


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("I retired in April 2020.", "Actually, my husband retired in 2018."),
        ("My daughter Ida retired from handball in 2020.", "Actually, I retired in 2018."),
        ("I visited Riga in May 2018.", "Actually, I visited Riga in 2022 as well."),
        ("I married in 2001.", "Actually, I married again in 2012."),
        ("We fence every second Monday.", "Actually, we fence on Fridays."),
        ("The pool opens at 6 on Mondays.", "Actually, the pool opens at 8 on Sundays."),
        ("My rent was 400 in Riga.", "Actually, my rent was 600 in Oslo."),
        ("We have fenced since 2012.", "Actually, we fenced in 2015."),
        ("I ride a black Yamaha.", "Actually, my son rides a white Yamaha."),
        ("I ride a black Yamaha.", "Actually, it's a new Yamaha."),
        ("Our dog Pim turned four in 2019.", "Actually, Pim is nine."),
        ("My main sponsor is Falkenberg in Aarhus.", "Actually, my oldest sponsor is Dreyer in Odense."),
        ("Ich bin 2020 in Rente gegangen.", "Eigentlich ist meine Frau 2018 in Rente gegangen."),
        ("Je conduis une Fiat noire.", "En fait, ma sœur conduit une Fiat blanche."),
    ],
)
def test_what_may_be_true_beside_a_fact_leaves_it(tmp_path, known, other):
    facts, _ = told(tmp_path, known, other)
    assert known.rstrip(".") in " ".join(facts)


def test_of_two_facts_in_the_same_words_none_is_replaced(tmp_path):
    known = "I ride a black Yamaha.", "My brother sold me a black Yamaha."
    facts, _ = told(tmp_path, *known, "Actually, it's a white Yamaha.")
    assert {fact.rstrip(".") for fact in known} <= set(facts)


def test_an_explicit_correction_that_is_near_nothing_says_that_it_replaced_nothing(tmp_path):
    _, notices = told(tmp_path, "We fence every Monday.", "Actually, choir practice is on Thursdays.")
    (notice,) = notices
    assert "did not replace any statement in memory" in notice
    assert notice.endswith("(see memtool facts list)")


def test_the_notice_names_the_fact_in_the_same_words_and_no_other(tmp_path):
    messages = (
        "I mended nets for ten years and retired in April 2020.",
        "My niece Lea works as a vet in Riga.",
    )
    _, notices = told(tmp_path, *messages, "I retired in 2018.")
    (notice,) = notices
    assert "I mended nets" in notice
    assert "Lea" not in notice
    assert "forget" not in notice


def test_no_fact_is_named_that_shares_only_a_general_word(tmp_path):
    known = "We have thirty parrots in a little aviary."
    _, notices = told(tmp_path, known, "Oh wait, that was the old flat, we have a little house in Visby now.")
    assert "parrots" not in " ".join(notices)


def test_the_command_of_the_notice_has_the_text_put_right(tmp_path):
    known = "They come over every Monday after school and I bake waffles."
    _, notices = told(tmp_path, known, "The twins come on Fridays now, not Mondays.")
    command = notices[0].split(", run ")[1]
    words = shlex.split(command)
    root = tmp_path / "w"
    assert memtool(*words[1:], home=tmp_path, cwd=root).returncode == 0
    assert "They come over every Friday after school and I bake waffles" in (root / FACTS).read_text()
