"""A fact's identity: its id, the words it is found by, and when two facts are one (five-layer memory)."""

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
"""Similarity of two vectors from which two facts may be one."""
CATEGORY = r"[a-z][a-z0-9_]+"
"""How categories are spelled; a regular expression."""
_COUNTS = frozenset(NUMBERS)


def spoken(known: Fact | Triple) -> str:
    """A fact as a sentence: what it is shown and searched as."""
    if isinstance(known, Fact):
        return known.detail
    quote = f' — "{known.quote}"' if known.quote else ""
    return f"{known.subject} {known.predicate} {known.object}{quote}"


def meant(known: Fact | Triple) -> str:
    """The words a fact is compared by: the sentence, with a predicate written as words are."""
    if isinstance(known, Fact):
        return known.detail
    said = f"{known.subject} {known.predicate.replace('_', ' ').lower()} {known.object}".replace(":", " ")
    return f"{said}. {known.quote}" if known.quote else said


def id_of(text: str, owner: Owner | None) -> str:
    """The id of a fact that has no key: the same for what one owner says again, case and spacing aside."""
    return f"m-{_hash(str(owner or ''), key(text))}"


def name_of(record: SemanticRecord) -> str:
    """A line's id; of a line without one, the id that its fact would be saved under."""
    return record.id or id_of(spoken(record.known), record.known.owner)


def id_of_key(said: str, owner: Owner | None) -> str:
    """The id of the fact that an owner keeps under a key, `k-city`; raises ValueError for an empty key.

    What a slug loses, other scripts and the rest of a long key, and the owner, are told apart by a hash.
    """
    folded = search_fold(said).strip()
    if not folded:
        raise ValueError(said)
    slug = "-".join(compiled(ASCII_WORD).findall(folded))[:40].strip("-")
    is_whole = slug == re.sub(r"[\s_-]+", "-", folded)
    rest = "" if is_whole and owner is None else _hash(str(owner or ""), folded)[:6]
    return "-".join(part for part in ("k", slug, rest) if part)


def category_of(said: str) -> str:
    """A category as files spell it: lower case with underscores. Raises ValueError for what cannot be one."""
    spelled = "_".join(compiled(ASCII_WORD).findall(said.strip().lower()))
    if not compiled(CATEGORY).fullmatch(spelled) or len(spelled) > 64:
        raise ValueError(said)
    return spelled


def is_same(known: str, new: str, similarity: float) -> bool:
    """Whether a new fact is one that is known: by nearly the same words, or by their vectors.

    Numbers, negations and names decide, whatever else is the same: a mean of words hardly hears them, nor
    green tea from black. So a fact that is the same brings no word besides; in scripts without spaces, no
    pair of characters.
    """
    if _decisive(known, new) != _decisive(new, known):
        return False
    return (is_near(known, new) or similarity >= SAME) and _content(new) <= _content(known)


def _decisive(text: str, other: str) -> frozenset[str]:
    """The numbers and negations of a text, and the words with a capital that stand in it or in the other."""
    names = {search_fold(word) for both in (text, other) for word in _capitalised(both)}
    said = {search_fold(word).removesuffix("'s") for word in compiled(NAME).findall(text)}
    return deciding(text) | (names & said) | (_COUNTS & said)


def _content(text: str) -> frozenset[str]:
    """The stems of the words of a text that say something."""
    words = (word.removesuffix("'s") for word in content_terms(search_fold(text)))
    return frozenset(stem(word) for word in words if not is_stop_word(word))


def _capitalised(text: str) -> list[str]:
    """Words with a capital in them, what says nothing aside: the first of a sentence may be `The`."""
    words = (word.replace("’", "'").removesuffix("'s") for word in compiled(NAME).findall(text))
    return [word for word in words if word != word.lower() and not is_stop_word(search_fold(word))]


def _hash(*parts: str) -> str:
    said = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=6).hexdigest()
