"""Sentences that say how old somebody is or has turned: which statements of an age they supersede."""

from __future__ import annotations

import pytest

from tests.verbs.capture.test_corrected_memory import current, say, tree

MAEVE = "My granddaughter Maeve is nine"
CALLUM = "My son Callum is 15 years old and plays chess"
LENA = "Meine Tochter Lena ist neun"
ANA = "Mi hija Ana tiene treinta y nueve años"
ZOE = "Ma fille Zoé a neuf ans"

OLDER = [
    (MAEVE, "Maeve turned ten on Saturday", "granddaughter Maeve is ten"),
    (MAEVE, "Maeve just turned ten.", "granddaughter Maeve is ten"),
    (MAEVE, "On Saturday, Maeve turned ten!", "granddaughter Maeve is ten"),
    (MAEVE, "My granddaughter Maeve is ten", "granddaughter Maeve is ten"),
    (MAEVE, "Maeve is 10 years old now", "granddaughter Maeve is 10"),
    (MAEVE, "Actually, Maeve is eight.", "granddaughter Maeve is eight"),
    (CALLUM, "Callum turned sixteen yesterday", "Callum is sixteen years old and plays chess"),
    (CALLUM, "My son Callum turned 16 in May", "Callum is 16 years old and plays chess"),
    ("Our baby Tom is nine months old", "Tom turned one on Friday", "baby Tom is one"),
    ("My wife is thirty-nine", "My wife turned forty last week", "My wife is forty"),
    (LENA, "Lena ist gestern zehn geworden", "Tochter Lena ist zehn"),
    (LENA, "Am Samstag ist Lena zehn geworden.", "Tochter Lena ist zehn"),
    (LENA, "Lena wurde heute 10", "Tochter Lena ist 10"),
    (ANA, "Ana cumplió cuarenta ayer", "Ana tiene cuarenta años"),
    (ANA, "Ana ya tiene cuarenta y un años", "Ana tiene cuarenta y un años"),
    (ZOE, "Zoé a eu dix ans samedi", "Zoé a dix ans"),
    (ZOE, "Zoé vient d'avoir dix ans", "Zoé a dix ans"),
]


@pytest.mark.parametrize(("known", "said", "new"), OLDER)
def test_somebody_who_turned_another_age_has_it(tmp_path, known, said, new):
    root = tree(tmp_path, (known,))
    assert say(root, said, 1).superseded
    (statement,) = current(root)
    assert new in statement


SAME = [
    (MAEVE, "Maeve is eight"),
    (MAEVE, "Maeve turned eight yesterday"),
    (MAEVE, "Maeve turned ten in 2019"),
    (MAEVE, "Maeve turned ten last year"),
    (MAEVE, "Maeve turns ten on Saturday"),
    (MAEVE, "Maeve is ten minutes late"),
    (MAEVE, "Maeve turned down ten offers"),
    (MAEVE, "If Maeve turned ten, we would have a party"),
    (MAEVE, "My neighbour Maeve turned ten"),
    (MAEVE, "Callum turned ten yesterday"),
    (MAEVE, "My niece turned ten yesterday"),
    ("Maeve's cat is nine", "Maeve turned ten yesterday"),
    ("My daughter Maeve Doyle is nine", "Maeve turned ten yesterday"),
    ("Maeve is nine weeks pregnant", "Maeve turned thirty yesterday"),
    ("Maeve is nine and a half", "Maeve turned nine in May"),
    (LENA, "Lena ist nicht zehn geworden"),
    (LENA, "Lena ist zehn Kilometer gelaufen"),
    (ANA, "Ana tiene cuarenta gatos"),
    (ANA, "Ana va a cumplir cuarenta años"),
    (ZOE, "Zoé a dix chats"),
    (ZOE, "Zoé aura dix ans samedi"),
]


@pytest.mark.parametrize(("known", "said"), SAME)
def test_an_age_stays_beside_a_sentence_that_gives_that_person_no_higher_one(tmp_path, known, said):
    root = tree(tmp_path, (known,))
    before = current(root)
    assert not say(root, said, 1).superseded
    assert before
    assert {*before} <= {*current(root)}
