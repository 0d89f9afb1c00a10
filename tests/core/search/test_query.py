from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.search.query import (
    DateFilter,
    FieldFilter,
    FuzzyTerm,
    PhraseTerm,
    PrefixTerm,
    Query,
    is_within_distance,
    parse_query,
)
from memtool.core.text.globs import glob_regex
from memtool.core.text.tokenizer import CharacterRun, CompoundWord, Word

NOISE = [*'"+-:*~/.()[]{}^&|!\\ ', "role:", "tag:", "date:", "2025-01", "word", "京都", "AND", "~1", '"a b"']
OPERATORS = st.lists(st.sampled_from(NOISE)).map("".join)


@given(OPERATORS | st.text())
def test_nothing_that_is_typed_is_an_error(text):
    query = parse_query(text)
    assert query.text == text


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, unique=True), OPERATORS)
def test_a_word_survives_whatever_stands_beside_it(words, noise):
    text = f"{' '.join(words)} {noise}"
    kept = {item.text for item in parse_query(text).words if isinstance(item, Word)}
    assert kept >= set(words)


def test_every_operator():
    query = parse_query(
        'plain "Dark Mode" -without +must role:note tag:#Work path:memory/** depl* recieve~ recieve~2'
    )
    assert query.words == (
        Word("plain"),
        PrefixTerm("depl"),
        FuzzyTerm("recieve", 1),
        FuzzyTerm("recieve", 2),
    )
    assert query.required == (PhraseTerm(("dark", "mode")), Word("must"))
    assert query.excluded == (Word("without"),)
    assert query.filters == (
        FieldFilter("role", ("note",)),
        FieldFilter("tag", ("#Work",)),
        FieldFilter("path", ("memory/**",)),
    )


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("date:2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("date:2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("date:2025-12", date(2025, 12, 1), date(2025, 12, 31)),
        ("date:2025-01-15", date(2025, 1, 15), date(2025, 1, 15)),
        ("date:2025-01..2025-03", date(2025, 1, 1), date(2025, 3, 31)),
        ("date:9999-12", date(9999, 12, 1), date(9999, 12, 31)),
    ],
)
def test_dates(text, since, until):
    assert parse_query(text).filters == (DateFilter(since, until),)


@pytest.mark.parametrize(
    "text", ["date:2025-13", "date:0000", "date:2025-01-00", "date:2025-03..2025-01", "date:15.1.2025"]
)
def test_digits_that_are_no_date_match_nothing(text):
    query = parse_query(f"kiln {text}")
    (days,) = query.filters
    assert isinstance(days, DateFilter)
    assert days.since > days.until
    assert query.words == (Word("kiln"),)


@pytest.mark.parametrize("text", ["date:soon", "date:..", "-date:2025"])
def test_a_date_that_is_none_is_words(text):
    query = parse_query(text)
    assert query.filters == ()
    assert Word("date") in query.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("foo:bar", (CompoundWord("foo:bar", ("foo", "bar")),)),
        ('"unbalanced quote', (Word("unbalanced"), Word("quote"))),
        ("-light -heavy", (Word("light"), Word("heavy"))),
        ("offset -5 --flag", (Word("offset"), Word("5"), Word("flag"))),
        ("- + -- * ~ \" ' :", ()),
        ("(deploy OR script)!", (Word("deploy"), Word("script"))),
        ("role:", (Word("role"),)),
        ("state-of-the-art", (CompoundWord("state-of-the-art", ("state", "of", "the", "art")),)),
        ("京都の寺 x", (CharacterRun("京都の寺"), Word("x"))),
        ("**bold** `code`", (Word("bold"), Word("code"))),
    ],
)
def test_what_is_no_operator_is_plain_words(text, words):
    assert replace(parse_query(text), language="", has_open_quote=False) == Query(text, words)


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ('"kiln schedule', True),
        ("“kiln schedule", True),
        ('kiln -"white glaze', True),
        ('"kiln schedule"', False),
        ('a 5" tile', False),
        ('kiln "', False),
        ("", False),
    ],
)
def test_a_quote_that_is_never_closed_is_known(text, is_open):
    assert parse_query(text).has_open_quote is is_open


def test_the_same_filter_twice_means_either_and_a_minus_means_neither():
    assert parse_query("x role:a role:b -role:c").filters == (
        FieldFilter("role", ("a", "b")),
        FieldFilter("role", ("c",), excludes=True),
    )


def test_typographic_quotes_are_quotes():
    assert parse_query("“dark mode”").required == (PhraseTerm(("dark", "mode")),)


def test_stop_words_count_only_alone():
    assert parse_query("what did the deploy do").words == (Word("deploy"),)
    assert parse_query("who am I").words == (Word("who"), Word("am"), Word("i"))
    assert parse_query("don’t deploy").words == (Word("deploy"),)


def test_a_pasted_page_is_searched_by_its_first_words():
    assert len(parse_query(" ".join(f"w{i}" for i in range(100_000))).words) == 64


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.md", "memory/notes/a.md", True),
        ("memory/*.md", "memory/notes/a.md", False),
        ("memory/**/*.md", "memory/notes/a.md", True),
        ("memory/**/*.md", "memory/a.md", True),
        ("notes/*", "memory/notes/a.md", True),
        ("/notes/*", "memory/notes/a.md", False),
        ("note?", "memory/notes/a.md", True),
        ("memory/not*", "memory/notes/deep/a.md", True),
        ("NOTES", "memory/notes/a.md", True),
        ("[a-c].md", "x/b.md", True),
        ("[!a-c].md", "x/b.md", False),
        ("[z-a]", "x/[z-a]", True),
        ("*.md", "a.mdx", False),
    ],
)
def test_globs(pattern, path, expected):
    assert (glob_regex(pattern).match(path) is not None) is expected


@pytest.mark.filterwarnings("error")
@example("[a--b][a&&b][~~|||]x[[-]", "a")
@given(st.text(alphabet="*?[]!-a/.\\^&|~"), st.text(alphabet="a/.*"))
def test_any_glob_can_be_asked(pattern, path):
    assert glob_regex(pattern).match(path) is None or isinstance(path, str)


@pytest.mark.parametrize(
    ("left", "right", "distance", "expected"),
    [
        ("recieve", "receive", 1, True),
        ("cat", "cart", 1, True),
        ("cat", "dog", 2, False),
        ("cat", "cats", 0, False),
        ("kitten", "sitting", 2, False),
        ("kitten", "sittin", 2, True),
    ],
)
def test_letters_apart(left, right, distance, expected):
    assert is_within_distance(left, right, distance) is expected
