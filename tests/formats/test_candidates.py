"""Files of candidates: each line is a proposal that waits, and what is none is named."""

from __future__ import annotations

from memtool.core.records.candidate import Claim, Instruction, PolicyDecision
from memtool.core.records.entries import Owner
from memtool.formats.candidate_line import parse, render_line
from memtool.formats.json_lines import parse as parse_file
from memtool.formats.json_lines import record
from memtool.layouts.policy import policy_tables

ANN = Owner("user", "ann")
VOCABULARY = {name: frozenset(policy_tables()["vocabulary"][name]) for name in ("categories", "predicates")}
FEAR = {
    "lane": "semantic",
    "category": "trigger",
    "subject": "User",
    "predicate": "WORRIES_ABOUT",
    "object": "Event:exam",
    "evidence_quote": "I am afraid of the exam",
    "turn": 0,
    "sensitivity": "high",
}
WISH = {"lane": "procedural", "rule": "Keep replies short.", "evidence": ["keep it short"], "explicit": True}
HOLD = PolicyDecision("commit_at_session_end", "loss-or-trigger", "losses and triggers wait")


def _line(proposal, until=""):
    return render_line(parse(proposal, ANN, "s1", VOCABULARY), HOLD, "2025-01-15T10:30:00Z", until)


SPECIMEN = _line(FEAR) + _line(WISH, "2025-04-15T10:30:00Z")


def test_each_line_is_a_candidate():
    fear, wish = record("candidates", parse_file(SPECIMEN))["candidates"]
    assert (fear["line"], fear["object"], fear["sensitivity"]) == (1, "Event:exam", "high")
    assert (wish["line"], wish["rule"], wish["until"]) == (2, "Keep replies short.", "2025-04-15T10:30:00Z")
    again = [parse(one, ANN, "", VOCABULARY) for one in (fear, wish)]
    assert [one.id for one in again] == [fear["id"], wish["id"]]
    assert [type(one.statement) for one in again] == [Claim, Instruction]


def test_what_is_no_candidate_is_named_by_its_line():
    text = "\ufeff" + SPECIMEN + "\n[]\n" + SPECIMEN[:20]
    assert record("candidates", parse_file(text))["unreadable"] == [4, 5]


def test_the_records_of_coalas_extractors_are_understood():
    who, what = {"type": "User", "identifier": "user-1"}, {"type": "Event", "identifier": "exam"}
    theirs = {key: FEAR[key] for key in ("category", "predicate", "evidence_quote")}
    theirs |= {"subject": who, "object": what, "source_turn_index": 0, "source_session_id": "s1"}
    ours = {key: value for key, value in FEAR.items() if key != "sensitivity"}
    assert parse(theirs, ANN, "s2", VOCABULARY) == parse(ours, ANN, "s1", VOCABULARY)
    rule = {"rule": "Keep replies short.", "evidence": ["keep it short"], "confidence": "high"}
    assert parse(rule, ANN, "s1", VOCABULARY).statement == Instruction("Keep replies short.")
    assert parse({**rule, "layer": "procedural"}, ANN, "s1", VOCABULARY).lane == "procedural"
