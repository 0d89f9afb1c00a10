"""A fact's identity: its id, its text for comparison, and when two facts are the same (five-layer memory)."""

from __future__ import annotations

import re

from memtool.core.digest import blake2b
from memtool.core.facts.duplicates import comparison_key, deciding_tokens, is_near_duplicate
from memtool.core.facts.one_value import is_same_wording
from memtool.core.facts.wording import of_user, own_wording
from memtool.core.records.candidate import SENTENCE, entity_kind, entity_name
from memtool.core.records.entries import Fact, Owner, user_of
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.text.first_person import has_first_person
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems
from memtool.core.text.stopwords import is_stop_word
from memtool.core.text.tokenizer import ASCII_WORD, NAME_WORD

SAME_SIMILARITY = 0.93
"""Similarity of two vectors from which two facts may be the same."""
CATEGORY_PATTERN = r"[a-z][a-z0-9_]+"
"""The regular expression of a category."""
_NUMBER_WORDS = frozenset(NUMBER_WORDS)
_VERBS = {
    "ALLERGIC_TO": "is allergic to",
    "HAS_TRAIT": "is",
    "HAS_FAMILY": "has",
    "HAS_CONDITION": "has",
    "HAS_EXPERIENCE": "has been",
    "HAS_AGE": "is of age",
    "OF_AGE": "is of age",
    "EATS_NO": "does not",
    "IN_TIME_ZONE": "is in the time zone",
    "HAS_HEIGHT": "is of height",
    "HAS_WEIGHT": "weighs",
}
"""Predicates whose own words are no verb of a sentence."""


def fact_sentence(fact: Fact | FactTriple) -> str:
    """A fact as a sentence, for display and search."""
    if isinstance(fact, Fact):
        return fact.detail
    quote = f' — "{fact.quote}"' if fact.quote else ""
    return f"{fact.subject} {fact.predicate} {fact.object}{quote}"


def shown_sentence(fact: Fact | FactTriple) -> str:
    """A fact as a sentence for people: in the user's own words if these say all of it, else as a relation.

    "User knows my sister Ada" says in worse words only a part of `My sister Ada sings`.
    """
    if isinstance(fact, Fact):
        return fact.detail
    if fact.quote and _is_stated(fact):
        return fact.quote
    if fact.quote and has_first_person(fact.quote) and (own := own_wording(fact)):
        return own
    if fact.quote and fact.predicate == "DOES":
        return fact.quote  # its object has a verb of its own: "does work part time"
    quote = f' — "{fact.quote}"' if fact.quote else ""
    object_ = entity_name(fact.object)
    if fact.subject == "User" and fact.predicate == SENTENCE and has_first_person(object_):
        return f"{object_}{quote}"
    object_ = of_user(object_) if fact.subject.startswith("User") else object_
    return f"{' '.join(filter(None, (entity_name(fact.subject), shown_relation(fact), object_)))}{quote}"


def _is_stated(fact: FactTriple) -> bool:
    """Whether a fact is a sentence as the user stated it: its triple adds nothing to the quotation."""
    return fact.predicate == SENTENCE and (
        fact.object == fact.quote or content_stems(fact.object) <= content_stems(fact.quote or "")
    )


def quote_states(fact: FactTriple) -> bool:
    """Whether a fact's quotation has a word of its object; if not, one of them was edited by hand."""
    quote, words = (fact.quote or "").lower(), fact.object.lower().split()
    if fact.predicate == SENTENCE or any(len(word) > 3 and word in quote for word in words):
        return True  # nearly all facts, which need no stems
    folded, stems = search_fold(quote), content_stems(entity_name(fact.object))
    return not stems or any(stem in folded for stem in stems)


def comparison_text(fact: Fact | FactTriple) -> str:
    """A fact as a sentence for comparison, with the predicate in plain words; a stated sentence as it is."""
    if isinstance(fact, Fact):
        return fact.detail
    if _is_stated(fact):
        return fact.quote or fact.object
    sentence = f"{fact.subject} {relation_words(fact)} {fact.object}".replace(":", " ")
    return f"{sentence}. {fact.quote}" if fact.quote else sentence


def relation_words(fact: Fact | FactTriple) -> str:
    """The words of a predicate, such as `lives in`, in the text for comparison; "" where it has none."""
    if isinstance(fact, Fact) or _is_stated(fact):
        return ""
    return fact.predicate.replace("_", " ").lower()


def naming_words(fact: Fact | FactTriple) -> str:
    """The words in the text for comparison that only name the relation, or the kind of its object.

    They are `lives in`, and `knows Person` of `User KNOWS Person:Ann`; "" where there are none.
    """
    relation = relation_words(fact)
    if not relation or isinstance(fact, Fact):
        return ""
    return f"{relation} {entity_kind(fact.object)}".strip()


def shown_relation(fact: FactTriple) -> str:
    """The words of a predicate as `shown_sentence` has them: `is allergic to`."""
    return _VERBS.get(fact.predicate) or relation_words(fact)


def fact_id(text: str, owner: Owner | None) -> str:
    """The id of a fact without a key: equal for texts of one owner that differ only in case and spacing."""
    return f"m-{_hash(str(owner or ''), comparison_key(text))}"


def record_id(record: SemanticRecord) -> str:
    """The id of a record; if it has none, the id under which its fact would be saved."""
    return record.id or fact_id(fact_sentence(record.fact), record.fact.owner)


def fact_id_of_key(key: str, owner: Owner | None) -> str:
    """The id of an owner's fact with a key, such as `k-city`; raises ValueError for an empty key.

    A hash distinguishes what the slug loses (other scripts, the end of a long key) and the user.
    """
    owner = user_of(owner)
    folded = search_fold(key).strip()
    if not folded:
        raise ValueError(key)
    slug = "-".join(regex(ASCII_WORD).findall(folded))[:40].strip("-")
    is_whole = slug == re.sub(r"[\s_-]+", "-", folded)
    rest = "" if is_whole and owner is None else _hash(str(owner or ""), folded)[:6]
    return "-".join(part for part in ("k", slug, rest) if part)


def normalise_category(text: str) -> str:
    """A category as files spell it: lower case with underscores. Raises ValueError if it is invalid."""
    category = "_".join(regex(ASCII_WORD).findall(text.strip().lower()))
    if not regex(CATEGORY_PATTERN).fullmatch(category) or len(category) > 64:
        raise ValueError(text)
    return category


def is_same_fact(known: str, new: str, similarity: float) -> bool:
    """Whether a new fact is a known one, by the same values, nearly the same words or their vectors.

    Facts with other numbers, negations or names are never the same: a mean of word vectors hardly changes
    with them, nor from green tea to black tea. So both must have the same content words, or pairs of
    characters in continuous scripts, inflected or not.
    """
    if is_same_wording(known, new):
        return True
    if _deciding_words(known, new) != _deciding_words(new, known):
        return False
    return (is_near_duplicate(known, new) or similarity >= SAME_SIMILARITY) and content_stems(
        new
    ) == content_stems(known)


def _deciding_words(text: str, other: str) -> frozenset[str]:
    """The numbers and negations of a text, and its words that have a capital in it or in the other text."""
    names = {search_fold(word) for part in (text, other) for word in _capitalised(part)}
    words = {search_fold(word).removesuffix("'s") for word in regex(NAME_WORD).findall(text)}
    return deciding_tokens(text) | (names & words) | (_NUMBER_WORDS & words)


def _capitalised(text: str) -> list[str]:
    """The words with a capital, without stop words: the first of a sentence may be `The`."""
    words = (word.replace("’", "'").removesuffix("'s") for word in regex(NAME_WORD).findall(text))
    return [word for word in words if word != word.lower() and not is_stop_word(search_fold(word))]


def _hash(*parts: str) -> str:
    content = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=6).hexdigest()
