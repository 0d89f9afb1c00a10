"""Passages: whole sentences where they fit, cut at clauses and words where they do not, and no code."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memtool.core.context.passages import passage_of
from memtool.core.search.query import prompt_query
from memtool.core.search.snippet import item_spans
from memtool.core.text.sentences import split_sentences
from memtool.core.text.stems import stem

TEXT = (
    "The studio lies in the old ferry house, right beside the river and the market. "
    "The kiln is free on Thursdays, because on Wednesdays the evening class fires its pots there. "
    "Timur packs the parcels and ships them twice a week, mostly to the tea house in Lindau."
)


def passage(text, asked, most=118):
    query = prompt_query(asked)
    return passage_of(text, query, dict.fromkeys(query.positive_items, 1.0), stem, most)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("when is the kiln free?", "The kiln is free on Thursdays, because"),
        ("who ships parcels?", "Timur packs the parcels"),
        ("something else", "The studio lies in the old ferry house"),
    ],
)
def test_it_has_the_sentence_that_answers(asked, expected):
    assert expected in passage(TEXT, asked)


def test_a_short_sentence_is_extended_by_those_after_it_and_at_the_end_by_those_before_it():
    text = "It rains. The kiln is hot. We wait until noon. Then we open it."
    assert passage(text, "is the kiln hot?") == text
    assert passage(text, "is the kiln hot?", 30) == "The kiln is hot. We wait…"
    assert passage(text, "when do we open it?", 40) == "…We wait until noon. Then we open it."


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What did I buy?", "Then I bought a kiln."),
        ("Which café was it?", "The CAFÉ stood by the river."),
        ("Who is O'Brien?", "We met O’Brien there."),
        ("Where is obrien?", "We met O’Brien there."),
        ("Which snake_case name?", "It is my_snake here."),
    ],
)
def test_every_form_of_a_word_is_found_in_any_sentence(asked, answer):
    text = f"It rained all of that day. {answer} We went to bed."
    assert answer.split()[1] in passage(text, asked, len(answer) + 2)


AROUND = st.text("'’`_-/.:@+#(\"“«*日本アé\u0301 д5xd\u200d", max_size=3)


@given(
    AROUND, st.sampled_from(["kiln", "bought", "don't", "c++", "café", "a/b-kiln", "窯は"]), AROUND, AROUND
)
def test_a_sentence_that_has_a_word_is_found_whatever_is_around_it(before, word, after, asked):
    sentence = " ".join(f"We had {before}{word}{after} there.".split())
    query = prompt_query(f"{asked}{word}{after}")
    assume(len(split_sentences(sentence).sentences) == 1)
    text = f"It rained all of that day. {sentence} We went to bed."
    is_there = any(item_spans(sentence, query, stem))
    assume(is_there and not any(item_spans(text.replace(sentence, ""), query, stem)))
    assert "We had" in passage(text, f"{asked}{word}{after}", len(sentence) + 2)


def test_a_text_that_fits_is_whole_on_one_line():
    assert passage("The kiln\n  is hot.\n", "kiln?") == "The kiln is hot."


def test_a_long_sentence_is_cut_at_a_clause_and_at_a_word():
    text = "First of all we swept the yard and the stairs, then we glazed the bowls with celadon, " * 3
    text += "and last of all the zebra vase went into the kiln beside the other vases of the market."
    cut = passage(text, "where is the zebra vase?", 90)
    assert cut.startswith("…then we glazed the bowls with celadon, and last of all the zebra vase went")
    assert cut.endswith("…")
    assert len(cut) <= 90
    assert cut.strip("…") in text
    assert text[text.index(cut.strip("…")) + len(cut.strip("…"))] == " "


def test_at_the_end_of_a_text_a_short_clause_is_shown_with_the_words_before_it():
    text = "First of all we swept the yard and the stairs of the studio by the river, and fired the zebra."
    cut = passage(text, "where is the zebra?", 60)
    assert cut == "…the stairs of the studio by the river, and fired the zebra."


def test_of_equal_parts_the_first_is_shown():
    text = "the zebra is here, " * 30
    assert passage(text, "zebra?", 60).startswith("the zebra is here,")


def test_code_is_left_out_unless_there_is_nothing_else():
    code = "```python\nkiln = Kiln()\nkiln.fire(kiln)\n```"
    assert passage(f"The kiln of the class fires at noon.\n\n{code}\n", "kiln fire?") == (
        "The kiln of the class fires at noon."
    )
    assert "kiln.fire(kiln)" in passage(code, "kiln fire?")


@pytest.mark.parametrize(
    ("text", "asked", "part"),
    [
        ("今天下雨。窑在星期四空闲，星期三晚上有课。我们等到中午。", "窑什么时候空闲？", "窑在星期四空闲"),
        (
            "雨です。窯は木曜日に空いています。正午まで待ちます。",
            "窯は木曜日ですか",
            "窯は木曜日に空いています",
        ),
    ],
)
def test_sentences_without_spaces(text, asked, part):
    assert part in passage(text, asked)
    assert len(passage(text * 40, asked, 50)) <= 50


@given(st.text(max_size=400), st.text(max_size=40), st.integers(20, 200))
def test_it_is_one_line_of_the_text_within_its_size(text, asked, most):
    cut = passage(text, asked, most)
    assert len(cut) <= most
    assert cut == " ".join(cut.split())
    assert cut.strip("…").strip() in " ".join(text.split())


@pytest.mark.parametrize(
    "part", ["kiln, ", "kiln. ", "kiln ", "k", "。", "```\n", "> kiln\n", "- kiln\n", "…"]
)
def test_the_time_grows_no_faster_than_a_hostile_text(part):
    def cost(count):
        began = time.process_time()
        passage(part * count, "when is the kiln free and who fires it?")
        return time.process_time() - began

    cost(100)
    assert cost(200_000 // len(part)) < 2  # only the beginning of a text is examined
