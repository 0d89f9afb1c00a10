"""Newer facts: what was said later of an answer comes before it, and a word in another use is no answer."""

import pytest

from memtool.core.facts.relation_names import asked_words, relation_names
from memtool.formats.semantic import SemanticLine
from memtool.index.engine import FileStamp
from memtool.index.facts.fact_search import FactQuery
from memtool.index.facts.facts import FactFile, FactRow, Facts, stems
from memtool.index.facts.newer_facts import recall_newest


def answers(question: str, *said: str, every: bool = False) -> list[str]:
    index = Facts.in_memory()
    rows = []
    for line, text in enumerate(said, 1):
        record = SemanticLine(f"- [context] User STATES {text}").record
        names = relation_names(record.fact)
        rows.append(FactRow(line, f"m-{line}", "context", "", f"User STATES {text}", text, "", names))
    index.write([FactFile("facts.md", FileStamp(0, 0, 0, 0, 0, ""), tuple(rows))])
    query = FactQuery(tuple(stems(asked_words(question))), 5, text=question, every=every)
    return [hit.text.removeprefix("User STATES ") for hit in recall_newest(index, None, query)]


OTHERS = ("I collect stamps", "The shed is green", "I bake bread on Sundays")


@pytest.mark.parametrize(
    ("question", "old", "new"),
    [
        ("How much citalopram do I take?", "I take 20 mg of citalopram", "My GP put me up to 30 mg"),
        ("Who is my boss?", "My boss is Karen", "Karen left the company; Miguel is my boss now"),
        ("When did I retire?", "I retired in March 2023", "I retired in 2022"),
        ("When do we rehearse?", "We rehearse every Tuesday", "We rehearse on Thursdays now, not Tuesdays"),
    ],
)
def test_the_newer_of_two_facts_comes_first(question, old, new):
    assert answers(question, *OTHERS, old, new) == [new, old]


def test_news_of_another_thing_is_not_printed():
    old = "I take 20 mg of citalopram"
    assert answers("How much citalopram do I take?", *OTHERS, old, "The vet put Rex up to 30 mg") == [old]


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("What car do I drive?", "I drove the number 11 tram for 20 years"),
        ("What language pair do I work in?", "My invoices go out on the last working day of the month"),
        ("What's our rehearsal day?", "These days I get up at six"),
        ("How many cats does Leopold have?", "Leopold has two dogs"),
        ("What's the name of my dog?", "Leopold has two dogs"),
    ],
)
def test_a_fact_with_a_word_in_another_use_is_no_answer(question, other):
    assert answers(question, *OTHERS, other) == []


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What car do I drive?", "I drive a green car to work"),
        ("When does my course start?", "My course started in May"),
        ("What's our rehearsal day?", "We rehearse on Thursdays"),
        ("How many dogs does Leopold have?", "Leopold has two dogs"),
        ("What is my mum called?", "My mother is called Rosalind"),
    ],
)
def test_a_fact_with_other_forms_of_the_words_answers(question, fact):
    assert answers(question, *OTHERS, fact) == [fact]


def test_what_somebody_has_comes_before_what_they_do_with_some_of_it():
    have, take = "I have 31 birds", "I'm taking eight birds to the show"
    assert answers("How many birds do I have?", *OTHERS, have, take)[0] == have
