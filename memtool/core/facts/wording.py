"""How a prompt words a fact: in the user's own words where these are enough."""

from __future__ import annotations

from memtool.core.records.candidate import SENTENCE, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.stems import content_stems

_USER = "User"
_MORE = 2
"""Words that a quote has besides the object, so that it is a statement: `I have a dog`, not `a dog`."""
_WHOLE = frozenset({SENTENCE, "PLANS"})
"""Predicates whose object can be all that the quote says: `my flight is on 3 December`."""


def own_wording(fact: FactTriple) -> str:
    """The user's own words where they say all that the triple does; else "".

    `I have a dog` says more plainly what `User HAS_FAMILY a dog` does.
    """
    name = entity_name(fact.object)
    if fact.quote:
        subject = "" if fact.subject == _USER else entity_name(fact.subject).removeprefix(f"{_USER}'s ")
        is_statement = len(fact.quote.split()) >= len(name.split()) + _MORE or fact.predicate in _WHOLE
        if is_statement and content_stems(f"{subject} {name}") <= content_stems(fact.quote):
            return fact.quote
    return ""
