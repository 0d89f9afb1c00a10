"""The profile of a user: what their plain statements say of them, for every prompt, most needed first.

A prompt about an antibiotic shares no word with "I'm allergic to penicillin", and one about dinner none with
"I'm vegan": what bears on prompts of any subject cannot wait to be retrieved.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from memtool.core.facts.identity import shown_sentence
from memtool.core.records.candidate import SENTENCE
from memtool.core.records.entries import Fact
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.discourse import without_opening
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.health_words import affects_advice, may_affect_advice
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip
from memtool.core.text.stems import content_stems
from memtool.core.text.stopwords import NEGATIONS

_USER = "User"
_ABOUT_USER = (
    r"(?i)(?:the )?user(?:['’]s\b|(?: (?:also|always|usually|often|never|still|now|currently|really|mostly"
    r"|\w+ly))*"
    r" (?:is|isn['’]t|was|has|hasn['’]t|had|does|doesn['’]t|did|can['’]?t|cannot|wo(?:uld|n['’]t)|will"
    r"|wants?|likes?|loves?|hates?"
    r"|prefers?|dislikes?|enjoys?|lives?|works?|drives?|rides?|owns?|uses|plays?|speaks?|studies|teaches"
    r"|learns?|takes?|eats?|drinks?"
    r"|needs?|knows?|comes?|moved?|asked|asks|says?|said|states|keeps?|runs?|goes|gets?|thinks?|plans"
    r"|believes?|expects?|hopes?|feels?"
    r"|suffers?|avoids?|wakes?|sleeps?|collects?|wears?|weighs?|cooks?|bakes?|sings?|volunteers?|started"
    r"|stopped|bought|sold|got"
    r"|became|went|grew|met|married|lost|quit|\w+ed (?:to|from|in|at|that|the|an?|his|her|their|with|as))\b)"
)
"""The beginning of a sentence about the user: `User has a dog`, but not `User interface text is German`."""
_ORDER = (
    ("ALLERGIC_TO", "HAS_CONDITION", "TAKES", "EATS_NO", "HAS_TRAIT"),
    (),
    ("LIVES_IN", "IN_TIME_ZONE", "WORKS_AS", "WORKS_AT", "STUDIES", "STUDIES_AT", "HAS_AGE", "SPEAKS"),
    ("HAS_FAMILY", "KNOWS", "IS_CALLED", "OF_AGE", "COMES_FROM", "WAS_BORN"),
    ("IS", "USES", "DOES", "OWNS", "DRIVES", "PLAYS", "LEARNS", "TEACHES", "STUDIED", "VOLUNTEERS_AT"),
    ("HAS_EXPERIENCE", "WAKES_AT", "SLEEPS_AT", "HAS_HEIGHT", "HAS_WEIGHT", "PLANS", SENTENCE),
)
"""Predicates of statements that a profile has: first what harms if it is not known, after it what is likely
of health, then what most requests depend on, then the people around the user. Worries, experiences and wishes
are retrieved, never repeated with every prompt."""
_LIKELY = 1
"""The place of a statement that is likely about health or diet; one that surely is has place 0."""
_PLACES = {predicate: place for place, predicates in enumerate(_ORDER) for predicate in predicates}
_SENSITIVE = frozenset({"loss", "trigger"})
_MOST = 120
_LONGEST = 160
"""Statements of a profile, and characters of one."""
_RECENT = 500
"""The newest statements, of which each word is looked at."""
_FEW = 30
"""The most statements of which all have room in most prompts."""
_LEAST_SHARED = 2
"""Content words that a newer statement shares with an older one about the same, if neither is a denial."""
_NEGATIONS = frozenset().union(*NEGATIONS.values())


class ProfileStatements(NamedTuple):
    """The statements of a profile, and how many more there are.

    `newest_first` has those that are shown in the order of their files, the last one first, each with the id
    of the newest fact that says it.
    """

    shown: list[str]
    left_out: int
    newest_first: Mapping[str, str]


def profile_statements(
    records: Iterable[SemanticRecord], others: str = "", lasting_odds: Callable[[str], float] | None = None
) -> ProfileStatements:
    """The statements about the user in these records, each once.

    First those that are needed most, and of equally needed ones the newest, which is the last of its file.
    One that has words of an older statement is needed as much as that: it may say what became of it. Each is
    one line: the user's own words where they are known. Superseded facts are left out, and what the text
    `others` says. Of many whole sentences those of most `lasting_odds`, log odds, come first.
    """
    known = _folded(others)
    ranked: dict[str, int] = {}
    ids: dict[str, str] = {}
    for record in reversed([*records]):
        fact = record.fact
        if record.superseded is not None or fact.category in _SENSITIVE:
            continue
        place = _place(fact)
        if place is None:
            continue
        statement = clip(_words(fact), _LONGEST)
        if _folded(statement) in known:
            continue
        if affects_advice(statement):
            place = 0
        elif place > _LIKELY and len(ranked) < _RECENT and may_affect_advice(statement):
            place = _LIKELY
        ranked[statement] = min(place, ranked.get(statement, place))
        ids.setdefault(statement, record.id or "")
    statements = _in_order(ranked, lasting_odds)
    shown = _with_news_first(statements, {text: age for age, text in enumerate(ranked)})[:_MOST]
    kept = {*shown}
    newest_first = {statement: name for statement, name in ids.items() if statement in kept}
    return ProfileStatements(shown, len(statements) - len(shown), newest_first)


def _place(fact: FactTriple | Fact) -> int | None:
    """The place of a fact in the order of a profile; None for one that is not about the user.

    One that was saved as a sentence is about the user if it says so: "I drive a Skoda", "User has a dog".
    """
    if isinstance(fact, Fact):
        is_own = has_first_person(fact.detail) or regex(_ABOUT_USER).match(fact.detail) is not None
        return _PLACES[SENTENCE] if is_own else None
    is_own = fact.subject == _USER or fact.subject.startswith(f"{_USER}'s ")
    return _PLACES.get(fact.predicate) if is_own else None


def _in_order(ranked: Mapping[str, int], lasting_odds: Callable[[str], float] | None) -> list[str]:
    """The statements by place; of the recent ones that come last, first those that surely last.

    Where the log odds are equal, to half of one, the order stays.
    """
    last = len(_ORDER) - 1
    if lasting_odds is None or len(ranked) <= _FEW or last not in ranked.values():
        return sorted(ranked, key=ranked.__getitem__)
    recent = {*itertools.islice(ranked, _RECENT)}

    def order(statement: str) -> tuple[int, float]:
        place = ranked[statement]
        if place < last:
            return place, 0
        return place, -round(2 * lasting_odds(statement)) if statement in recent else 0

    return sorted(ranked, key=order)


def _with_news_first(statements: Sequence[str], ages: Mapping[str, int]) -> list[str]:
    """The first statements, each one before the first older one about the same, and those that deny one of
    them.

    `ages` are the places of all statements, that of the newest 0.
    """
    shown: list[str] = []
    stems: list[Set[str]] = []
    denying = (text for text in statements[_MOST:] if _denies(text))
    for number, statement in enumerate((*statements[:_MOST], *itertools.islice(denying, _MOST))):
        own, is_denial = content_stems(statement), _denies(statement)
        related = [
            place
            for place, other in enumerate(stems)
            if len(own & other) >= (1 if is_denial or _denies(shown[place]) else _LEAST_SHARED)
        ]
        older = next((place for place in related if ages[shown[place]] > ages[statement]), None)
        if number >= _MOST and older is None:
            continue
        place = len(shown) if older is None else older
        shown.insert(place, statement)
        stems.insert(place, own)
    return shown


def _denies(statement: str) -> bool:
    words = search_fold(statement).split()
    return not _NEGATIONS.isdisjoint(words) or any(word.endswith("n't") for word in words)


def _words(fact: FactTriple | Fact) -> str:
    """The user's words, else the triple in words; of a sentence corrected since, the corrected one.

    What only leads to a statement, as "By the way, " does, is no part of it.
    """
    if isinstance(fact, Fact):
        return without_opening(fact.detail)
    if fact.quote and (fact.predicate != SENTENCE or _folded(fact.object) in _folded(fact.quote)):
        return without_opening(fact.quote)
    return without_opening(fact.object) if fact.predicate == SENTENCE else shown_sentence(fact)


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
