"""The language of a query, and the words of it that are ignored."""

import pytest

from memtool.core.search.query import parse_query, prompt_query


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is the kiln", "en"),
        ("war and peace", "en"),
        ("Was hat man an der Wand gefunden", "de"),
        ("Wo wohnt Anna?", "de"),
        ("dónde está la llave", "es"),
        ("Où est la clé?", "fr"),
        ("Dove sono le chiavi?", "it"),
        ("Onde estão as chaves?", "pt"),
        ("Anahtar nerede ve kimin?", "tr"),
        ("chìa khóa ở đâu", "vi"),
        ("celadon glaze", ""),
        ("la ruta", ""),
        ("Zażółć gęślą jaźń", "other"),
        ("где ключ?", ""),
        ("钥匙在哪里", ""),
        ("", ""),
    ],
)
def test_function_words_tell_the_language_of_a_query(text, language):
    assert parse_query(text).language == prompt_query(text).language == language


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Welche Farbe hat die Tür?", ["farbe", "tur"]),
        ("Who won the war?", ["won", "war"]),
        ("¿Cuál es el color de la puerta?", ["color", "puerta"]),
        ("Какого цвета дверь?", ["цвета", "дверь"]),
        ("Τι χρώμα έχει η πόρτα;", ["χρωμα", "πορτα"]),
        ("ما هو لون الباب؟", ["لون", "الباب"]),
        ("Kapının rengi ne ve neden?", ["kapinin", "rengi"]),
        ("门是什么颜色？", ["门是", "颜色"]),
        ("什么", ["什么"]),
        ("der die das", ["der", "die", "das"]),
    ],
)
def test_function_words_of_its_language_are_not_searched(text, words):
    assert [item.text for item in parse_query(text).words] == words
