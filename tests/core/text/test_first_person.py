"""Which sentences are about their speaker: by pronouns, and by endings where a language leaves them out."""

from __future__ import annotations

import pytest

from memtool.core.text.first_person import has_first_person, is_about_speaker


@pytest.mark.parametrize(
    "sentence",
    [
        "I pray five times a day.",
        "Meine Knie sind kaputt.",
        "J'habite à Lyon.",
        "Nací en Oaxaca.",
        "No como cerdo.",
        "Tenho medo de voar.",
        "Работаю по ночам.",
        "Ankara'da yaşıyorum.",
        "Kızımın adı Elif.",
        "Toshkentda yashayman.",
        "我不吃猪肉。",
        "豚肉は食べません。",
    ],
)
def test_a_statement_about_its_speaker(sentence):
    assert is_about_speaker(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello there.",
        "Make it friendlier.",
        "The invoice is due on Monday.",
        "Das ist gut.",
        "Escribe un correo.",
        "Напиши письмо.",
        "Bir mektup yaz.",
        "Xat yoz.",
        "手紙を書いてください。",
        "Two men talked with Ben about the EU.",
    ],
)
def test_a_request_or_a_remark_on_something_else(sentence):
    assert not is_about_speaker(sentence)


def test_a_pronoun_in_an_object_tells_nothing_in_a_prompt():
    assert not has_first_person("Schick mir die Liste.")
    assert is_about_speaker("Mir wird beim Lesen schlecht.")
