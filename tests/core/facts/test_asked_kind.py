"""A question for a time, a place or a number is answered by what has one."""

from __future__ import annotations

import pytest

from memtool.core.facts.asked_kind import asked_kind, has_kind, shared_words


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
        ("¿Dónde trabajo?", "Trabajo en una tienda de mi tía", "Trabajo en una semana a la una"),
        ("Où je travaille ?", "Je travaille dans une école", "Je travaille dans une heure"),
        ("Where is my bike?", "My bike lives in one of the sheds", "I work at one on Fridays"),
        ("Wo bin ich?", "Ich ziehe in ein Haus", "Ich fange in einer Stunde an"),
        ("Wo ist mein Auto?", "Mein Auto steht vor der Kirche", "Mein Auto ist seit acht da"),
        ("Où vit ma mère ?", "Ma mère vit avec nous", "Ma mère ne vit plus"),
        ("How old was Nan?", "My nan died at ninety-two", "My nan died of a stroke"),
        ("How old is my nephew?", "My nephew is a boy of four", "My nephew lives at 19 High Street"),
        ("How old is Stan?", "Stan's over ninety", "Stan was in the navy for twenty years"),
        ("Wie alt ist mein Mann?", "Mein Mann ist Jahrgang 1970", "Mein Mann hat im Juni Geburtstag"),
        ("Wie alt wird mein Sohn?", "Mein Sohn wird im Mai drei", "Mein Sohn lernt seit drei Jahren Cello"),
        ("How many cats does Sam have?", "Sam has 12", "My cousin Sam earns 3000."),
        ("How many cars has Stan?", "Stan has two", "Stan was in the navy for twenty years"),
        ("What day is my class?", "My class is on Monday", "My class is in the gym"),
        ("Which city do I work in?", "I work in Graz", "I work hard"),
        ("How much does Neil pay?", "Neil pays 300 pounds", "Neil was born in 1970"),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question, answer, other):
    asked = asked_kind(question)
    assert asked is not None
    assert has_kind(answer, asked)
    assert not has_kind(other, asked)


@pytest.mark.parametrize(
    ("question", "text", "shared"),
    [
        ("How much do I owe my brother?", "I owe my brother a grand", {"owe"}),
        ("Where does my aunt live?", "My aunt lives two streets away", {"live"}),
        ("¿Dónde trabaja mi hermano?", "Mi hermano trabajó fuera", {"trabaja"}),
        ("How many daughters do I have?", "I have no daughters", {"daughter", "have"}),
        ("How old was Nan when she emigrated?", "Nan emigrated late in life", {"emigr"}),
        ("How old is my nan?", "My nan is a judge", set()),
        ("How old is my brother Neil?", "My brother Neil likes old cars", set()),
        ("Where does Callum work?", "Callum wore a jumper", set()),
    ],
)
def test_words_for_a_person_and_those_that_ask_are_not_shared(question, text, shared):
    asked = asked_kind(question)
    assert asked is not None
    assert shared_words(text, asked) == shared


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
