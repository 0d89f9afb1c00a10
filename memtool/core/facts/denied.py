"""Denied facts: whether a fact is the one that a user denies, and what is left of it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from memtool.core.records.candidate import Claim, entity_kind, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex

_ARTICLES = frozenset({"a", "an", "the"})
_ITEM_ENDS = r"\s*,\s*(?:and |or )?|\s+(?:and|or)\s+"


def object_after_denial(fact: FactTriple, denied: Claim, said: str) -> str | None:
    """What a denial leaves of the object of a fact: nothing, or a list without an item.

    None if the denial is about something else: `said` of a teacher at Oak School, it is not about a fact of
    Elm School. `Rome` is also denied where the object is `Rome, Italy`.
    """
    if fact.predicate != denied.predicate or plain_text(fact.subject) != plain_text(denied.subject):
        return None
    whose, known = _of_what(said, denied.object), _of_what(fact.quote or "", denied.object)
    if whose and known and whose != known:
        return None
    if entity_kind(fact.object) == "Person" or entity_kind(denied.object) == "Person":
        return "" if _words(entity_name(fact.object)) == _words(entity_name(denied.object)) else None
    wrong, items = _words(denied.object), regex(_ITEM_ENDS).split(fact.object)
    if _words(fact.object) == wrong:
        return ""
    if all(item and item[0].islower() for item in items) or " and " in fact.object:
        left = [item for item in items if _words(item) != wrong]
        if len(left) < len(items):
            from memtool.core.text.enumeration import enumeration  # few denials leave a list

            return enumeration(left)
    return "" if wrong and _words(fact.object)[: len(wrong)] == wrong and len(items) < 3 else None


def fact_after_denial(fact: FactTriple, left: str) -> FactTriple:
    """The fact with what a denial left of its object, in the user's words where they have the object."""
    quote = fact.quote or ""
    match = re.search(re.escape(fact.object), quote, re.IGNORECASE)
    said = f"{quote[: match.start()]}{left}{quote[match.end() :]}" if match else None
    return replace(fact, object=left, quote=said)


def _words(text: str) -> list[str]:
    words = regex(r"[\w'+#]+").findall(plain_text(text).replace("-", " "))
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _of_what(text: str, object_: str) -> str:
    """The first word of what a text says an object is of: `Oak`, for `a teacher at Oak School`."""
    pattern = rf"(?i){re.escape(object_)} (?:at|in|for|of|on|with) (?:(?:the|my|our|a) )?([\w'-]+)"
    match = re.search(pattern, text)
    return match[1] if match else ""
