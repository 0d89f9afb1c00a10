"""Forget receipts: what an earlier version wrote goes on keeping forgotten text out."""

from __future__ import annotations

from memtool.formats import forget_receipt

EARLIER = (
    '{"at": "2026-11-01T10:00:00Z", "by": "cli", "key": "k1", "counts": {}, "owner": "user:ann",'
    ' "turns": ["t1"], "said": ["d1", "d2"]}\n'
)


def test_texts_of_a_receipt_of_version_0_2_are_read_and_written_under_their_present_name():
    (receipt,) = forget_receipt.parse(EARLIER)
    assert receipt.tombstones.user_texts == ("d1", "d2")
    line = forget_receipt.render_line(receipt)
    assert '"said"' not in line
    assert [*forget_receipt.parse(line)] == [receipt]
