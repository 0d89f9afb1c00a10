"""The schemas: each format has one, its specimens are valid, and a planted fault is found."""

import copy
import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from memtool.formats.table import JSON_LINES_FORMATS, MARKDOWN_FORMATS, format_named
from memtool.store.config import schemas
from tests.core.forgetting import test_tombstones

from . import (
    test_candidates,
    test_daily_note,
    test_long_term,
    test_pages,
    test_rules,
    test_semantic,
    test_session_state,
    test_working_buffer,
)

TEXTS = (*MARKDOWN_FORMATS, *JSON_LINES_FORMATS)
SCHEMAS = Path(__file__).parents[2] / "schemas"
FEEDBACK = """\
{"at": "2025-01-15T10:30:00Z", "rating": 5, "note": "good", "owner": "user:ann"}
{"at": "2025-01-15T10:31:00Z", "rating": "up"}
"""
SPECIMENS = {
    "session-state": test_session_state.SPECIMEN,
    "long-term": test_long_term.SPECIMEN,
    "daily-note": test_daily_note.SPECIMEN,
    "working-buffer": test_working_buffer.SPECIMEN,
    "core-file": test_pages.CORE,
    "working-memory": test_pages.WORKING,
    "semantic": test_semantic.SPECIMEN,
    "rules": test_rules.SPECIMEN,
    "episode": test_pages.EPISODE,
    "candidates": test_candidates.SPECIMEN,
    "feedback": FEEDBACK,
    "crisis": '{"at": "2025-01-15T10:30:00Z", "session": null, "level": 3, "reason": "self_harm"}\n',
    "forgotten": test_tombstones.SPECIMEN,
    "note": test_pages.NOTE,
    "markdown": test_pages.NOTE + "\n## Another\n",
}
FAULTY_TEXTS = {
    "session-state": ["- [2025-13-01T10:30:00Z] **x**: y", "- [2025-01-15T10:30:00Z] **Preference**: y"],
    "daily-note": ["# Daily Notes -- 2025-01-15\n\n## [99:00:00]\n**User:** lost\n"],
    "working-buffer": ["# Working Buffer\n\n## [2025-01-15 99:00:00] Human\nlost\n"],
    "core-file": [
        "---\nlimit: many\n---\n",
        "---\nlimit: 0\n---\n",
        "---\ndescription: [a]\n---\n",
        "---\na: [\n---\n",
    ],
    "semantic": ["- [Goal] User WANTS tea", "- [goal] ^m-1"],
    "episode": [
        "---\nowner: ann\n---\n",
        "---\nturn_count: -1\n---\n",
        "---\nprimary_themes: [a, b, c, d]\n---\n",
        "---\nended_at: soon\n---\n",
        "---\na: [\n---\n",
    ],
    "candidates": ["{}\n", "nonsense\n", "[1]\n", test_candidates.SPECIMEN[:40]],
    "feedback": ["{}\n", "nonsense\n"],
    "crisis": ["{}\n", "[1]\n"],
    "forgotten": ["{}\n", "[1]\n"],
    "note": [
        "---\nid: [1]\n---\n",
        "---\ncreated: yesterday\n---\n",
        "---\ntags: {a: 1}\n---\n",
        "---\na: *b\n---\n",
    ],
    "markdown": ["---\n- a\n---\n# Title\n"],
}
FAULTS = {
    "session-state": [
        (("entries", 0, "at"), "2025-01-15 10:30"),
        (("entries", 0, "detail"), "two\nlines"),
        (("entries", 1, "owner"), "sardor"),
        (("entries", 0, "extra"), 1),
        (("header",), "# Notes"),
    ],
    "long-term": [(("facts", 1, "category"), "Not one"), (("facts", 0, "line"), 0), (("section",), "5")],
    "daily-note": [
        (("day",), "2025-13-01"),
        (("blocks", 0, "at"), "25:00:00"),
        (("blocks", 0, "user"), 1),
        (("blocks", 1, "owner"), "user:"),
    ],
    "working-buffer": [
        (("entries", 0, "speaker"), "user"),
        (("entries", 0, "at"), "10:30"),
        (("entries", 1, "line"), 0),
        (("started",), "today"),
    ],
    "core-file": [(("characters",), -1), (("meta",), None), (("broken",), {"line": 2, "message": "x"})],
    "working-memory": [(("sections", 1, "level"), 7), (("characters",), "many")],
    "semantic": [
        (("facts", 0, "predicate"), "worries about"),
        (("facts", 0, "text"), "both"),
        (("facts", 1, "id"), "^m"),
        (("facts", 2, "superseded", "on"), "soon"),
        (("facts", 0, "extra"), 1),
    ],
    "rules": [
        (("rules", 0, "line"), 0),
        (("rules", 0, "text"), ""),
        (("rules", 1, "id"), "^r"),
        (("rules", 1, "pinned"), "yes"),
        (("rules", 0, "extra"), 1),
    ],
    "episode": [
        (("meta", "mood_arc", "closed"), ""),
        (("meta", "extractive"), "yes"),
        (("meta", "open_loops"), ["x" * 81]),
        (("summary",), None),
    ],
    "feedback": [(("feedback", 0, "rating"), 6), (("feedback", 1, "note"), 1)],
    "crisis": [(("crisis", 0, "level"), 0), (("crisis", 0, "reason"), "why"), (("crisis", 0, "text"), "x")],
    "forgotten": [(("forgotten", 0, "users"), ["ann"]), (("forgotten", 0, "text"), "x")],
    "candidates": [
        (("candidates", 0, "action"), "drop"),
        (("candidates", 0, "rule"), "Keep replies short."),
        (("candidates", 1, "category"), "goal"),
        (("candidates", 1, "owner"), "ann"),
        (("candidates", 0, "turn"), -1),
        (("candidates", 1, "until"), "later"),
        (("candidates", 0, "evidence"), []),
        (("candidates", 0, "message"), "whole"),
        (("unreadable",), [1]),
    ],
    "note": [(("tags",), ["a", "a"]), (("title",), ""), (("meta", "title"), ["x"])],
    "markdown": [(("headings", 0, "level"), 0), (("title",), 1)],
}


def validator(name):
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def record(name, text):
    form = format_named(name)
    return json.loads(json.dumps(form.record(form.parse(text))))


@pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)
def test_each_format_has_a_schema_that_is_one(form):
    schema = validator(form.name).schema
    Draft202012Validator.check_schema(schema)
    assert schema["$id"].endswith(f":{form.name}")
    assert schema["title"]
    assert schema["description"]
    assert f"[{form.name}.schema.json]" in (SCHEMAS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SPECIMENS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_specimen_is_valid(name, newline):
    assert list(validator(name).iter_errors(record(name, SPECIMENS[name].replace("\n", newline)))) == []


@pytest.mark.parametrize("name", SPECIMENS)
def test_an_empty_file_is_valid(name):
    assert list(validator(name).iter_errors(record(name, ""))) == []


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in FAULTY_TEXTS.items() for text in texts]
)
def test_a_fault_in_a_text_is_found(name, text):
    assert not validator(name).is_valid(record(name, text))


@pytest.mark.parametrize(
    ("name", "where", "fault"), [(name, *fault) for name, faults in FAULTS.items() for fault in faults]
)
def test_a_fault_in_a_record_is_found(name, where, fault):
    faulty = copy.deepcopy(record(name, SPECIMENS[name]))
    holder = faulty
    for step in where[:-1]:
        holder = holder[step]
    holder[where[-1]] = fault
    assert not validator(name).is_valid(faulty)


@pytest.mark.parametrize("form", TEXTS, ids=lambda form: form.name)
def test_a_record_lacking_anything_it_must_have_is_found(form):
    whole = record(form.name, SPECIMENS[form.name])
    for key in whole:
        assert not validator(form.name).is_valid({name: held for name, held in whole.items() if name != key})


def examples():
    page = (SCHEMAS / "README.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^## ([a-z-]+)\n\n```markdown\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def test_the_examples_of_the_specification_are_valid_and_say_something():
    found = examples()
    assert set(found) == {form.name for form in MARKDOWN_FORMATS} - {"markdown"}
    for name, text in found.items():
        read = record(name, text)
        assert list(validator(name).iter_errors(read)) == [], name
        assert any(isinstance(held, list | dict) and held for held in read.values()), name


def test_a_valid_line_is_not_validated_again_and_an_invalid_one_is():
    good = {"line": 1, "category": "goal", "text": "tea", "owner": None, "id": None, "superseded": None}
    bad = {**good, "category": "Goal"}

    def places(*facts):
        record = {"facts": [{**fact, "line": n} for n, fact in enumerate(facts, 1)], "unread": []}
        return [place for place, _ in schemas.violations("semantic", record)]

    assert places(good, bad) == places(good, bad) == ["facts/1/category"]
    assert places(bad, good) == ["facts/0/category"]
    assert places({**good, "text": "\ud800"}, bad) == ["facts/1/category"]
    assert places({**good, "superseded": {"on": "2025-01-01", "by": 1}}) == ["facts/0/superseded/by"]
    assert [
        place for place, _ in schemas.violations("semantic", {"facts": [{**good, "line": 0}], "unread": []})
    ] == ["facts/0/line"]
