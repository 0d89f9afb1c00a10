"""Replies that only acknowledge a message come after what users and agents said."""

from __future__ import annotations

import json

import pytest

from tests.trees import make, memtool


@pytest.fixture
def run(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})

    def call(*arguments):
        return memtool(*arguments, home=tmp_path, cwd=root).stdout.splitlines()

    return call


def say(run, said, reply):
    run("append-turn", "--user-text", said, "--agent-text", reply)


def snippets(lines):
    return [line.split(": ", 1)[1] for line in lines]


@pytest.mark.parametrize(
    "reply", ["OK, noted.", "Got it, I'll keep that in mind.", "Noted, thanks for telling me."]
)
def test_an_acknowledgement_is_the_last_hit(run, reply):
    say(run, "I work at the kiln in the valley", reply)
    run("append-daily", "--user-text", "The kiln is far from work", "--agent-text", "Yes.")
    run("save", "Work begins at the kiln at noon")
    hits = run("search", "where do i work", "--json")
    records = [json.loads(line) for line in hits]
    assert records[-1]["snippet"] == reply
    assert len(records) > 2
    scores = [record["score"] for record in records]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("reply", ["In Graz, by the river.", "At 7.", "Noted: the work is done on Mondays."])
def test_a_reply_that_says_something_keeps_its_place(run, reply):
    say(run, "Where do I work?", reply)
    say(run, "I swim on most days of the year, and work is far away from the pool", "OK.")
    found = snippets(run("search", "where do i work"))
    assert found.index(reply) < (found.index("OK.") if "OK." in found else len(found))


def test_an_acknowledgement_alone_is_still_found_by_its_words(run):
    say(run, "I swim", "OK, noted.")
    assert snippets(run("search", "noted")) == ["OK, noted."]
