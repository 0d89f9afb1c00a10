"""Settings files: one value is set, and every other line stays as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.workspace_file import with_setting, without_setting

LINES = st.sampled_from(
    [
        "",
        "# a comment",
        "   # indented",
        'layout = "native"  # mine',
        "[search]  # s",
        "limit=5 # five",
        "[lint]",
        "ignore = [ 'M1' ] # one",
        "journal.days = 3",
    ]
)
VALUES = st.sampled_from(
    [("search.limit", 7), ("layout", "q15"), ("lint.ignore", ("M3",)), ("daily.clip", 9)]
)


def check_edit(text, new, setting, end):
    """Only the setting differs, and no comment is lost; whether the setting was there before."""
    name, value = setting
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert new is None
        return None
    if new is None:
        return None
    *tables, key = name.split(".")
    table = before
    for step in tables:
        table = table.setdefault(step, {}) if value is not None else table.get(step, {})
    was_set = table.pop(key, None) is not None
    if value is not None:
        table[key] = list(value) if isinstance(value, tuple) else value
    assert tomllib.loads(new) == before
    assert {line for line in text.split(end) if line.lstrip().startswith("#")} <= set(new.split(end))
    return was_set


@given(st.lists(LINES, max_size=8), VALUES, st.sampled_from(["\n", "\r\n"]))
def test_only_the_setting_changes_and_no_line_is_lost(lines, setting, end):
    text = "".join(f"{line}{end}" for line in lines).replace("\r\r", "\r")
    new = with_setting(text, *setting)
    if check_edit(text, new, setting, end) is not None:
        assert with_setting(new, *setting) == new


@given(st.lists(LINES, max_size=8), VALUES, st.sampled_from(["\n", "\r\n"]))
def test_a_setting_that_is_removed_is_gone_and_nothing_else(lines, setting, end):
    text = "".join(f"{line}{end}" for line in lines).replace("\r\r", "\r")
    new = without_setting(text, setting[0])
    was_set = check_edit(text, new, (setting[0], None), end)
    if was_set is not None:
        assert (new != text) is was_set


@pytest.mark.parametrize(
    ("text", "name", "value", "expected"),
    [
        ("", "search.limit", 3, "[search]\nlimit = 3\n"),
        ("[search]\nlimit=5 # x\n", "search.limit", 7, "[search]\nlimit=7 # x\n"),
        ("# c\n\n[lint]\na = 1\n", "layout", "q15", '# c\nlayout = "q15"\n\n[lint]\na = 1\n'),
        ("\ufeffa = 1\r\n", "b", 2, "\ufeffa = 1\r\nb = 2\r\n"),
        (
            "[search]\nlimit = 5\n\n# notes\n[daily]\n",
            "search.mode",
            "hybrid",
            '[search]\nlimit = 5\nmode = "hybrid"\n\n# notes\n[daily]\n',
        ),
        ("search = 3\n", "search.limit", 3, None),
        ("[search\n", "search.limit", 3, None),
    ],
)
def test_where_a_setting_is_written(text, name, value, expected):
    assert with_setting(text, name, value) == expected
