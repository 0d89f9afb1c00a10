"""A question for a time, a place or a number is answered by what has one."""

from __future__ import annotations

import pytest

from memtool.core.facts.asked_kind import asked_kind, has_kind


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("When do I start work?", "I start work at five", "I work as a baker"),
        ("Do you remember when my shift starts?", "My shift starts before dawn", "My shift is hard"),
        ("Wann fange ich an?", "Ich fange um halb fünf an", "Ich arbeite als Bäcker"),
        ("¿Cuándo empiezo?", "Empiezo al amanecer los lunes", "Trabajo como panadera en una tienda"),
        ("Quand est-ce que je commence ?", "Je commence à midi", "Je ne suis pas boulangère"),
        ("Where do I work?", "I work at Brot & Co", "I work as a baker"),
        ("Where do the kids swim?", "The kids swim in the lake", "The kids swim on Thursdays"),
        ("Wo arbeite ich?", "Ich arbeite bei der Bahn", "Ich arbeite nicht mehr als Bäcker"),
        ("How old is Lena?", "My daughter Lena is nine", "My daughter Lena gets up at nine"),
        ("How old is my husband?", "My husband turned 40", "My husband earns 4000 euros"),
        ("How much is my rent?", "My rent is 950 euros", "My rent is too high"),
        ("How many bikes do I have?", "I have a bike", "I ride to work by bike"),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question, answer, other):
    asked = asked_kind(question)
    assert asked is not None
    assert has_kind(answer, asked)
    assert not has_kind(other, asked)


@pytest.mark.parametrize(
    "question",
    [
        "When I start work, what should I pack?",
        "Where we live is nice",
        "When and where was I born?",
        "What do I do?",
        "Cuando llego tarde, ¿qué hago?",
    ],
)
def test_a_clause_or_another_question_asks_for_no_kind(question):
    assert asked_kind(question) is None


def test_a_statement_in_another_language_or_of_a_label_may_have_any_kind():
    asked = asked_kind("Where do I live?")
    assert asked is not None
    assert has_kind("我住在杭州", asked)
    assert has_kind("My spare key: the blue pot", asked)


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("How old is Callum?", "Callum turned nine", "Callum likes sushi"),
        ("When does Callum swim?", "Callum swims Mondays", "Callum swims lengths"),
        ("Wie alt ist Jonas?", "Jonas wurde neun", "Jonas mag Nudeln"),
        ("¿Cuántos años tiene Nuria?", "Nuria cumple nueve", "Nuria come pescado"),
        ("Quel âge a Louise ?", "Louise, neuf ans", "Louise aime Paris"),
    ],
)
def test_a_statement_whose_words_tell_no_language_is_read_in_that_of_the_question(question, answer, other):
    asked = asked_kind(question)
    assert asked is not None
    assert has_kind(answer, asked)
    assert not has_kind(other, asked)


def test_a_statement_in_other_letters_may_have_any_kind():
    asked = asked_kind("How old is Yuki?")
    assert asked is not None
    assert has_kind("ユキは九歳です", asked)
