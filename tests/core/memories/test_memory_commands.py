"""The memory tool's pure half: what is a command, where a path leads, and what an edit makes of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.memories.memory_commands import (
    COMMANDS,
    InsertCommand,
    StrReplaceCommand,
    ViewCommand,
    display_size,
    edit_snippet,
    insert_lines,
    number_lines,
    parse_command,
    path_components,
    redact_new_secrets,
    replace_text,
    split_lines,
)
from memtool.core.memories.memory_replies import STYLES, CommandRefused, reply_text
from memtool.core.secrets.redact import find_secrets

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
anything = st.text("ab\n\r é\x0c\u2028\t🙂", max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text",
          "old_path", "new_path"]  # fmt: skip


def refused(call, *arguments, **more):
    with pytest.raises(CommandRefused) as caught:
        call(*arguments, **more)
    return reply_text("sdk", caught.value.name, **caught.value.slots)


@given(json_values | st.dictionaries(st.sampled_from(FIELDS), json_values | st.sampled_from(COMMANDS)))
def test_any_json_is_a_command_or_a_reply(record):
    try:
        parse_command(record)
    except CommandRefused as error:
        found = error
    else:
        return
    assert all(reply_text(style, found.name, **found.slots) for style in STYLES)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([], "The command is not a JSON object"),
        ({}, "Parameter `command` is required for command: memory"),
        ({"command": "undo_edit", "path": "/memories"}, "Unknown command: undo_edit"),
        ({"command": ["view"]}, "Unknown command: ['view']"),
        ({"command": "view"}, "Parameter `path` is required for command: view"),
        ({"command": "view", "path": None}, "Parameter `path` is required for command: view"),
        ({"command": "view", "path": 3}, "Parameter `path` of command view must be a string"),
        (
            {"command": "view", "path": "/memories", "view_range": "1-2"},
            "Parameter `view_range` of command view must be a list of two integers",
        ),
        (
            {"command": "view", "path": "/memories", "view_range": [1, "2"]},
            "Parameter `view_range` of command view must be a list of two integers",
        ),
        (
            {"command": "insert", "path": "/memories/a", "insert_line": "1", "insert_text": ""},
            "Parameter `insert_line` of command insert must be an integer",
        ),
        (
            {"command": "insert", "path": "/memories/a", "insert_line": True, "insert_text": ""},
            "Parameter `insert_line` of command insert must be an integer",
        ),
        (
            {"command": "str_replace", "path": "/memories/a", "old_str": "a"},
            "Parameter `new_str` is required for command: str_replace",
        ),
        (
            {"command": "create", "path": "/memories/a", "file_text": "half \ud83d"},
            (
                "Parameter `file_text` is not valid Unicode: "
                "it contains an unpaired surrogate. Nothing was written."
            ),
        ),
    ],
)
def test_what_is_no_command_is_told_why(record, words):
    assert refused(parse_command, record) == words


@pytest.mark.parametrize("given", [None, [], [1], [1, 2, 3]])
def test_a_range_of_another_length_is_none(given):
    assert parse_command({"command": "view", "path": "/memories", "view_range": given}) == ViewCommand(
        "/memories"
    )


def test_fields_that_no_command_has_are_passed_by():
    assert parse_command(
        {"command": "view", "path": "/memories", "depth": 3, "view_range": [2, -1]}
    ) == ViewCommand("/memories", (2, -1))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/memories", ()),
        ("/memories/", ()),
        ("/memories//a///b/", ("a", "b")),
        ("/memories/./a/.", ("a",)),
        ("/memories/a/../b", ("a", "..", "b")),
        ("/memories/%41%", ("%41%",)),
        ("/memories/a\\b", ("a\\b",)),
        ("/memories/~/..x/x..", ("~", "..x", "x..")),
    ],
)
def test_the_steps_of_a_path(path, found):
    assert path_components(path) == found


@pytest.mark.parametrize(
    "path",
    ["/memoriesX/a", "/memories-old", "memories/a", "", "/", "/Memories/a", "/etc/passwd", " /memories"],
)
def test_a_path_begins_with_memories(path):
    assert refused(path_components, path) == f"Path must start with /memories, got: {path}"


@pytest.mark.parametrize(
    "path",
    [
        "/memories/%2e%2e%2fx",
        "/memories/%2E%2E/x",
        "/memories/%252e%252e/x",
        "/memories/a%2Fb",
        "/memories/a%5cb",
        "/memories/a%00",
        "/memories/..\\x",
        "/memories/a\\..\\..\\x",
    ],
)
def test_ways_out_in_disguise_are_refused(path):
    assert refused(path_components, path) == f"Path {path} would escape /memories directory"


def test_the_documentation_refuses_every_step_up():
    assert path_components("/memories/a/../b") == ("a", "..", "b")
    assert refused(path_components, "/memories/a/../b", strict=True) == (
        "Path /memories/a/../b would escape /memories directory"
    )


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/memories/a\nb", "the path contains a NUL character or a line break"),
        ("/memories/a\rb", "the path contains a NUL character or a line break"),
        ("/memories/a\0b", "the path contains a NUL character or a line break"),
        ("/memories/\ud800", "the path contains an unpaired surrogate"),
        ("/memories/" + "é" * 128, "the path contains a name that is longer than 255 bytes"),
        ("/memories/" + "a/" * 3000, "the path is longer than 4000 bytes"),
    ],
)
def test_names_that_no_file_may_have(path, reason):
    said = refused(path_components, path)
    assert said.startswith("Path ")
    assert said.endswith(f" is not valid: {reason}")
    assert "\n" not in said
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "view_range", "shown"),
    [
        ("", None, "     1\t"),
        ("a\nb\n", None, "     1\ta\n     2\tb\n     3\t"),
        ("a\r\nb", None, "     1\ta\r\n     2\tb"),
        ("a\x0cb\u2028c", None, "     1\ta\x0cb\u2028c"),
        ("a\nb\nc", (2, 3), "     2\tb\n     3\tc"),
        ("a\nb\nc", (2, -1), "     2\tb\n     3\tc"),
        ("a\nb\nc", (-5, 1), "     1\ta"),
        ("a\nb\nc", (0, 0), ""),
        ("a\nb\nc", (1, -2), "     1\ta"),
        ("a\nb\nc", (3, 2), ""),
        ("a\nb\nc", (7, 9), ""),
        ("a\nb\nc", (2, 999), "     2\tb\n     3\tc"),
    ],
)
def test_lines_and_their_numbers(text, view_range, shown):
    assert number_lines(split_lines(text, "/memories/a"), view_range) == shown


def test_the_most_lines_that_are_shown():
    assert number_lines(split_lines("\n" * 999_998, "/memories/a"), (999_999, -1)) == "999999\t"
    assert refused(split_lines, "\n" * 999_999, "/memories/a") == (
        "File /memories/a exceeds maximum line limit of 999,999 lines."
    )


@pytest.mark.parametrize(
    ("text", "old", "words"),
    [
        (
            "aaaa",
            "aa",
            (
                "No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1, 1, 1. "
                "Please ensure it is unique"
            ),
        ),
        (
            "x\ny\nx\n",
            "x",
            (
                "No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 3. "
                "Please ensure it is unique"
            ),
        ),
        ("x", "X", "No replacement was performed, old_str `X` did not appear verbatim in /memories/a."),
        (
            "{path}",
            "{old_str}",
            "No replacement was performed, old_str `{old_str}` did not appear verbatim in /memories/a.",
        ),
        (
            "e\u0301",
            "é",
            "No replacement was performed, old_str `é` did not appear verbatim in /memories/a.",
        ),
        (
            "",
            "",
            (
                "No replacement was performed because old_str is empty. "
                "Please provide text that appears in /memories/a."
            ),
        ),
    ],
)
def test_a_replacement_has_one_place(text, old, words):
    assert refused(replace_text, text, StrReplaceCommand("/memories/a", old, "new")) == words


@given(anything, st.text("ab\n", min_size=1, max_size=3), anything)
def test_a_replacement_changes_nothing_else(text, old, new):
    try:
        edited = replace_text(text, StrReplaceCommand("/memories/a", old, new))
    except CommandRefused:
        assert text.count(old) != 1
        return
    assert edited.text == text.replace(old, new)
    assert edited.text[edited.start : edited.end] == new


def test_a_snippet_is_five_lines_around_the_first_that_changed():
    text = "".join(f"line {number}\n" for number in range(1, 10))
    edited = replace_text(text, StrReplaceCommand("/memories/a", "line 5\nline 6\n", "A\nB\nC\nD\n"))
    assert edit_snippet(edited) == "     3\tline 3\n     4\tline 4\n     5\tA\n     6\tB\n     7\tC"
    edited = replace_text(text, StrReplaceCommand("/memories/a", "line 1\n", ""))
    assert edit_snippet(edited) == "     1\tline 2\n     2\tline 3\n     3\tline 4"


@pytest.mark.parametrize(
    ("text", "line", "put", "whole"),
    [
        ("a\nb\n", 0, "x", "x\na\nb\n"),
        ("a\nb\n", 1, "x\n", "a\nx\nb\n"),
        ("a\nb\n", 2, "x\n\n\n", "a\nb\nx\n"),
        ("a\nb", 2, "x", "a\nb\nx\n"),
        ("a\nb", 1, "", "a\n\nb\n"),
        ("", 0, "x", "x\n"),
        ("", 0, "", "\n"),
        ("\n", 1, "x", "\nx\n"),
        ("a\r\nb\r\n", 1, "x\r\n", "a\r\nx\r\nb\r\n"),
        ("a\x0cb\u2028c\n", 1, "x", "a\x0cb\u2028c\nx\n"),
    ],
)
def test_lines_are_put_in(text, line, put, whole):
    assert insert_lines(text, InsertCommand("/memories/a", line, put)).text == whole


@pytest.mark.parametrize(("text", "line", "most"), [("a\nb\n", 3, 2), ("a\nb\n", -1, 2), ("", 1, 0)])
def test_lines_are_put_where_there_are_lines(text, line, most):
    assert refused(insert_lines, text, InsertCommand("/memories/a", line, "x")) == (
        f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {most}]."
    )


@given(anything, st.integers(0, 5), anything)
def test_what_was_put_in_is_known(text, line, put):
    try:
        edited = insert_lines(text, InsertCommand("/memories/a", line, put))
    except CommandRefused:
        return
    assert edited.text[edited.start : edited.end] == put.rstrip("\n")
    assert edited.text.endswith("\n")


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0B"), (1, "1B"), (1023, "1023B"), (1024, "1K"), (1100, "1.1K"), (1536, "1.5K"), (10_240, "10K"),
     (1024**2 - 1, "1024.0K"), (1024**2, "1M"), (1024**3 * 5, "5G"), (1024**4 * 3, "3072G")],
)  # fmt: skip
def test_sizes(count, shown):
    assert display_size(count) == shown


def redact(text, command):
    edited = replace_text(text, command)
    found, marks = redact_new_secrets(text, edited)
    return found.text, marks


def test_a_secret_that_is_put_in_is_not_stored():
    new = StrReplaceCommand("/memories/a", "x", f"key {KEY} end")
    assert redact("a x b", new) == ("a key [REDACTED:anthropic-key] end b", "[REDACTED:anthropic-key]")


def test_a_secret_that_an_edit_completes_is_not_stored():
    start, end = KEY[:30], KEY[30:]
    assert (
        redact(f"{start}_{end}", StrReplaceCommand("/memories/a", "_", ""))[0] == "[REDACTED:anthropic-key]"
    )
    assert redact(f"x {end}", StrReplaceCommand("/memories/a", "x ", start))[0] == "[REDACTED:anthropic-key]"
    assert redact("x: Tr0ub4dor&3zz", StrReplaceCommand("/memories/a", "x", "password"))[0].endswith(
        "[REDACTED:password]"
    )


def test_a_secret_that_stood_there_is_left_alone():
    assert redact(f"{KEY}\nX\n", StrReplaceCommand("/memories/a", "X", "Y")) == (f"{KEY}\nY\n", "")
    assert redact(f"{KEY}\nX\n", StrReplaceCommand("/memories/a", "X", KEY)) == (
        f"{KEY}\n[REDACTED:anthropic-key]\n",
        "[REDACTED:anthropic-key]",
    )


@given(
    st.lists(st.sampled_from([KEY, "x", "\n", "a b", "password: ", "Tr0ub4dor&3zz", "AKIAIOSFODNN7EXAMPLE"]))
)
def test_no_secret_is_left_in_what_is_new(parts):
    put = "".join(parts)
    edited = insert_lines("old\n", InsertCommand("/memories/a", 1, put))
    assert find_secrets(redact_new_secrets("old\n", edited)[0].text) == ()


def test_every_reply_of_either_wording_has_the_same_slots():
    import string

    def slots(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for name, text in STYLES["sdk"].items():
        assert slots(STYLES["docs"][name]) == slots(text)
    assert STYLES["docs"].keys() == STYLES["sdk"].keys()
