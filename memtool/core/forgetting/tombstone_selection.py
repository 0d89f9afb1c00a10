"""Tombstone selection: which records tombstones of another machine remove."""

from __future__ import annotations

from memtool.core.forgetting.selection import ForgetRequest, RecordFacts, Selection
from memtool.core.forgetting.statements import statements
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.records.entries import Owner


class TombstoneSelection(Selection):
    """Decides on records by tombstones, and takes with them what was derived from those that go."""

    def __init__(self, forgotten: Forgotten) -> None:
        super().__init__(ForgetRequest(), {})
        self._forgotten = forgotten

    def reason(self, record: RecordFacts) -> str:
        """Why a record goes: owned, source, says or derived; empty for one that stays."""
        kind, _, name = record.owner.partition(":")
        owner = Owner(kind, name) if name else None
        if self._forgotten.has_user(owner):
            return "owned"
        session = record.session or (name if kind == "session" else "")
        if (record.turn or session) and self._forgotten.has_turn(record.turn, session):
            return "source"
        if any(self._forgotten.has_text(text, owner) for text in statements(record.text)):
            return "says"
        return self._derived(record, by_text=False)

    def is_said_in(self, text: str) -> bool:
        """Whether a line of a text was forgotten."""
        return any(self._forgotten.has_text(said, None) for said in statements(text))
