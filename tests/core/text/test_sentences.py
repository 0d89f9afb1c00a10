import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.sentences import split_sentences


def cut(text):
    return [text[sentence.start : sentence.end] for sentence in split_sentences(text).sentences]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Use v2.0.4 now. Then 3.5 of it.", ["Use v2.0.4 now.", "Then 3.5 of it."]),
        ("Ask Dr. Smith, e.g. today. Ok", ["Ask Dr. Smith, e.g. today.", "Ok"]),
        ("I am J. R. Smith. Hello", ["I am J. R. Smith.", "Hello"]),
        ("So am I. Then go", ["So am I.", "Then go"]),
        ("At 5 p.m. tomorrow. At 5 p.m. Then", ["At 5 p.m. tomorrow.", "At 5 p.m.", "Then"]),
        ("Tea, etc. and more. Tea etc. More", ["Tea, etc. and more.", "Tea etc.", "More"]),
        ("It is due 2025-06-15. Ok", ["It is due 2025-06-15.", "Ok"]),
        ("See https://x.io/a.b?c=d. Then", ["See https://x.io/a.b?c=d.", "Then"]),
        ("No. 5 is best. No. I meant six. No. Go", ["No. 5 is best.", "No. I meant six.", "No.", "Go"]),
        ("Well... maybe. Well... Maybe", ["Well... maybe.", "Well...", "Maybe"]),
        ('He said "go." Then', ['He said "go."', "Then"]),
        ("我喜欢茶。你呢？好", ["我喜欢茶。", "你呢？", "好"]),
        ("一行\n二行", ["一行", "二行"]),
        ("- one\n- [ ] two\n* three\n1. four\n## five", ["one", "two", "three", "four", "five"]),
        ("1. First thing. 2. Second", ["First thing.", "Second"]),
        ("i like tea. i like rum", ["i like tea.", "i like rum"]),
        ("  \n\n ", []),
    ],
    ids=lambda value: str(value)[:24],
)
def test_sentences_end_where_people_end_them(text, sentences):
    assert cut(text) == sentences


def test_a_wrapped_line_goes_on_and_a_short_one_does_not():
    long = "The service that we have been building for weeks has grown slow"
    assert cut(f"{long}\nand needs work.") == [f"{long}\nand needs work."]
    assert cut(f"{long}\nAnd needs work.") == [long, "And needs work."]
    assert cut("I like tea\nand rum") == ["I like tea", "and rum"]


@pytest.mark.parametrize(
    "text",
    [
        "Is it?",
        "Is it?!",
        'Is "it"?"',
        "是吗？",
        "Is it?)",
        "Est-ce ?",
        "Is it?🙂❤️",
        "« Est-ce ?»",
        "Is it…?",
    ],
)
def test_a_question_is_told_by_its_mark(text):
    assert [sentence.is_question for sentence in split_sentences(text).sentences] == [True]


def test_a_statement_is_no_question():
    assert [
        sentence.is_question for sentence in split_sentences("I like it. See x.io?a=b for more.").sentences
    ] == [
        False,
        False,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\nhidden\n```",
        "~~~py\nhidden\n~~~",
        "````\n```\nhidden\n````",
        "```\nhidden, never closed",
        "> hidden",
        " > hidden",
    ],
)
def test_fenced_code_and_quoted_lines_are_no_prose(text):
    assert cut(f"Before\n{text}") == ["Before"]


def test_the_prose_after_fenced_code_is_seen():
    assert cut("```\nhidden\n```\nAfter\n> hidden\nand after") == ["After", "and after"]
    assert cut("a ```inline``` fence\nAfter") == ["a ```inline``` fence", "After"]
    assert cut("> 5 is quoted\n>5 is a number") == [">5 is a number"]


def test_urls_and_inline_code_are_masked_in_place():
    text = "See http://i.like/tea, use `i like 42` and yo`q"
    masked = split_sentences(text).masked
    assert len(masked) == len(text)
    assert "like" not in masked
    assert "42" in masked
    assert "yo'q" in masked


texts = st.lists(
    st.sampled_from(
        [
            "I like tea",
            "Dr. ",
            "e.g. ",
            "```",
            "\n",
            "> ",
            "- ",
            "http://a.b/c",
            "`",
            "~~~",
            ". ",
            "。",
            "?",
            " ",
            "…",
            "1. ",
        ]
    )
    | st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=5)
).map("".join)


@given(texts)
def test_sentences_come_in_order_and_apart_within_the_text(text):
    found = split_sentences(text)
    assert len(found.masked) == len(text)
    end = 0
    for sentence in found.sentences:
        assert end <= sentence.start < sentence.end <= len(text)
        end = sentence.end


@given(texts)
def test_every_offset_of_a_sentence_is_found_in_it(text):
    found = split_sentences(text)
    for number, sentence in enumerate(found.sentences):
        assert found.sentence_at(sentence.start) == number == found.sentence_at(sentence.end - 1)
    assert found.sentence_at(len(text)) is None


@given(texts)
def test_no_two_sentences_share_a_line_of_the_mask(text):
    found = split_sentences(text)
    for before, after in zip(found.sentences, found.sentences[1:], strict=False):
        assert "\n" in found.masked[before.end - 1 : after.start + 1]
