"""Frontmatter: read safely whatever it is, and edited one key at a time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import memtool
from memtool.errors import UnreadableFile
from memtool.formats import note
from memtool.formats.syntax import yaml_text
from memtool.formats.syntax.frontmatter import keys_or_empty, lenient_keys, load_keys, split
from memtool.formats.syntax.frontmatter_edit import set_key
from memtool.formats.syntax.yaml_text import InvalidYaml, dump_inline
from tests.examples import examples
from tests.formats.texts import texts

SPECIMEN = """\
---
# who wrote it
id: 0042
title: 'Retries: a budget'   # the title
created: 2025-01-15T10:30:00Z
at: 10:30
tags:   # how it is found
  - reliability
  - "http"  # a protocol

# long ones follow
summary: |
  A retry is a request too.

  # not a comment
aliases: [retry budget,
  backoff]
done: no
nothing:
---
# Body

---
"""
VALUES = {
    "id": "0042",
    "title": "Retries: a budget",
    "created": "2025-01-15T10:30:00Z",
    "at": "10:30",
    "tags": ["reliability", "http"],
    "summary": "A retry is a request too.\n\n# not a comment\n",
    "aliases": ["retry budget", "backoff"],
    "done": False,
    "nothing": None,
}
LINES = {
    "id": "id: 0042\n",
    "title": "title: 'Retries: a budget'   # the title\n",
    "created": "created: 2025-01-15T10:30:00Z\n",
    "at": "at: 10:30\n",
    "tags": 'tags:   # how it is found\n  - reliability\n  - "http"  # a protocol\n',
    "summary": "summary: |\n  A retry is a request too.\n\n  # not a comment\n",
    "aliases": "aliases: [retry budget,\n  backoff]\n",
    "done": "done: no\n",
    "nothing": "nothing:\n",
}
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.sampled_from(
        ["yes", "No", "null", "~", "2025-01-15", "10:30", "0042", "1e3", "a: b", "a #b", "- x", "<<", ""]
    ),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from([*VALUES, "new", "yes", "a: b", "key with space"]) | st.text(min_size=1, max_size=9)


def test_the_specimen_reads_as_its_writer_meant_it():
    assert load_keys(SPECIMEN) == VALUES


@given(text=texts)
@settings(max_examples=examples(200))
def test_the_parts_join_back_and_reading_never_fails(text):
    meta, body, line = split(text)
    assert meta + body == text
    assert line == meta.count("\n") + 1 or not body
    assert isinstance(load_keys(text), dict | InvalidYaml)


@pytest.mark.parametrize(
    ("text", "meta", "line"),
    [
        ("---\na: 1\n---\nbody", "---\na: 1\n---\n", 4),
        ("\ufeff---\r\na: 1\r\n--- \r\nbody", "\ufeff---\r\na: 1\r\n--- \r\n", 4),
        ("---\n---\n", "---\n---\n", 3),
        ("---\na: 1\n---", "---\na: 1\n---", 4),
        ("\n---\na: 1\n---\n", "", 1),
        ("---\n\nprose between rules\n\n---\n", "", 1),
        ("---\na: 1\n", "", 1),
        ("----\na: 1\n----\n", "", 1),
        ("--- a\n---\n", "", 1),
        ("---", "", 1),
        ("", "", 1),
    ],
)
def test_only_a_rule_on_the_first_line_opens_it(text, meta, line):
    assert split(text) == (meta, text[len(meta) :], line)


@pytest.mark.parametrize(
    ("yaml", "line"),
    [
        ("a: [1\n", 2),
        ("a: 1\nb: 'x\n", 3),
        ("a: 1\n\tb: 2\n", 3),
        ("- a\n- b\n", 2),
        ("just text\n", 2),
        ("a: *nobody\n", 2),
        ("x: 1\na: !!python/object:os.system {}\n", 3),
        ("a: !!int x\n", 2),
        ("a: !!bool x\n", 2),
        ("? [a, b]\n: 1\n", 2),
        ("a: 1\nb: \x00\n", 3),
        ("a: 1\nb: \udc80\n", 3),
        ("a: &a [*a]\n", 2),
        ("a: 1\n--- b\n", 3),
        ("a: [" + "1," * 20_000 + "]\n", 2),
        ("a: " + "x" * 70_000 + "\n", 2),
    ],
)
def test_frontmatter_that_does_not_read_says_where(yaml, line):
    found = load_keys(f"---\n{yaml}---\nbody\n")
    assert isinstance(found, InvalidYaml)
    assert (found.line, bool(found.message)) == (line, True)
    assert keys_or_empty(f"---\n{yaml}---\nbody\n") == {}


@pytest.mark.parametrize(
    ("yaml", "line", "column", "message"),
    [
        ("tags: [bees\ntitle: x\n", 2, 7, "unclosed '['"),
        ("title: x\n\ntags: [bees\n", 4, 7, "unclosed '['"),
        ("a:\n  b: {c: d\n  e: f\n", 3, 6, "unclosed '{'"),
        ('a: "b\nc: d\n', 2, 4, "unclosed quotation mark"),
        ("a: 'b\n", 2, 4, "unclosed quotation mark"),
        ('a: "b\\q"\n', 2, 6, "found unknown escape character"),
        ("é: b: c\n", 2, 5, "mapping values are not allowed in this context"),
    ],
)
def test_an_unclosed_value_is_reported_where_it_begins(yaml, line, column, message):
    assert load_keys(f"---\n{yaml}---\nbody\n") == InvalidYaml(line, message, column)


@pytest.mark.parametrize("opener", ["[", "{a: ", "- "])
@pytest.mark.parametrize("times", [90, 20_000])
def test_deep_nesting_is_refused_and_crashes_nothing(opener, times):
    assert isinstance(load_keys(f"---\n{opener * times}\n---\n"), InvalidYaml)


def test_aliases_cannot_multiply_without_bound():
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert isinstance(load_keys("---\n" + "\n".join(rows) + "\n---\n"), InvalidYaml)
    merges = ["a0: &a0 {x: 1}"]
    merges += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    assert isinstance(load_keys("---\n" + "\n".join(merges) + "\n---\n"), InvalidYaml)


@given(
    keys=st.dictionaries(
        st.from_regex(r"[a-z_]{1,9}", fullmatch=True).filter(lambda key: dump_inline(key) == key),
        st.from_regex(r"[a-z][a-z ]{0,20}[a-z]", fullmatch=True) | st.integers(0, 9) | st.booleans(),
        min_size=1,
    ),
    body=texts,
)
@settings(max_examples=examples(150))
def test_ordinary_frontmatter_is_what_python_frontmatter_finds_by_itself(keys, body):
    import frontmatter

    head = "".join(f"{key}: {dump_inline(value)}\n" for key, value in keys.items())
    text = f"---\n{head}---\n{body}"
    found, content = frontmatter.parse(text)
    assert load_keys(text) == found == keys
    assert split(text)[1].replace("\r\n", "\n").strip() == content


def test_yaml_is_read_in_one_module_by_python_frontmatter():
    package = Path(memtool.__file__).parent
    readers = [
        path.name
        for path in package.rglob("*.py")
        if re.search(r"^\s*(?:import|from) (?:yaml|frontmatter)\b", path.read_text(), re.MULTILINE)
    ]
    assert sorted(readers) == ["frontmatter_edit.py", "yaml_text.py"]  # the first reads where values stand


def test_a_text_without_frontmatter_costs_no_import():
    code = (
        "import sys; from memtool.formats.syntax.frontmatter import load_keys; "
        "load_keys('# Title\\n---\\n'); "
        "sys.exit(bool({'yaml', 'frontmatter'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(value=values)
@settings(max_examples=examples(300))
def test_a_value_that_is_written_reads_back(value):
    assert load_keys(f"---\nkey: {dump_inline(value)}\n---\n") == {"key": value}


@given(value=scalars.filter(lambda value: isinstance(value, str)))
def test_no_other_yaml_reader_takes_text_for_something_else(value):
    import yaml

    assert yaml.safe_load(dump_inline(value)) == value


@given(key=names, value=values, crlf=st.booleans())
@settings(max_examples=examples(250))
def test_setting_a_key_changes_that_key_alone(key, value, crlf):
    changed = set_key(SPECIMEN.replace("\n", "\r\n") if crlf else SPECIMEN, key, value)
    assert load_keys(changed) == VALUES | {key: value}
    if crlf:
        assert changed.count("\n") == changed.count("\r\n")
        changed = changed.replace("\r\n", "\n")
    assert [name for name, lines in LINES.items() if name != key and lines not in changed] == []
    assert list(VALUES | {key: value}) == list(load_keys(changed))
    for comment in ("# who wrote it\n", "\n\n# long ones follow\n"):
        assert comment in changed
    assert changed.endswith("---\n# Body\n\n---\n")


@given(text=texts, key=names, value=values)
@settings(max_examples=examples(300))
@example(text="---\n \n---", key="id", value=None)
@example(text="---\n\nid: 1\n \n---", key="to", value=1)
def test_a_key_is_set_in_any_text_that_can_be_read(text, key, value):
    before = load_keys(text)
    assume(isinstance(before, dict))
    try:
        changed = set_key(text, key, value)
    except UnreadableFile:
        assume(False)
    assert load_keys(changed) == before | {key: value}
    bom = "\ufeff" if text.startswith("\ufeff") and not split(text)[0] else ""
    assert bom + split(changed)[1] == split(text)[1]
    if key not in before and split(text)[0]:
        pairs = enumerate(zip(text, changed, strict=False))
        start = next((number for number, (old, new) in pairs if old != new), len(text))
        assert changed.endswith(text[start:])  # the key was inserted, and nothing else changed


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("body\n", "a", 1, "---\na: 1\n---\nbody\n"),
        ("\ufeffbody\r\n", "a", 1, "\ufeff---\r\na: 1\r\n---\r\nbody\r\n"),
        ("---\n---\n", "a", "x", "---\na: x\n---\n"),
        ("---\n# only a comment\n---\n", "a", "x", "---\n# only a comment\na: x\n---\n"),
        ("---\r\na: 1\r\nb: 2\r\n---\r\n", "a", 3, "---\r\na: 3\r\nb: 2\r\n---\r\n"),
        ("---\na: 1\na: 2\n---\n", "a", 3, "---\na: 1\na: 3\n---\n"),
        ("---\n'a': \"x\" # why\n---\n", "a", "z", "---\n'a': z # why\n---\n"),
        ("---\na:\n- x\n- y\nb: 1\n---\n", "a", ["z", "no"], '---\na:\n- z\n- "no"\nb: 1\n---\n'),
        ("---\na:  # why\n  - x\n---\n", "a", None, "---\na: null  # why\n---\n"),
        ("---\na: # why\n  b: 1\n\nc: 2\n---\n", "a", {"b": [1]}, "---\na: {b: [1]} # why\n\nc: 2\n---\n"),
        ("---\na: >-\n  x\n  y\nb: 1\n---\n", "a", "z", "---\na: z\nb: 1\n---\n"),
        ("---\na: &x 1\nb: *x # same\n---\n", "b", 2, "---\na: &x 1\nb: 2 # same\n---\n"),
        ("---\n{a: 1, b: 2}\n---\n", "b", 3, "---\n{a: 1, b: 3}\n---\n"),
        ("---\n{a: 1}\n---\n", "c", 3, "---\n{c: 3, a: 1}\n---\n"),
        ("---\n  a: 1\n---\n", "b", 2, "---\n  a: 1\n  b: 2\n---\n"),
        ("---\na:\n---\n", "a", "2025-01-15", '---\na: "2025-01-15"\n---\n'),
    ],
)
def test_a_key_is_set(before, key, value, after):
    assert set_key(before, key, value) == after


def test_frontmatter_that_does_not_read_is_not_edited():
    with pytest.raises(UnreadableFile, match="on line 3"):
        set_key("---\na: 1\nb: [\n---\n", "a", 1)


def test_a_value_that_another_key_needs_is_not_changed():
    with pytest.raises(UnreadableFile, match="by hand"):
        set_key("---\na: &x 1\nb: *x\n---\n", "a", 2)
    with pytest.raises(UnreadableFile, match="safely"):
        set_key("---\na: \t\n---\n", "a", 2)  # the parser that gives offsets refuses this tab


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\n\nkanban-plugin: board\n\n---\n\n## To do\n", {"kanban-plugin": "board"}),
        ("---\r\n\r\na: 1\r\nb:\r\n  - x\r\n# aside\r\n---\r\nx", {"a": 1, "b": ["x"]}),
        ("---\n\na: 1\n---", {"a": 1}),
        ("---\n\na: 1\n", {}),
        ("---\n\nA note: this is prose\n\n---\n", {}),
        ("---\n\na: 1\nand a line of prose\n\n---\n", {}),
        ("---\n\n- a\n\n---\n", {}),
        ("---\n\n---\n", {}),
        ("---\n\n---\n\na: 1\n\n---\n", {}),
    ],
)
def test_a_rule_with_a_blank_line_below_it_opens_frontmatter_where_only_keys_follow(text, found):
    assert load_keys(text) == found
    assert bool(split(text)[0]) is bool(found)


@pytest.mark.parametrize(
    ("meta", "meant"),
    [
        ("name: a\ndescription: Glaze: how it runs\n", {"name": "a", "description": "Glaze: how it runs"}),
        ("a: b: c\r\nd: @e \r\n", {"a": "b: c", "d": "@e"}),
        ("a: b:\nc: \"x\"\nd: 'y: z'\ne: [1, 2]\n", {"a": "b:", "c": "x", "d": "y: z", "e": [1, 2]}),
        ("a: b: c\nmetadata:\n  type: user\n", {"a": "b: c", "metadata": {"type": "user"}}),
        ("a: [\n", {}),
        ("- a: b: c\n", {}),
    ],
)
def test_what_lacks_only_quotes_is_read_as_it_was_meant(meta, meant):
    text = f"---\n{meta}---\n"
    assert isinstance(load_keys(text), InvalidYaml)
    assert lenient_keys(text) == meant
    found = note.metadata(note.parse(text), "x")
    assert (found.meta, found.is_valid_yaml) == (meant, False)


PLAIN_LINES = st.builds(
    "{}: {}\n".format,
    st.from_regex(r"[A-Za-z_][\w-]{0,4}", fullmatch=True),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9,./()' -]{0,9}", fullmatch=True)
    | st.from_regex(r"\[[A-Za-z0-9,./()' -]{0,9}\]", fullmatch=True)
    | st.sampled_from(["yes", "No", "null", "1e5", "0042", "a: b", "x #y", "0", "~", "2025-01-15"])
    | st.sampled_from(["[a, b-c/d]", "[a, No]", "[]", "[a,b]", "[a, ]", "[a] b", "[it's, a b]", "[a, [b]]"]),
)


@given(st.lists(PLAIN_LINES, min_size=1, max_size=4), st.text(max_size=10))
def test_plain_frontmatter_is_what_the_library_makes_of_it(lines, body):
    text = f"---\n{''.join(lines)}---\n{body}"
    assert load_keys(text) == yaml_text.load(text)
    assert split(text)[1] == yaml_text.split(text)[1]
