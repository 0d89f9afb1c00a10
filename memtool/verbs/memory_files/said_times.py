"""When the statements of memory were said, for a message of the past that is recorded after them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import cached_property

from memtool.core.facts.one_value import value_key
from memtool.core.facts.reconcile import fact_slot
from memtool.core.facts.rules import ConductRule
from memtool.core.records.candidate import Claim
from memtool.core.records.entries import Fact, Owner, WalEntry
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.stems import content_stems
from memtool.formats import rules, session_state
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.evidence import last_said

_DELAY = timedelta(days=1)
"""How old a message must be for statements whose time is unknown to count as newer."""
_SHARED = 2
"""Content stems that a line shares with the correction from which it comes."""


class SaidTimes:
    """Which statements of memory were said after a message that came at `at` and is recorded now.

    The time of a fact or rule is that of its newest evidence, the time of a line that of its entry in the
    log. Without a time, it counts as said on the day of recording, if the message is more than a day old.
    """

    def __init__(self, workspace: Workspace, at: datetime, recorded_at: datetime, group: str | None) -> None:
        self._workspace = workspace
        self._at = at
        self._recorded_at = recorded_at
        self._group = group

    def day_of_later_fact(self, record: SemanticRecord) -> date | None:
        """The day on which a fact was said, if that was after the message."""
        return self._day_if_later(self._evidence.get(record.id or ""))

    def is_later_fact(self, name: str) -> bool:
        """Whether the fact of an id was said after the message."""
        return self._day_if_later(self._evidence.get(name)) is not None

    def is_later_rule(self, rule: ConductRule) -> bool:
        """Whether a rule was said after the message."""
        return max(rule.at, self._evidence.get(rule.id, rule.at)) > self._at

    def is_archived_later(self, name: str) -> bool:
        """Whether the rule of an id was archived after the message."""
        return self._archived.get(name, date.min) > self._at.date()

    def is_later_line(self, line: Fact) -> bool:
        """Whether a line of long-term memory was said after the message."""
        return self._day_if_later(self._line_time(line)) is not None

    def ended_fact(
        self, records: Iterable[SemanticRecord], claim: Claim, owner: Owner | None
    ) -> SemanticRecord | None:
        """The fact that says what a claim of the message says, and was superseded after it."""
        said = FactTriple(claim.category, claim.subject, claim.predicate, claim.object, None, owner)
        slot, key = fact_slot(said), value_key(claim.object)
        ended = (
            record
            for record in records
            if isinstance(record.fact, FactTriple)
            and (fact_slot(record.fact), value_key(record.fact.object)) == (slot, key)
            and self._is_ended_later(record)
        )
        return next(ended, None)

    def _is_ended_later(self, record: SemanticRecord) -> bool:
        mark = record.superseded
        if mark is None:
            return False
        known = self._evidence.get(mark.by or "")
        return known > self._at if known is not None else mark.on > self._at.date()

    def _day_if_later(self, said: datetime | None) -> date | None:
        if said is None:
            return self._recorded_at.date() if self._recorded_at - self._at > _DELAY else None
        return said.date() if said > self._at else None

    def _line_time(self, line: Fact) -> datetime | None:
        if (same := self._logged.get((line.owner, line.detail))) is not None:
            return same
        stems = content_stems(line.detail)  # a corrected line has the words of its correction
        shared = (
            at
            for owner, at, words in self._corrections
            if owner == line.owner and len(stems & words) >= _SHARED
        )
        return max(shared, default=None)

    @cached_property
    def _logged(self) -> dict[tuple[Owner | None, str], datetime]:
        """The time of the last entry of each owner and text."""
        times: dict[tuple[Owner | None, str], datetime] = {}
        for entry in self._log:
            key = (entry.owner, entry.detail)
            times[key] = max(entry.at, times.get(key, entry.at))
        return times

    @cached_property
    def _corrections(self) -> list[tuple[Owner | None, datetime, frozenset[str]]]:
        """The owner, time and content stems of each logged correction."""
        return [
            (entry.owner, entry.at, frozenset(content_stems(entry.detail)))
            for entry in self._log
            if entry.category == "correction"
        ]

    @cached_property
    def _archived(self) -> dict[str, date]:
        """The day on which each archived rule was archived last, by id."""
        document = self._workspace.read(self._workspace.layout.path("rules-archive"))
        return rules.archived_days(document.text) if document else {}

    @cached_property
    def _evidence(self) -> dict[str, datetime]:
        """The time of the newest evidence of each fact and rule, by id."""
        return last_said(self._workspace)

    @cached_property
    def _log(self) -> list[WalEntry]:
        """The entries of the session state and its archive."""
        entries: list[WalEntry] = []
        for role in ("session-state", "session-state-archive"):
            document = self._workspace.read(self._workspace.layout.path(role, group=self._group))
            if document is not None:
                entries += session_state.entries(session_state.parse(document.text))
        return entries
