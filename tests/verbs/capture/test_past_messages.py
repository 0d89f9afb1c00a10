"""Messages of the past, scanned after newer ones: what is said later stays current."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.records.entries import Owner
from memtool.verbs.capture.scan import logged_messages, scan
from memtool.verbs.facts.rules import active_rules
from tests.trees import NOW, make, memtool, opened
from tests.verbs.capture.test_corrected_memory import FACTS, LINES, current, saved

PAST = NOW - timedelta(days=700)


def tree(folder, *messages, **files):
    root = make(folder / "w", {"memtool.toml": 'layout = "native"\n', FACTS: saved(), **files})
    for minute, message in enumerate(messages):
        say(root, message, NOW - timedelta(hours=1) + timedelta(minutes=minute))
    return root


def say(root, message, at, session=None):
    return scan(
        opened(root), message, now=at, owner=None, session=session, triggers=DEFAULT_TRIGGERS, recorded_at=NOW
    )


def everything_current(root):
    return [*current(root), *(rule.text for rule in active_rules(opened(root)))]


STAYS = [
    ("I live in Paris.", "I moved to Lyon."),
    ("I live in Paris.", "I don't live in Paris anymore."),
    ("My favourite colour is blue.", "My favourite colour is green."),
    ("My favourite colour is blue.", "No, my favourite colour is green, not blue."),
    ("My favourite colour is blue.", "No, my favourite colour is green, not yellow."),
    ("My rent is 900 euros.", "No, my rent is 800 euros, not 900."),
    ("I prefer tea over coffee", "I prefer coffee over tea"),
    ("My name is Ada.", "My name is Ada Lopez, call me Lo."),
    ("My dentist is Dr. Lee.", "Actually, my dentist is Dr. Ray."),
    ("I have a dog.", "I no longer have a dog."),
    ("I work as a baker.", "I work as a teacher now."),
    ("Always answer in German.", "Always answer in English."),
    ("Never use emojis.", "Emojis are fine now."),
    ("Ich wohne in Köln.", "Ich wohne in Ulm."),
]


@pytest.mark.parametrize(("stored", "older"), STAYS)
def test_what_was_said_later_stays_current(tmp_path, stored, older):
    root = tree(tmp_path, stored)
    before = everything_current(root)
    say(root, older, PAST)
    assert everything_current(root)[: len(before)] == before or {*before} <= {*everything_current(root)}


@pytest.mark.parametrize(("stored", "older"), [row for row in STAYS if "Lo." not in row[1]])
def test_an_older_statement_is_not_current_beside_a_later_one(tmp_path, stored, older):
    root = tree(tmp_path, stored)
    before = everything_current(root)
    say(root, older, PAST)
    assert everything_current(root) == before


@pytest.mark.parametrize(
    ("stored", "newer"), [row for row in STAYS if "yellow" not in row[1] and "Lo." not in row[1]]
)
def test_a_message_of_the_past_supersedes_what_was_said_before_it(tmp_path, stored, newer):
    root = tree(tmp_path)
    say(root, stored, PAST)
    before = everything_current(root)
    say(root, newer, PAST + timedelta(days=1))
    assert everything_current(root) != before


def test_what_ended_later_does_not_come_back(tmp_path):
    ended = "I have a cat.", "I no longer have a cat.", "Always use tables.", "No tables anymore."
    root = tree(tmp_path, *ended)
    before = everything_current(root)
    say(root, "I have a cat.", PAST, "old")
    say(root, "I have a cat.", PAST)
    say(root, "Always use tables.", PAST)
    assert not [text for text in current(root) if "cat" in text]
    assert everything_current(root) == before


def test_a_statement_between_two_others_supersedes_the_older_one_only(tmp_path):
    root = tree(tmp_path)
    say(root, "I live in Rome.", PAST)
    say(root, "I live in Paris.", NOW - timedelta(hours=1))
    say(root, "I live in Lyon.", PAST + timedelta(days=3))
    assert current(root) == ['User LIVES_IN Paris — "I live in Paris."']
    text = (root / FACTS).read_text()
    assert 'Lyon — "I live in Lyon." [superseded: 2025-01-15 by' in text


def test_what_has_no_time_counts_as_newer_than_an_old_message(tmp_path):
    line = "## Auto-captured\n\n- **preference**: I prefer tea over coffee\n"
    fact = '# Facts\n\n- [context] User LIVES_IN Paris — "I live in Paris." ^m-000000000001\n'
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', FACTS: fact, LINES: line})
    before = current(root)
    say(root, "I moved to Lyon.", PAST)
    say(root, "I prefer coffee over tea", PAST)
    assert current(root) == before
    say(root, "I moved to Lyon.", NOW - timedelta(minutes=1))
    assert 'User LIVES_IN Lyon — "I moved to Lyon."' in current(root)


def test_the_log_has_no_entry_of_an_outdated_statement(tmp_path):
    stored = "My favourite colour is blue.", "Always answer in German.", "I prefer tea over coffee"
    root = tree(tmp_path, *stored)
    before = (root / "SESSION-STATE.md").read_text()
    say(root, "My favourite colour is green.", PAST)
    say(root, "Always answer in English.", PAST)
    say(root, "I prefer coffee over tea", PAST)
    assert (root / "SESSION-STATE.md").read_text() == before


def test_a_line_is_superseded_with_the_fact_that_says_the_same(tmp_path):
    root = tree(tmp_path, "My favourite colour is blue.", "My favourite colour is green.")
    assert current(root) == ["My favourite colour is green."]


def test_two_messages_of_one_second_are_two(tmp_path):
    root = tree(tmp_path)
    say(root, "My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789. I live in Rome.", PAST)
    logged = logged_messages(opened(root), None)

    def has(text, at=PAST, owner=None):
        return logged.has(text, at, owner, DEFAULT_TRIGGERS)

    assert has("My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789. I live in Rome.")
    assert not has("I have a dog.")
    assert not has("I live in Rome. I have a dog.")
    assert not has("I live in Rome.", PAST + timedelta(seconds=1))
    assert not has("I live in Rome.", owner=Owner("user", "tom"))


def test_messages_of_stored_turns_have_their_session_and_no_owner(tmp_path):
    root = tree(tmp_path)
    rows = [
        {
            "seq": number,
            "created_at": "2023-02-01T10:00:00Z",
            "session": "s-7",
            "role": "user",
            "parts": [{"type": "text", "text": text}],
        }
        for number, text in enumerate(("I live in Rome.", "I have a dog."), 1)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    first = memtool("scan", "--jsonl", home=tmp_path, cwd=root, stdin=text)
    again = memtool("scan", "--jsonl", home=tmp_path, cwd=root, stdin=text)
    assert (first.returncode, first.stdout.count("\n")) == (0, 2)
    assert "2 messages skipped: already recorded" in again.stderr
    evidence = (root / "memory/cognition/evidence.jsonl").read_text()
    assert evidence.count('"session": "s-7"') == 2
    assert len(current(root)) == 2
