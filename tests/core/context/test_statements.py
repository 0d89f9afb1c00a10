"""Statements: what a conversation has already, however it is written."""

from __future__ import annotations

from memtool.core.context.statements import is_known, statements


def test_a_number_beside_a_known_statement_is_news():
    known = statements("The launch of the shop moves to autumn")
    assert is_known("The launch of the shop moves to autumn. Ok!", known)
    assert not is_known("The launch of the shop moves to autumn. 12.10", known)
