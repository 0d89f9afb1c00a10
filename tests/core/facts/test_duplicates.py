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
            "I prefer short answers with code examples and links to the docs whenever possible",
            "I prefer short answers with code examples and links to the docs where possible",
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
    st.lists(st.sampled_from([f"word{letter}" for letter in "abcdefghijklmnopqrst"]), unique=True), st.data()
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
