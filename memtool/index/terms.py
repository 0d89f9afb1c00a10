"""Index terms: a chunk as weighted terms, and a query as the terms that answer it.

Two fields. `stems` holds every word by its stem, every part of a compound, and runs by characters and pairs;
`words` holds what a stem would blur: words as they are written, and compounds whole.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from memtool.core import russian
from memtool.core.irregular import base
from memtool.core.query import Fuzzy, Item, Phrase, Prefix
from memtool.core.terms import Compound, Run, Word, pieces, search_fold, wholes
from memtool.values import dataclass

STEMS = "stems"
WORDS = "words"

K1 = 1.2
B = 0.5
"""BM25's constants, in the range that Robertson and Zaragoza (2009, section 3.5) give for most texts."""
USUAL_LENGTH = 40
"""Words in a chunk that is neither long nor short.

A constant instead of each index's average: what a posting weighs then depends on its chunk alone, so an
index in parts (segments, memory) ranks like one index, and nothing but the sum is left for the query.
"""
HEADING_BOOST = 0.5
"""What a word counts for standing in a heading, title or tag; each time it stands in the text counts 1."""
PART_WEIGHT = 0.5
"""What all parts of a compound together count beside the whole."""
_HALF = 3
"""Letters that half of a glued word has at least."""
_LATIN = 4
"""Letters of a word in Latin letters that is looked for within others."""
_STEP = 64
"""Weights are multiples of 1/64: exact in 32 bits, so that disk and memory give the same scores."""

_MOST_STEMS = 100_000
"""Words whose stems are remembered: a watcher that lives for months meets ever new ones."""
_stems: dict[str, str] = {}
_stemmer: list[Callable[[str], str]] = []


def stem(word: str) -> str:
    """The stem of a folded word, English (porter2, `buy` for `bought`) or Russian; any other stays."""
    known = _stems.get(word)
    if known is None:
        if len(_stems) >= _MOST_STEMS:
            _stems.clear()
        known = _stems[word] = _stem(word)
    return known


def _stem(word: str) -> str:
    if not (word.isalpha() and 2 < len(word) <= 40):
        return word
    if not word.isascii():
        return russian.base(word)
    if not _stemmer:
        from whoosh.lang.porter2 import stem as porter2

        _stemmer.append(porter2)
    return _stemmer[0](base(word)) or word


def halves(word: str, known: Container[str]) -> tuple[str, str]:
    """The two known words that a word is made of, the longest first one first; empty where it is not."""
    for at in range(len(word) - _HALF, _HALF - 1, -1):
        if word[:at] in known and word[at:] in known:
            return word[:at], word[at:]
    return "", ""


def may_be_part(word: str) -> bool:
    """Whether a word may be looked for within others: in Latin letters a short one stands in too many."""
    return word.isalnum() and not (word.isascii() and len(word) < _LATIN)


def weigh(text: str, headings: Iterable[str] = ()) -> tuple[dict[str, float], dict[str, float]]:
    """The terms of a chunk with their BM25F weights, for `stems` and for `words`.

    `headings` are the trail, title and tags it stands under. A weight is the part of BM25's formula that
    the query does not change: (k1 + 1) tf / (tf + k1 (1 - b + b length / usual length)).
    """
    stems: dict[str, float] = {}
    exact: dict[str, float] = {}
    length = _count(text, 1.0, stems, exact)
    for heading in dict.fromkeys(headings):
        _count(heading, HEADING_BOOST, stems, exact)
    norm = K1 * (1 - B + B * length / USUAL_LENGTH)
    for counts in (stems, exact):
        for term, tf in counts.items():
            counts[term] = max(1, round(_STEP * (K1 + 1) * tf / (tf + norm))) / _STEP
    return stems, exact


def _count(text: str, by: float, stems: dict[str, float], exact: dict[str, float]) -> int:
    """Add a text's terms to the counts; the number of its words."""
    length = 0
    for piece, _, _ in pieces(search_fold(text)):
        match piece:
            case Word(word):
                found: Iterable[str] = (word,)
            case Run(run):
                found = ()
                for term in (*run, *piece.pairs):
                    stems[term] = stems.get(term, 0.0) + by
                length += len(run)
            case Compound(_, parts):
                found = (*parts, piece.text) if piece.is_word else parts
                for whole in wholes(piece):
                    exact[whole] = exact.get(whole, 0.0) + by
        for word in found:
            length += 1
            root = stem(word)
            stems[root] = stems.get(root, 0.0) + by
            if root != word:
                exact[word] = exact.get(word, 0.0) + by
    return length


@dataclass(frozen=True, slots=True)
class Term:
    """Chunks that hold one of these terms, each a field and a text."""

    places: tuple[tuple[str, str], ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Spelled:
    """Chunks that hold a word whose spelling the item accepts."""

    item: Prefix | Fuzzy
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Said:
    """Chunks in which these atoms stand side by side; `terms` narrow them down."""

    atoms: tuple[str, ...]
    terms: tuple[Term, ...]
    weight: float = 1.0


Unit = Term | Spelled | Said


def units(item: Item) -> tuple[Unit, ...]:
    """What answers an item of a query, the part that matters most first.

    A compound is answered by the whole and, weaker, by its parts; a run by every pair of neighbours.
    """
    match item:
        case Word(text):
            return (Term(((STEMS, stem(text)),)),)
        case Compound(text, parts):
            places = ((WORDS, text), (STEMS, stem(text))) if item.is_word else ((WORDS, text),)
            kept = [part for part in parts if len(part) > 1 or not item.is_word]
            share = PART_WEIGHT / max(1, len(kept))
            return (Term(places), *(Term(((STEMS, stem(part)),), share) for part in kept))
        case Run(text):
            return tuple(Term(((STEMS, term),)) for term in item.pairs or (text,))
        case Prefix() | Fuzzy():
            return (Spelled(item),)
        case Phrase(atoms):
            return (
                Said(atoms, tuple(Term(((STEMS, stem(atom)),)) for atom in dict.fromkeys(atoms)), len(atoms)),
            )


def needed(item: Item) -> tuple[Unit, ...]:
    """What must all be there for a chunk to hold an item that must, or must not, be found."""
    match item:
        case Compound():
            return (
                Said(item.parts, tuple(Term(((STEMS, stem(part)),)) for part in dict.fromkeys(item.parts))),
            )
        case Run(text) if len(text) > 1:
            return (Said(tuple(text), tuple(Term(((STEMS, pair),)) for pair in item.pairs)),)
        case _:
            return units(item)
