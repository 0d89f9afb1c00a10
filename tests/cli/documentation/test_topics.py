"""Help topics: each has a title and prints whole in 78 columns; generated parts are up to date."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.cli.documentation import docs
from memtool.cli.documentation.markdown_text import markdown_to_text
from memtool.cli.reference import exit_code_meanings
from memtool.cli.table import COMMANDS
from memtool.cli.topics import topic_names, topic_page, topic_summary
from memtool.core.lint.codes.all_codes import CODES
from memtool.store.config.settings import SETTINGS
from tests.trees import memtool


@pytest.mark.parametrize("name", topic_names())
def test_a_topic_has_a_title_and_prints_all_its_words(name, tmp_path):
    assert topic_page(name).startswith(f"# {name}: {topic_summary(name)}\n")
    printed = memtool("help", name, home=tmp_path).stdout
    prose = re.sub(r"<!--.*-->|\]\([^)]*\)", "", topic_page(name))
    prose = re.sub(r"(?m)^```.*$", "", prose)
    assert {*re.findall(r"\w+", prose.casefold())} <= {*re.findall(r"\w+", printed.casefold())}
    assert all(len(line) < 79 for line in printed.splitlines() if not line.startswith("    "))


def test_topics_are_listed_with_their_summaries(tmp_path):
    printed = memtool("help", "topics", home=tmp_path).stdout
    for name in topic_names():
        assert re.search(rf"(?m)^{name} +{re.escape(topic_summary(name))}$", printed)


@pytest.mark.parametrize("name", topic_names())
def test_generated_parts_are_up_to_date(name):
    assert docs.regenerate(topic_page(name)) == topic_page(name)


def test_the_topics_name_every_command_code_and_setting():
    commands, codes, settings = (topic_page(name) for name in ("commands", "lint-codes", "settings"))
    assert all(f"| `memtool {name}` |" in commands for name in COMMANDS)
    assert all(f"| `{code.name}` |" in codes for code in CODES)
    assert all(f"| `{setting.name}` |" in settings for setting in SETTINGS)
    page = topic_page("exit-codes")
    assert all(f"| {code} | {meaning} |" in page for code, meaning in exit_code_meanings())


def test_a_table_is_aligned_and_its_last_column_wrapped():
    page = "| code | what |\n| --- | --- |\n| `M1` | one two three four five six seven |\n"
    assert list(markdown_to_text(page, 34)) == [
        "code  what",
        "M1    one two three four five six",
        "      seven",
    ]


@given(st.text(alphabet="ab1.*-# \n"), st.integers(20, 90))
def test_prose_keeps_its_words_in_order(page, width):
    printed = "\n".join(markdown_to_text(page, width)).casefold()
    assert re.findall("[ab1]", printed) == re.findall("[ab1]", page)
