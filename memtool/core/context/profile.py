"""The profile of a user: what their plain statements say of them, for every prompt, most needed first.

A prompt about an antibiotic shares no word with "I'm allergic to penicillin", and one about dinner none with
"I'm vegan": what bears on prompts of any subject cannot wait to be retrieved.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.sanitise import clip

_USER = "User"
_ORDER = (
    ("ALLERGIC_TO", "HAS_CONDITION", "TAKES", "EATS_NO", "HAS_TRAIT"),
    ("LIVES_IN", "IN_TIME_ZONE", "WORKS_AS", "WORKS_AT", "STUDIES", "STUDIES_AT", "HAS_AGE", "SPEAKS"),
    ("HAS_FAMILY", "KNOWS", "IS_CALLED", "OF_AGE", "COMES_FROM", "WAS_BORN"),
    ("IS", "USES", "DOES", "OWNS", "DRIVES", "PLAYS", "LEARNS", "TEACHES", "STUDIED", "VOLUNTEERS_AT"),
    ("HAS_EXPERIENCE", "WAKES_AT", "SLEEPS_AT", "HAS_HEIGHT", "HAS_WEIGHT", "PLANS", "STATES"),
)
"""Predicates of statements that a profile has: first what harms if it is not known, then what most requests
depend on, then the people around the user. Worries, experiences and wishes are retrieved, never repeated
with every prompt."""
_PLACES = {predicate: place for place, predicates in enumerate(_ORDER) for predicate in predicates}
_SENSITIVE = frozenset({"loss", "trigger"})
_LONGEST = 160
"""Characters of a statement."""


def profile_statements(records: Iterable[SemanticRecord]) -> list[str]:
    """The statements about the user in these records, in the order of their files, each once.

    First those that are needed most, and of equally needed ones the newest, which is the last of its file.
    Each is one line: the user's own words where they are known. Superseded facts are left out.
    """
    ranked: dict[str, int] = {}
    for record in reversed([*records]):
        fact = record.fact
        if record.superseded is not None or not isinstance(fact, FactTriple) or fact.category in _SENSITIVE:
            continue
        place = _PLACES.get(fact.predicate)
        if place is None or not (fact.subject == _USER or fact.subject.startswith(f"{_USER}'s ")):
            continue
        statement = clip(fact.quote or f"{fact.subject} {fact.predicate} {fact.object}", _LONGEST)
        ranked[statement] = min(place, ranked.get(statement, place))
    return sorted(ranked, key=ranked.__getitem__)
