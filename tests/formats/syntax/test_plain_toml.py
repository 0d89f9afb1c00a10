"""Plain TOML is read as `tomllib` reads it, and everything else is left to `tomllib`."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import memtool
from memtool.formats.syntax.plain_toml import parse_plain_toml
from tests.examples import examples

KEYS = st.sampled_from(["a", "b-c", "B_1", "-", "_", "7", "a.b", '"q"', "", "é", "x y"])
VALUES = st.sampled_from(
    [
        *('"x"', '""', '"é #"', '"a" # b', '"a" b', '"""a"""', '"a\\n"', "'a'", '"open', '"tab\there"'),
        *("true", "false", "True", "0", "12", "007", "1_000", "+1", "-1", "1.5", "9" * 30, "1 # one", "²"),
        *("[1]", "{a = 1}", "2025-01-15", "", "#"),
    ]
)
SPACES = st.sampled_from(["", " ", "\t", "  "])
LINES = st.one_of(
    st.builds("{0}{1}{2}={3}{4}{0}".format, SPACES, KEYS, SPACES, SPACES, VALUES),
    st.builds("{0}[{1}]{0}".format, SPACES, KEYS),
    st.sampled_from(["", "# comment", "#\x01", "[[a]]", "[a] # b", "\u2028", "\r", "a = 1\r", "\x7f"]),
    st.text(max_size=12),
)


@settings(max_examples=examples(200))
@given(st.lists(LINES, max_size=6).map("\n".join))
@example('a = "x"\n[a]\n')
@example("[a]\nb = 1\n[b]\n[a]\n")
def test_a_plain_text_is_read_as_by_tomllib(text):
    plain = parse_plain_toml(text)
    if plain is not None:
        assert plain == tomllib.loads(text)
        assert repr(plain) == repr(tomllib.loads(text))  # True is not 1


@pytest.mark.parametrize(
    "text",
    [
        (Path(memtool.__file__).parent / "layouts/seeds/memtool.toml").read_text(),
        'layout = "native"\ntimezone = "Asia/Tashkent"  # local\n\n[search]\nengine = "sqlite"\nlimit = 10\n',
    ],
)
def test_ordinary_settings_are_plain(text):
    assert parse_plain_toml(text) == tomllib.loads(text)
