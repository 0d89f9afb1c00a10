"""A fact's identity: its id, its text for comparison, and when two facts are the same (five-layer memory)."""

from __future__ import annotations

import re
from hashlib import blake2b

from memtool.core.facts.dedup import deciding, is_near, key
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.triple import SemanticRecord, Triple
from memtool.core.text.pattern import compiled
from memtool.core.text.stems import stem
from memtool.core.text.stopwords import is_stop_word
from memtool.core.text.terms import ASCII_WORD, NAME, content_terms
from memtool.core.text.text import search_fold
from memtool.core.text.when import NUMBERS

SAME = 0.93
"""Similarity of two vectors from which two facts may be the same."""
CATEGORY = r"[a-z][a-z0-9_]+"
"""The regular expression of a category."""
_COUNTS = frozenset(NUMBERS)


def spoken(known: Fact | Triple) -> str:
    """A fact as a sentence, for display and search."""
    if isinstance(known, Fact):
        return known.detail
    quote = f' — "{known.quote}"' if known.quote else ""
    return f"{known.subject} {known.predicate} {known.object}{quote}"


def meant(known: Fact | Triple) -> str:
    """A fact as a sentence for comparison, with the predicate in plain words."""
    if isinstance(known, Fact):
        return known.detail
    sentence = f"{known.subject} {known.predicate.replace('_', ' ').lower()} {known.object}".replace(":", " ")
    return f"{sentence}. {known.quote}" if known.quote else sentence


def id_of(text: str, owner: Owner | None) -> str:
    """The id of a fact without a key: equal for texts of one owner that differ only in case and spacing."""
    return f"m-{_hash(str(owner or ''), key(text))}"


def name_of(record: SemanticRecord) -> str:
    """The id of a record; if it has none, the id under which its fact would be saved."""
    return record.id or id_of(spoken(record.known), record.known.owner)


def id_of_key(said: str, owner: Owner | None) -> str:
    """The id of an owner's fact with a key, such as `k-city`; raises ValueError for an empty key.

    A hash distinguishes what the slug loses (other scripts, the end of a long key) and the owner.
    """
    folded = search_fold(said).strip()
    if not folded:
        raise ValueError(said)
    slug = "-".join(compiled(ASCII_WORD).findall(folded))[:40].strip("-")
    is_whole = slug == re.sub(r"[\s_-]+", "-", folded)
    rest = "" if is_whole and owner is None else _hash(str(owner or ""), folded)[:6]
    return "-".join(part for part in ("k", slug, rest) if part)


def category_of(said: str) -> str:
    """A category as files spell it: lower case with underscores. Raises ValueError if it is invalid."""
    category = "_".join(compiled(ASCII_WORD).findall(said.strip().lower()))
    if not compiled(CATEGORY).fullmatch(category) or len(category) > 64:
        raise ValueError(said)
    return category


def is_same(known: str, new: str, similarity: float) -> bool:
    """Whether a new fact is a known one, by nearly the same words or by their vectors.

    Facts with different numbers, negations or names are never the same: a mean of word vectors hardly changes
    with them, nor from green tea to black tea. So the new fact must not add a word, or a pair of characters
    in continuous scripts.
    """
    if _decisive(known, new) != _decisive(new, known):
        return False
    return (is_near(known, new) or similarity >= SAME) and _content(new) <= _content(known)


def _decisive(text: str, other: str) -> frozenset[str]:
    """The numbers and negations of a text, and its words that have a capital in it or in the other text."""
    names = {search_fold(word) for part in (text, other) for word in _capitalised(part)}
    words = {search_fold(word).removesuffix("'s") for word in compiled(NAME).findall(text)}
    return deciding(text) | (names & words) | (_COUNTS & words)


def _content(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    terms = (word.removesuffix("'s") for word in content_terms(search_fold(text)))
    return frozenset(stem(word) for word in terms if not is_stop_word(word))


def _capitalised(text: str) -> list[str]:
    """The words with a capital, without stop words: the first of a sentence may be `The`."""
    words = (word.replace("’", "'").removesuffix("'s") for word in compiled(NAME).findall(text))
    return [word for word in words if word != word.lower() and not is_stop_word(search_fold(word))]


def _hash(*parts: str) -> str:
    content = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=6).hexdigest()
