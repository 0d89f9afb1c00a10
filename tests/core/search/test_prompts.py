"""Prompts as queries: whether they are about the user, ask, and for how much."""

from __future__ import annotations

import pytest

from memtool.core.search.lexical import (
    NAME_FLOOR,
    PERSONAL_FLOOR,
    POSSESSION_FLOOR,
    PROMPT_FLOOR,
    QUESTION_FLOOR,
)
from memtool.core.search.prompts import (
    asks_about_former,
    asks_in_past_tense,
    breadth_of,
    floor_of,
    is_personal,
    is_question,
    prompt_queries,
)
from memtool.core.search.query import parse_query, prompt_query
from memtool.core.text.folding import search_fold

PERSONAL = [
    "where did I put the keys?",
    "wo habe ich meine Schlüssel hingelegt?",
    "où est-ce que j'ai mis mes clés ?",
    "¿dónde puse mis llaves?",
    "onde pus as minhas chaves?",
    "куда я положил мои ключи?",
    "где ключи от моей машины?",
    "anahtarlarımı ben nereye koydum?",
    "mening kalitlarim qayerda?",
    "我的钥匙在哪里？",
    "私の鍵はどこですか",
]
IMPERSONAL = [
    "how do keys work?",
    "wie funktioniert ein Schloss?",
    "comment marche une serrure ?",
    "как работает замок?",
    "锁是怎么工作的？",
    "鍵の仕組みは？",
    "write a poem about autumn",
]


@pytest.mark.parametrize("text", PERSONAL)
def test_a_prompt_about_the_user(text):
    assert is_personal(text)
    assert floor_of(prompt_query(text)) is PERSONAL_FLOOR


@pytest.mark.parametrize("text", IMPERSONAL)
def test_a_prompt_about_anything_else(text):
    assert not is_personal(text)
    assert floor_of(prompt_query(text)) is (QUESTION_FLOOR if is_question(text) else PROMPT_FLOOR)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("and the kiln?", True),
        ("which kiln", True),
        ("welcher Ofen", True),
        ("какая печь", True),
        ("какой кот", True),
        ("窯は？", True),
        ("thanks, looks good", False),
        ("go on", False),
        ("now fix the kiln", False),
    ],
)
def test_a_question(text, asks):
    assert is_question(text) is asks


@pytest.mark.parametrize(
    ("text", "breadth"),
    [
        ("when is the kiln free?", "point"),
        ("what did you suggest for the kiln?", "reply"),
        ("was hast du zum Ofen gesagt?", "reply"),
        ("что ты советовал про печь?", "reply"),
        ("你建议用什么窑？", "reply"),
        ("in which order did we fire the bowls?", "order"),
        ("in welcher Reihenfolge haben wir gebrannt?", "order"),
        ("en qué orden se hicieron los cuencos?", "order"),
        ("в каком порядке мы обжигали миски?", "order"),
        ("我们烧碗的顺序是什么？", "order"),
        ("summarise what happened to the kiln", "summary"),
        ("résume ce qui s'est passé", "summary"),
        ("подытожь, что было с печью", "summary"),
        ("窯の話をまとめて", "summary"),
        ("总结一下窑的情况", "summary"),
    ],
)
def test_what_a_prompt_asks_for(text, breadth):
    assert breadth_of(text) == breadth


@pytest.mark.parametrize(
    ("prompt", "possession"),
    [
        ("What can I bake for my sister?", "sister"),
        ("Draft a note to my old boss about our kitchen, please", "old boss kitchen"),
        ("Read my letter to my aunt", "aunt"),
        ("Was kann ich für meine Schwester backen?", "schwester backen"),
        ("Que presente levo para minha avó no domingo?", "avo"),
        ("Что испечь моей сестре на праздник?", "сестре"),
        ("Quels sports conviennent à mon fils cet hiver ?", "fils"),
        ("Benim kedim için hangi kum iyidir?", "kedim"),
    ],
)
def test_one_query_of_a_prompt_is_what_the_user_has(prompt, possession):
    (query,) = [query for query in prompt_queries(prompt) if query.part == "possession"]
    assert query.text == possession
    assert floor_of(query) is POSSESSION_FLOOR


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Please write a card for Efua and Kofi Osei.", "Efua Kofi Osei"),
        ("Jonas wants a raise", "jonas"),
        ("tell me about jonas", "jonas"),
        ("Please fix the GnuCash import by Monday", "GnuCash"),
        ("Bitte schreib Kofi wegen der Lieferung", "bitte Kofi"),
        ("Écris un mot pour Margaux", "ecris Margaux"),
    ],
)
def test_the_last_query_of_a_prompt_is_its_names(prompt, names):
    *_, last = prompt_queries(prompt)
    assert (search_fold(last.text), last.part) == (search_fold(names), "names")
    assert [word[0].isupper() for word in last.text.split()] == [word[0].isupper() for word in names.split()]
    assert floor_of(last) is NAME_FLOOR


@pytest.mark.parametrize("prompt", ["how do I do it?", "Should it be on Tuesday?", "Das ist es."])
def test_a_prompt_of_function_words_has_no_names(prompt):
    assert not any(query.part == "names" for query in prompt_queries(prompt))


@pytest.mark.parametrize(
    "prompt", ["How do keys work?", "I lost it, where is mine?", "Is this my?", "My code throws an error"]
)
def test_a_prompt_that_names_nothing_of_the_user_has_no_such_query(prompt):
    assert not any(query.part == "possession" for query in prompt_queries(prompt))


def test_a_query_that_is_no_prompt_has_no_floor():
    assert floor_of(parse_query("where did I put the keys?")) is None


def test_a_courtesy_asks_nothing():
    assert [query.words for query in prompt_queries("Thank you.")] == [()]
    assert any(query.words for query in prompt_queries("Thank you. Who is Efua?"))


@pytest.mark.parametrize(
    "text",
    [
        "Who was my dentist before?",
        "where did I use to live",
        "my old car",
        "mein alter Zahnarzt",
        "Hieß mein Vermieter früher Bernard?",
        "¿Quién era mi dentista antes?",
        "Qui était mon ancien dentiste ?",
        "кто был моим прежним врачом",
    ],
)
def test_a_prompt_about_what_held_before_is_one(text):
    assert asks_about_former(text)
    assert asks_in_past_tense(text)


@pytest.mark.parametrize(
    "text", ["Where do I live?", "How old is my dog?", "Should I call before Friday?", "Wo wohne ich?"]
)
def test_a_prompt_about_what_holds_is_not_about_the_past(text):
    assert not asks_in_past_tense(text)


def test_a_prompt_in_the_past_tense_may_ask_about_what_holds():
    assert asks_in_past_tense("what was my dentist's name again?")
    assert not asks_about_former("what was my dentist's name again?")
