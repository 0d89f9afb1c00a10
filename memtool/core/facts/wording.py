"""How prompts and lists word a fact: in the user's own words where these are enough."""

from __future__ import annotations

from memtool.core.records.candidate import SENTENCE, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.discourse import without_opening
from memtool.core.text.first_person import has_first_person, possessives
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_USER = "User"
_MORE = 2
"""Words that a quote has besides the object, so that it is a statement: `Ada has a dog`, not `a dog`. In the
first person, one is enough: `I'm a nurse`."""
_WHOLE = frozenset({SENTENCE, "PLANS"})
"""Predicates whose object can be all that the quote says: `my flight is on 3 December`."""
_HAVING = frozenset({"KNOWS", "HAS_FAMILY", "OWNS"})
"""Predicates that a possessive of the first person says by itself: `my partner Joris`."""
_POSSESSIVE = r"\b(?:my|our)(?= \w)|\A(?:My|Our)(?= [a-z])"
"""A possessive of the first person, but not the first word of a title: `My Fair Lady`."""


def own_wording(fact: FactTriple) -> str:
    """The user's own words where they say all that the triple does; else "".

    `I have a dog` says more plainly what `User HAS_FAMILY a dog` does. "Actually, " and the like before it is
    left out.
    """
    name = entity_name(fact.object)
    if fact.quote:
        subject = "" if fact.subject == _USER else entity_name(fact.subject).removeprefix(f"{_USER}'s ")
        more = 1 if has_first_person(fact.quote) else _MORE
        is_statement = len(fact.quote.split()) >= len(name.split()) + more or fact.predicate in _WHOLE
        is_statement = is_statement or (fact.subject == _USER and _says_having(fact))
        if is_statement and (
            (not subject and search_fold(name) in search_fold(fact.quote))
            or content_stems(f"{subject} {name}") <= content_stems(fact.quote)
        ):
            return without_opening(fact.quote)
    return ""


def of_user(words: str) -> str:
    """Words of the user as a sentence about "User" has them: `their partner Joris` for `my partner Joris`."""
    return regex(_POSSESSIVE).sub("their", words)


def _says_having(fact: FactTriple) -> bool:
    """Whether a quote is a phrase that says by its possessive that the user has what it names."""
    first = search_fold(fact.quote or "").split(" ", 1)[0]
    return fact.predicate in _HAVING and first in possessives()
