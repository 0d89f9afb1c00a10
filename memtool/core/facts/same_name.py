"""Same names: when the name of one object is the end of another one, and means the same."""

from __future__ import annotations

from memtool.core.facts.duplicates import is_near_duplicate
from memtool.core.facts.support import EvidenceText
from memtool.core.records.candidate import entity_kind, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.phrases import plain_text
from memtool.core.text.stopwords import NEGATIONS

_NEGATIONS = NEGATIONS["en"]
"""English only: negations of other languages can be names (Mai, Nie)."""


def is_same_name(short: FactTriple, long: FactTriple) -> bool:
    """Whether one name is the end of the other and means the same: `Sarah` of `my sister Sarah`.

    A person's name with a capital does, unless a possessive is before it: `Sarah's mother` is not `mother`.
    Other things are the same only if nearly the same words prove both: `marathon` and `city marathon`, both
    of "I will run the city marathon".
    """
    kinds = {entity_kind(short.object), entity_kind(long.object)}
    tail, whole = plain_text(entity_name(short.object)).split(), plain_text(entity_name(long.object)).split()
    if len(kinds) > 1 or not 0 < len(tail) < len(whole) or whole[-len(tail) :] != tail:
        return False
    if whole[-len(tail) - 1].endswith(("'s", "s'")):
        return False
    if not _NEGATIONS.isdisjoint(whole[: -len(tail)]):
        return False
    if _names_both(" ".join(tail), " ".join(whole), long):
        return False
    is_name = kinds == {"Person"} and entity_name(short.object)[:1].isupper()
    return is_name or bool(short.quote and long.quote and is_near_duplicate(short.quote, long.quote))


def _names_both(tail: str, whole: str, long: FactTriple) -> bool:
    """Whether the quote for the longer name has the shorter one besides: `guitar and bass guitar`."""
    return EvidenceText(plain_text(long.quote or "").replace(whole, " ")).contains_quote(tail)
