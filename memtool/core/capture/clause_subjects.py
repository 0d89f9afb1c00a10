"""Whom a clause is about: the user, somebody else, or both.

`I live in Bruges, not Ghent` is not about `My brother lives in Ghent`, whatever else the two share.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from enum import Enum, auto

from memtool.core.capture.clauses import LineWord, clauses, line_words
from memtool.core.capture.languages.compared_words import (
    ARTICLES,
    COPULAS,
    FIRST_PERSON,
    JOINING,
    POSSESSIVES,
)
from memtool.core.capture.particles import is_particle
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

HABIT = r"(?i)\W*(?:my|our) (?:favou?rite|usual|go-to|preferred|regular|current|main|morning|daily) [^'’]*$"
_OF_USER = r"\W*User['’]s "
_THIRD_PERSON = frozenset(
    search_fold(
        "he she they he's she's they're his her their er sie seine sein ihr ihre él ella ellos ellas il elle"
        " ils elles"
    ).split()
)
_TOGETHER = frozenset(["both", "all", "beide", "alle"])
_WE = frozenset(["we", "we're", "we've", "wir", "nous", "nosotros"])
_MOST_TO_SUBJECT = 3
"""The words of a clause among which its subject is, if that is the user."""
_LONGEST_PERSON = 3
"""The most words that say who somebody is: `my older sister`."""


_OWN = (
    r"(?i)\W*(?:my|mine|our|ours|meine?[rs]?|unser(?:e[rs]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos"
    r"|(?:el|la|los|las) m[ií][oa]s?|l[ea]s? mien(?:ne)?s?)\b"
)
"""How a clause begins about what the user has."""
_OF_ANOTHER = (
    r"(?i)['’]s [^\W\d]|\b(?:his|her|their|sein\w*|ihr\w*)\b"
    r"|\b(?:of|von|de) (?:my|our|mein\w*|unser\w*|mi|nuestr\w*|mon|ma|notre)\b"
    r"|\b(?:meines|meiner|unseres|unserer) [^\W\d]"
)
"""What shows in a clause that another one has the thing."""


class _Subject(Enum):
    """Whom a clause is about."""

    USER = auto()
    OTHER = auto()
    BOTH = auto()


def own_clause(said: str, text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The one of some clauses that is about the user's own thing, if the user speaks of that.

    None where the others do not show that somebody else has theirs: `my dad's car is red and mine is red`.
    """
    if not _is_own(said):
        return None
    own = [span for span in spans if _is_own(text[slice(*span)])]
    others = [span for span in spans if span not in own]
    if len(own) != 1 or not all(regex(_OF_ANOTHER).search(text[slice(*span)]) for span in others):
        return None
    return own[0]


def _is_own(clause: str) -> bool:
    return regex(_OWN).match(clause) is not None and regex(_OF_ANOTHER).search(clause) is None


def is_of_others(said: str, text: str, clause: tuple[int, int]) -> bool:
    """Whether a clause of a text is about somebody else, or the user and others, unlike what the user said.

    False for what is said of another, and for `we`, of the user and others.
    """
    if not said or _subject_of(said, clauses(said)[-1]) is not _Subject.USER:
        return False
    subject = _subject_of(text, clause, content_stems(said))
    is_of_several = any(word.text in _WE for word in line_words(said))
    return subject is _Subject.OTHER or (subject is _Subject.BOTH and not is_of_several)


def _subject_of(text: str, clause: tuple[int, int], verbs: Set[str] = frozenset()) -> _Subject | None:
    """Whom a clause of a text is about, or else the nearest clause before it; None where none tells.

    A name or a thing at the start of a clause is its subject where one of the `verbs`, which are stems,
    follows it.
    """
    spans = [*(span for span in clauses(text) if span[0] < clause[0]), clause]
    for number in range(len(spans) - 1, -1, -1):
        begin, end = spans[number]
        words = _words_of(text, begin, end)
        first = {word.text for word in words[:_MOST_TO_SUBJECT]}
        if regex(HABIT).match(text[begin:end]):
            return _Subject.USER
        if regex(_OF_USER).match(text[begin:end]):
            return _Subject.OTHER
        if any(word in FIRST_PERSON or word == "user" or word.startswith("j'") for word in first):
            is_both = first & _TOGETHER or (number and _is_beside(text, spans[number - 1], begin))
            return _Subject.BOTH if is_both else _Subject.USER
        if words and (words[0].text in POSSESSIVES | _THIRD_PERSON or _begins_with_thing(words, verbs)):
            return _Subject.OTHER
    return None


def _words_of(text: str, begin: int, end: int) -> list[LineWord]:
    return [word for word in line_words(text) if begin <= word.start < end]


def _is_beside(text: str, span: tuple[int, int], begin: int) -> bool:
    """Whether a clause is only somebody beside the user of the next one: `my sister and I`."""
    words = _words_of(text, *span)
    if text[span[1] : begin].strip().lower() not in JOINING or not 0 < len(words) <= _LONGEST_PERSON:
        return False
    is_named = all(text[word.start].isupper() and word.text not in FIRST_PERSON for word in words)
    is_told = regex(r"['’]s [A-ZÀ-Þ0-9]").search(text[slice(*span)])  # `my name's Samira`
    is_owned = words[0].text in POSSESSIVES and len(words) > 1 and not is_told
    return (is_named or is_owned) and not any(word.text in COPULAS for word in words)


def _begins_with_thing(words: Sequence[LineWord], verbs: Set[str]) -> bool:
    """Whether a clause begins with a name or a thing that a verb follows: `Bob drives`, `the kids eat`."""
    for number, word in enumerate(words[: _LONGEST_PERSON + 1]):
        if content_stems(word.text) & verbs:
            before = [each.text for each in words[:number]]
            is_thing = before and (before[0] in ARTICLES or not is_particle(before[0]))
            return bool(is_thing) and not before[-1].endswith("ly")
    return False
