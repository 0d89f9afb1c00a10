import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.duplicates import DuplicateIndex, comparison_key, jaccard
from memtool.core.records.entries import Fact, Owner
from memtool.core.text.folding import fold
from memtool.core.text.tokenizer import word_set

ANNA, BOB = Owner("user", "anna"), Owner("user", "bob")


def fact(detail, owner=None, category="preference"):
    return Fact(category, detail, owner)


def already_says(new, lines):
    return DuplicateIndex(lines).contains(new)


@pytest.mark.parametrize(
    ("new", "line"),
    [
        ("I like tea", "I like tea"),
        ("i LIKE  tea!", "I like tea."),
        ("I don’t like tea", "I don't like tea"),
        ("Cafe\u0301 au lait", "café au lait"),
        ("我怕狗", "我 怕狗。"),
        ("!!!", "!!!"),
        (
            "I prefer short answers with code examples and links to the docs where possible",
            "I prefer short answers with code examples and links to docs where possible",
        ),
    ],
)
def test_what_reads_the_same_is_no_news(new, line):
    assert already_says(fact(new), [fact("Something else"), fact(line)])


@pytest.mark.parametrize(
    ("new", "line"),
    [
        ("I like tea", "I like teamwork"),
        ("I like tea", "I like tea and coffee"),
        ("I like tea and coffee", "I like tea"),
        ("我怕狗", "狗怕我"),
        ("I like C++", "I like C#"),
        ("I like 🍎", "I like 🍊"),
        ("Use v2.0.4", "Use v2.4.0"),
        ("Due 2025-06-07", "Due 2025-07-06"),
        ("It is -5", "It is 5"),
        (
            "The weekly meeting with the whole team of the project is always at 10 in the morning",
            "The weekly meeting with the whole team of the project is always at 11 in the morning",
        ),
        (
            "I want to be called by phone in the evening when the server is down for long",
            "I want not to be called by phone in the evening when the server is down for long",
        ),
        ("...", "!!!"),
    ],
)
def test_what_says_something_else_is_news(new, line):
    assert not already_says(fact(new), [fact(line)])


LONG_LINES = {
    "en": "Remember that on every working day of the week Anna "
    "leaves two keys for my neighbour on the upper shelf",
    "uz": "Eslab qol har ish kuni ertalab Anna qo'shnim "
    "uchun ikkita kalitni yuqori tokchada sumka yonida qoldiradi",
    "ru": "Запомни что каждый рабочий день утром Анна оставляет для "
    "моего соседа два ключа на верхней полке в шкафу",
    "es": "Recuerda que cada día de la semana por la mañana "
    "Ana deja dos llaves para mi hermano en la mesa alta",
    "de": "Merk dir dass Anna an jedem Tag der Woche die "
    "zwei Schlüssel für meinen Nachbarn auf das obere Regal legt",
    "fr": "Retiens que chaque jour de la semaine Anna laisse deux "
    "clés pour mon voisin dans le sac sur la haute table",
    "pt": "Lembra que em cada dia da semana a Ana deixa as duas chaves para o meu irmão na mesa alta da sala",
    "tr": "Unutma her iş günü sabah erken Anna komşum için "
    "iki anahtarı evde mutfakta ve üst rafta çanta ile bırakır",
    "zh": "请记住每个工作日的早上安娜都会把我邻居的两把钥匙放在厨房柜子的上层架子上面",
    "ja": "毎朝アンナさんは隣の人のために二本の鍵を台所の上の棚に置いていくことを覚えておいてください",
}
CHANGES = {
    "en": [("upper", "lower"), ("two", "three"), ("leaves", "never leaves"), ("shelf", "shelf outside")],
    "uz": [("yuqori", "pastki"), ("ikkita", "uchta"), ("qoldiradi", "qoldirmaydi"), ("sumka", "katta sumka")],
    "ru": [("верхней", "нижней"), ("два", "три"), ("оставляет", "не оставляет"), ("шкафу", "шкафу спальни")],
    "es": [
        ("alta", "baja"),
        ("dos", "tres"),
        ("deja", "no deja"),
        ("hermano", "hermana"),
        ("mesa", "mesa azul"),
    ],
    "de": [("obere", "untere"), ("zwei", "drei"), ("auf", "nicht auf"), ("Regal", "Regal draußen")],
    "fr": [("haute", "basse"), ("deux", "trois"), ("laisse", "ne laisse"), ("sac", "sac bleu")],
    "pt": [
        ("alta", "baixa"),
        ("duas", "três"),
        ("deixa", "não deixa"),
        ("irmão", "irmã"),
        ("mesa", "mesa azul"),
    ],
    "tr": [("üst", "alt"), ("iki", "üç"), ("bırakır", "bırakmaz"), ("çanta", "mavi çanta")],
    "zh": [("上层", "下层"), ("两把", "三把"), ("都会", "都不会"), ("柜子", "红柜子")],
    "ja": [("上の", "下の"), ("二本", "三本"), ("いく", "いかない"), ("棚", "赤い棚")],
}


@pytest.mark.parametrize(
    ("language", "old", "new"), [(name, *change) for name, rows in CHANGES.items() for change in rows]
)
def test_lines_that_differ_in_a_number_a_negation_or_a_content_word_are_news(language, old, new):
    line = LONG_LINES[language]
    changed = line.replace(old, new, 1)
    assert changed != line
    assert not already_says(fact(changed), [fact(line)])
    assert not already_says(fact(line), [fact(changed)])


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("en", "the week", "a week"),
        ("en", "leaves", "left"),
        ("en", "keys", "key"),
        ("ru", "полке", "полку"),
        ("es", "la mesa", "mesa"),
        ("de", "die zwei", "zwei"),
        ("fr", "la haute", "haute"),
        ("pt", "o meu", "meu"),
    ],
)
def test_lines_that_differ_in_function_words_and_inflections_alone_are_duplicates(language, old, new):
    line = LONG_LINES[language]
    changed = line.replace(old, new, 1)
    assert changed != line
    assert already_says(fact(changed), [fact(line)])
    assert already_says(fact(line), [fact(changed)])


@pytest.mark.parametrize(("left", "right"), [("I do like", "I dont like"), ("I like", "I don’t like")])
def test_a_contraction_with_not_is_a_negation(left, right):
    end = "to be called by phone in the evening when the server is down for long"
    assert not already_says(fact(f"{left} {end}"), [fact(f"{right} {end}")])


def test_anothers_identical_fact_is_news():
    assert not already_says(fact("I like tea", ANNA), [fact("I like tea", BOB), fact("I like tea")])
    assert not already_says(fact("I like tea"), [fact("I like tea", BOB)])
    assert already_says(fact("I like tea", ANNA), [fact("I like tea", BOB), fact("I like tea", ANNA)])


def test_a_fact_known_under_another_category_is_no_news():
    assert already_says(fact("I like tea", category="remember"), [fact("I like tea")])


def test_a_fact_that_is_added_is_no_news_however_often_it_comes():
    facts = [
        fact("I like tea"),
        fact("I like tea!", category="remember"),
        fact("I like rum"),
        fact("i like TEA"),
    ]
    lines = DuplicateIndex([fact("I like rum")])
    assert [lines.contains(each) for each in facts] == [False, False, True, False]
    lines.add(facts[0])
    assert all(lines.contains(each) for each in facts)


def test_a_key_sees_neither_case_nor_spacing_nor_punctuation():
    assert comparison_key("I like, tea.") == comparison_key(" i LIKE\ttea") != comparison_key("I like teas")
    assert comparison_key("") == ""


WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "eta",
    "theta",
    "我",
    "怕",
    "狗",
    "我怕 狗",
    "รักชา",
    "မြန်မာ",
    "カー",
    "3.5",
    "not",
    "c++",
    "🍎",
]
words = st.lists(
    st.sampled_from(WORDS),
    max_size=25,
)


@given(words, words)
def test_saying_is_mutual(left, right):
    new, line = fact(" ".join(left)), fact(" ".join(right))
    assert already_says(new, [line]) == already_says(line, [new])


@given(st.text())
def test_every_fact_says_itself(text):
    assert already_says(fact(text), [fact(text)])
    assert already_says(fact(fold(text)), [fact(text)])


@given(
    st.lists(st.sampled_from(["the", "a", "of", "to", "in", "on", "at", "for", "with", "is"]), unique=True),
    st.data(),
)
def test_jaccard_of_085_is_where_it_turns(tokens, data):
    kept = tokens[: data.draw(st.integers(0, len(tokens)))]
    shared = len(kept) / len(tokens) if tokens else 1
    if kept and tokens:
        assert already_says(fact(" ".join(kept)), [fact(" ".join(tokens))]) == (shared >= 0.85)


@pytest.fixture(scope="module")
def indexed():
    """The lines of many owners, asked so often that an index is made of them."""
    said = DuplicateIndex([fact(f"line {number}", BOB) for number in range(2_000)])
    for _ in range(100):
        assert not said.contains(fact("line 1", ANNA))
    return said


OWNERS = (Owner("user", f"u{number}") for number in itertools.count())


@given(st.lists(st.text("ab c1", max_size=12).filter(str.strip), max_size=40), st.text("ab c1", min_size=1))
def test_the_index_of_many_lines_answers_as_looking_at_each(indexed, lines, asked):
    owner = next(OWNERS)
    facts = [fact(line, owner) for line in lines]
    few = DuplicateIndex(facts)
    for line in facts:
        indexed.add(line)
    for detail in (asked, *lines, f"{asked} not", f"{asked} b"):
        new = fact(detail, owner)
        assert indexed.contains(new) == few.contains(new)
        few.add(new)
        indexed.add(new)


def test_jaccard_is_what_is_shared_of_all():
    assert jaccard(word_set("I like tea"), word_set("i LIKE tea!")) == 1
    assert jaccard(word_set("I like tea"), word_set("I like teamwork")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 0
