import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.query import parse_query
from memtool.core.search.snippet import best_snippet


def coloured(text, query, stem=str):
    snippet = best_snippet(text, parse_query(query), stem)
    return snippet.offset, [snippet.text[start:end] for start, end in snippet.spans]


@given(st.text(), st.text(max_size=20), st.integers(20, 60))
def test_a_snippet_is_one_bounded_printable_line_with_ordered_spans(text, query, width):
    snippet = best_snippet(text, parse_query(query), width=width)
    assert snippet.text.isprintable()
    assert len(snippet.text) <= width
    assert 0 <= snippet.offset < len(text.split("\n"))
    end = 0
    for start, stop in snippet.spans:
        assert end <= start < stop <= len(snippet.text)
        end = stop


@given(st.text(alphabet="ab ", min_size=100), st.sampled_from(["Needle", "京都", "ünï"]))
def test_the_match_is_always_shown(filler, word):
    snippet = best_snippet(f"{filler} {word} {filler}", parse_query(word), width=40)
    assert word in [snippet.text[start:end] for start, end in snippet.spans]


def test_the_line_with_most_words_wins_and_then_the_first():
    assert coloured("dark\ndark mode\nmode dark", "dark mode")[0] == 1


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("We use Café daily", "cafe", ["Café"]),
        ("Cafe\u0301 daily", "café", ["Cafe\u0301"]),
        ("die Straße", "STRASSE", ["Straße"]),
        ("yoʻq dedi", "yo'q", ["yoʻq"]),
        ("run deploy_script.py", "deploy_script.py", ["deploy_script.py"]),
        ("the script to deploy", "deploy_script", ["script", "deploy"]),
        ("我住在京都府", "京都", ["京都"]),
        ("猫が好き", "猫", ["猫"]),
        ("don`t", "don’t", ["don`t"]),
        ("I like dark mode", '"dark mode"', ["dark mode"]),
        ("deployment", "deploy*", ["deployment"]),
        ("recieve it", "receive~1", ["recieve"]),
        ("nothing here", "absent", []),
        ("ok 👍🏽", "👍", ["👍"]),
    ],
)
def test_what_is_coloured(text, query, expected):
    assert coloured(text, query)[1] == expected


def test_a_stemmer_makes_forms_match():
    assert coloured("we deployed", "deploying", lambda word: word[:6])[1] == ["deployed"]


def test_without_a_match_the_first_line_with_text_is_shown():
    assert best_snippet("\n\n  hello", parse_query("absent")).text == "hello"


def test_control_characters_are_not_shown():
    assert best_snippet("a\x1b[31mb\tc\rd", parse_query("b")).text == "a [31mb c d"


def test_a_very_long_text_is_looked_at_where_the_words_stand():
    filler = "one two three four five\n" * 5000
    text = filler + "the needle\n" + filler + "a needle in hay\n" + filler
    shown = best_snippet(text, parse_query("needle hay"))
    assert shown.text == "a needle in hay"
    assert text.split("\n")[shown.offset] == "a needle in hay"
    assert best_snippet(text, parse_query("absent")).offset == 0
