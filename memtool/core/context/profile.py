"""The profile of a user: what their plain statements say of them, for every prompt, most needed first.

A prompt about an antibiotic shares no word with "I'm allergic to penicillin", and one about dinner none with
"I'm vegan": what bears on prompts of any subject cannot wait to be retrieved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memtool.core.records.candidate import SENTENCE
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.folding import search_fold
from memtool.core.text.health_words import affects_advice
from memtool.core.text.sanitise import clip
from memtool.core.text.stems import content_stems
from memtool.core.text.stopwords import NEGATIONS

_USER = "User"
_ORDER = (
    ("ALLERGIC_TO", "HAS_CONDITION", "TAKES", "EATS_NO", "HAS_TRAIT"),
    ("LIVES_IN", "IN_TIME_ZONE", "WORKS_AS", "WORKS_AT", "STUDIES", "STUDIES_AT", "HAS_AGE", "SPEAKS"),
    ("HAS_FAMILY", "KNOWS", "IS_CALLED", "OF_AGE", "COMES_FROM", "WAS_BORN"),
    ("IS", "USES", "DOES", "OWNS", "DRIVES", "PLAYS", "LEARNS", "TEACHES", "STUDIED", "VOLUNTEERS_AT"),
    ("HAS_EXPERIENCE", "WAKES_AT", "SLEEPS_AT", "HAS_HEIGHT", "HAS_WEIGHT", "PLANS", SENTENCE),
)
"""Predicates of statements that a profile has: first what harms if it is not known, then what most requests
depend on, then the people around the user. Worries, experiences and wishes are retrieved, never repeated
with every prompt."""
_PLACES = {predicate: place for place, predicates in enumerate(_ORDER) for predicate in predicates}
_SENSITIVE = frozenset({"loss", "trigger"})
_MOST = 120
_LONGEST = 160
"""Statements of a profile, and characters of one."""
_LEAST_SHARED = 2
"""Content words that a newer statement shares with an older one about the same, if it denies nothing."""
_NEGATIONS = frozenset().union(*NEGATIONS.values())


class ProfileStatements(NamedTuple):
    """The statements of a profile, how many more there are, and whether a newer one is about the same as an
    older one, which then comes after it."""

    shown: list[str]
    left_out: int
    has_news: bool


def profile_statements(records: Iterable[SemanticRecord], others: str = "") -> ProfileStatements:
    """The statements about the user in these records, each once.

    First those that are needed most, and of equally needed ones the newest, which is the last of its file.
    One that has words of an older statement is needed as much as that: it may say what became of it. Each is
    one line: the user's own words where they are known. Superseded facts are left out, and what the text
    `others` says.
    """
    known = _folded(others)
    ranked: dict[str, int] = {}
    for record in reversed([*records]):
        fact = record.fact
        if record.superseded is not None or not isinstance(fact, FactTriple) or fact.category in _SENSITIVE:
            continue
        place = _PLACES.get(fact.predicate)
        if place is None or not (fact.subject == _USER or fact.subject.startswith(f"{_USER}'s ")):
            continue
        statement = clip(_words(fact), _LONGEST)
        if _folded(statement) in known:
            continue
        if affects_advice(statement):
            place = 0
        ranked[statement] = min(place, ranked.get(statement, place))
    statements = sorted(ranked, key=ranked.__getitem__)
    shown, has_news = _with_news_first(statements[:_MOST], [*ranked])
    return ProfileStatements(shown, len(statements[_MOST:]), has_news)


def _with_news_first(statements: Sequence[str], newest: Sequence[str]) -> tuple[list[str], bool]:
    """The statements, each one before the first older one about the same; whether there is such an older one.

    `newest` are all statements, the newest first.
    """
    ages = {statement: age for age, statement in enumerate(newest)}
    stems = {statement: content_stems(statement) for statement in statements}
    shown: list[str] = []
    has_news = False
    for statement in statements:
        denies = not _NEGATIONS.isdisjoint(search_fold(statement).split())
        least = 1 if denies else _LEAST_SHARED
        place = next(
            (
                number
                for number, other in enumerate(shown)
                if ages[other] > ages[statement] and len(stems[other] & stems[statement]) >= least
            ),
            len(shown),
        )
        has_news |= place < len(shown)
        shown.insert(place, statement)
    return shown, has_news


def _words(fact: FactTriple) -> str:
    """The user's words; of a sentence that was corrected since, the corrected one."""
    if fact.quote and (fact.predicate != SENTENCE or _folded(fact.object) in _folded(fact.quote)):
        return fact.quote
    return fact.object if fact.predicate == SENTENCE else f"{fact.subject} {fact.predicate} {fact.object}"


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
