"""The typed checks of candidates accept and refuse what their schemas do."""

from __future__ import annotations

import copy
import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtool.formats import candidate_line, json_lines
from memtool.formats.candidate_line import InvalidCandidate
from memtool.formats.syntax import json_text
from memtool.store.config import schemas
from tests.examples import examples

from .test_candidates import ANN, FEAR, SPECIMEN, WISH
from .test_turn import spoiled

HELD = [json_text.loads(line)[0] for line in SPECIMEN.splitlines()]
COALA = {
    **{key: FEAR[key] for key in ("category", "predicate", "evidence_quote")},
    "subject": {"type": "User", "identifier": "user-1"},
    "object": {"type": "Event", "identifier": "exam"},
    "layer": "semantic",
    "source_turn_index": 0,
    "source_session_id": "s1",
}
PROPOSALS = [
    FEAR,
    WISH,
    COALA,
    {"rule": "Keep replies short.", "evidence": ["keep it short"]},
    {**WISH, "explicitness": "explicit", "message": "please keep it short", "session": "s-2"},
]
NAMES = [
    *("lane", "layer", "turn", "session", "scope", "explicit", "explicitness", "message", "evidence_quote"),
    *("evidence", "rule", "predicate", "subject", "source_turn_index", "source_session_id", "until", "was"),
]
VALUES = st.sampled_from(
    [
        *(None, True, 1, 0, 2.0, 2.5, -1, "", " ", "x", " x ", "x\n", "!", [], ["a", " "], ["a", "b"], {}),
        *("semantic", "procedural", "turn", "s 1", "x" * 129, "x" * 201, "x" * 281, "user:ann", "2025-01-15"),
        *({"type": "User"}, {"type": "Event", "identifier": " "}, {"type": "Event"}, {"type": "x" * 65}),
        *("2025-01-15T10:30:00Z", "2025-01-15T10:30Z", "2025-02-30T10:30:00Z", "hold_for_review", "drop"),
    ]
)


def broken(record, name, value, chance: random.Random):
    """The record with one field set, taken out, or with one value anywhere in it replaced."""
    if name is None:
        return spoiled(record, chance)
    record = copy.deepcopy(record)
    if value is Ellipsis:
        record.pop(name, None)
    else:
        record[name] = value
    return record


class AnyWord(frozenset):
    """A vocabulary of every word: which there are is the write policy's, and no part of the schema."""

    def __contains__(self, word):
        return True


EVERYTHING = {name: AnyWord() for name in ("categories", "predicates", "stated")}


def is_accepted(record):
    try:
        candidate_line.parse(record, ANN, "s1", EVERYTHING)
    except InvalidCandidate:
        return False
    return True


FIELDS = st.none() | st.sampled_from(NAMES)


@settings(max_examples=examples(500))
@given(
    st.sampled_from(PROPOSALS),
    FIELDS,
    VALUES | st.just(...),
    st.randoms(use_true_random=True),
    st.booleans(),
)
@example(FEAR, "lane", ..., random.Random(0), False)
def test_proposals_are_accepted_and_refused_as_by_their_schema(proposal, name, value, chance, again):
    record = broken(proposal, name, value, chance)
    if again:
        record = broken(record, chance.choice(NAMES), chance.choice([..., None, "", "x", 1]), chance)
    assert is_accepted(record) == (schemas.violation("proposal", record) is None), record


def test_whole_proposals_are_accepted():
    for proposal in PROPOSALS:
        assert is_accepted(proposal), proposal
        assert schemas.violation("proposal", proposal) is None


@settings(max_examples=examples(500))
@given(st.sampled_from(HELD), FIELDS, VALUES | st.just(...), st.randoms(use_true_random=True))
def test_held_candidates_are_accepted_and_refused_as_by_their_schema(held, name, value, chance):
    assert candidate_line.is_held(held)
    record = broken(held, name, value, chance)
    text = json_text.dump_line(record)
    read = json_lines.record("candidates", json_lines.parse(text))
    assert candidate_line.is_held(record) == (schemas.violation("candidates", read) is None), record
