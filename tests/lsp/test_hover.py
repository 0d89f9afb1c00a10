"""What the hover of a fact says of its evidence and of the decision about it."""

from __future__ import annotations

from memtool.serve.lsp.hover import describe_record
from memtool.verbs.editor.records import RecordDetails
from memtool.verbs.journal.trace_origin import TraceStep


def described(kind, text, **about):
    step = TraceStep(kind, "memory/cognition/x.jsonl", 3, text, about)
    return describe_record(RecordDetails("k-key", None, (step,))).splitlines()[1:]


def test_a_decision_is_told_in_words():
    text = "commit_at_session_end (rule: stable_fact)"
    assert described("decision", text, action="commit_at_session_end", rule="stable_fact") == [
        "- decision: commit at session end (rule: stable\\_fact)"
    ]


def test_a_session_without_a_name_is_not_told():
    assert described("evidence", "Yes", session="scan") == ["- said: “Yes” (memory/cognition/x.jsonl:3)"]
    assert "said session s1:" in described("evidence", "Yes", session="s1")[0]
