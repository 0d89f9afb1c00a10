"""Index terms: a chunk as weighted terms, and a query as the terms that answer it.

Two fields. `stems` holds every word by its stem, every part of a compound, and runs by characters and pairs;
`words` holds what a stem would blur: words as they are written, and compounds whole.
"""

from __future__ import annotations

import functools
import itertools
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple, cast

from msgspec import Struct

from memtool.core.search.lexical import saturate
from memtool.core.search.profiles import DOCUMENTS
from memtool.core.search.query import FuzzyTerm, PhraseTerm, PrefixTerm, QueryItem
from memtool.core.text.compounds import nested_compounds
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.function_words import ENGLISH, VIETNAMESE, is_vietnamese
from memtool.core.text.stems import stem
from memtool.core.text.tokenizer import (
    CharacterRun,
    CompoundWord,
    Piece,
    Word,
    is_plain,
    pieces,
)

STEMS = "stems"
WORDS = "words"
_HALF = 3
"""Letters that half of a glued word has at least."""
_LATIN = 4
"""Letters of a word in Latin letters that is looked for within others."""
BEGINNING = 5
"""First letters of a word by which its forms are found in languages other than English."""
_WHOLE_SHARE = 0.5
"""Weight of the stem of such a word; its beginning counts 1."""
_PAIR_SHARE = 0.5
"""Weight of two syllables of Vietnamese."""
_FIRST_LETTER, _LAST_LETTER = "\u0e00", "\u17ff"
"""Thai, Lao, Myanmar, Khmer: scripts of letters without spaces."""
_FIRST_SEMITIC, _LAST_SEMITIC = "\u0590", "\u06ff"
"""Hebrew and Arabic, which write prepositions and the article at the beginning of a word."""
FIELDS = {STEMS: 0, WORDS: 1}
"""The numbers of the fields, where they are stored."""
STEP = 64
"""Frequencies are multiples of 1/64, and below 4: exact in 32 bits, or 8, so that every engine gives the same
scores."""
WEIGHT_BITS = 8
"""The last bits of a packed posting, which hold the weight in steps; before them is its chunk's number."""
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1
WEIGHTS = tuple(steps / STEP for steps in range(1 << WEIGHT_BITS))
"""The weights by their steps."""


PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"
"""ASCII characters that no word begins or ends with."""


def halves(word: str, words: Container[str]) -> tuple[str, str]:
    """The two of these words that a word is made of, the longest first one first; empty where it is not."""
    for middle in range(len(word) - _HALF, _HALF - 1, -1):
        if word[:middle] in words and word[middle:] in words:
            return word[:middle], word[middle:]
    return "", ""


def may_be_part(word: str) -> bool:
    """Whether a word may be looked for within others: in Latin letters a short one stands in too many."""
    if is_continuous(word[:1] or " ") and len(word) > 2:
        return False  # no term is longer
    return word.isalnum() and not (word.isascii() and len(word) < _LATIN)


Counts = dict[str, float]
"""How often each term is there."""


class WeighedTerms(NamedTuple):
    """The terms of a chunk for `stems` and for `words`, each with its count, and the weight of each count.

    A weight is a saturated frequency (BM25F) in steps of 1/64. A tuple, because it is made for every chunk.
    """

    stems: Counts
    words: Counts
    steps: dict[float, int]

    def weights(self, field: str) -> Iterator[tuple[str, float]]:
        """The terms of a field with their weights."""
        weights = {count: steps / STEP for count, steps in self.steps.items()}
        return ((term, weights[count]) for term, count in self.counts(field).items())

    def counts(self, field: str) -> Counts:
        """The terms of a field with their counts."""
        return self.stems if field == STEMS else self.words


def weigh(text: str, headings: Iterable[str] = ()) -> WeighedTerms:
    """The terms of a chunk; `headings` are the trail, title and tags it stands under."""
    share = DOCUMENTS.terms.heading
    stems, exact, length = count_terms(text)
    for heading in dict.fromkeys(headings):
        for counts, of_heading in zip((stems, exact), _heading_counts(heading), strict=True):
            for term, count in of_heading.items():
                counts[term] = counts.get(term, 0.0) + count * share
    return WeighedTerms(
        stems, exact, {count: weight_steps(count, length) for count in {*stems.values(), *exact.values()}}
    )


def add_postings(postings: defaultdict[str, array[int]], counts: Counts, packed: Mapping[float, int]) -> None:
    """Add the posting of each term of a chunk, which is that of its count, without a loop in Python."""
    arrays = map(postings.__getitem__, counts)
    deque(map(array.append, arrays, map(packed.__getitem__, counts.values())), 0)


@functools.lru_cache(1 << 14)
def weight_steps(count: float, length: int) -> int:
    """The weight, in steps, of a term that is in a text of so many words so often."""
    return max(1, round(STEP * saturate({0: count}, length, DOCUMENTS.terms)[0]))


@functools.lru_cache(1024)
def _heading_counts(heading: str) -> tuple[Counts, Counts]:
    """The counts of a heading, which many chunks have; not to be changed."""
    stems, exact, _ = count_terms(heading)
    return stems, exact


def count_terms(text: str) -> tuple[Counts, Counts, int]:
    """The counts of a text's terms for `stems` and for `words`, and the number of its words."""
    folded = search_fold(text)
    if not is_plain(folded) or is_vietnamese(text):
        stems, exact, length = _stemmed(*list_words(text, folded))
        return *cast("tuple[Counts, Counts]", (Counter(stems), Counter(exact))), length
    parts = folded.split()
    if not parts:
        return {}, {}, 0
    if len(_parts) > _MOST_PARTS:
        _parts.clear()
    of_stems, of_words, lengths = zip(*map(_parts.__getitem__, parts), strict=True)
    flat = itertools.chain.from_iterable
    counted = Counter(flat(of_stems)), Counter(flat(of_words))
    return *cast("tuple[Counts, Counts]", counted), sum(lengths)


def list_words(text: str, folded: str) -> tuple[list[str], list[str], int]:
    """What any text holds, each as often as it is there, and how long it is.

    First what has a stem: words, also those of compounds, and the parts of runs, whose stems they are. Then
    what has none: compounds, and pairs of syllables.
    """
    return _listed((piece for piece, _, _ in pieces(folded)), in_pairs=is_vietnamese(text))


class _PartTerms(dict[str, tuple[tuple[str, ...], tuple[str, ...], int]]):
    """The terms of each part of plain text between blanks for both fields, and how many words it has.

    Texts repeat their words, so that nearly every part is found here, by code that is not Python.
    """

    def __missing__(self, part: str) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        word = part if part.isalnum() else part.strip(PUNCTUATION)
        if word.isalnum():  # nearly always
            root = stem(word)
            found: tuple[tuple[str, ...], tuple[str, ...], int] = (root,), (word,) if root != word else (), 1
        else:
            stems, exact, length = _stemmed(*_listed(piece for piece, _, _ in pieces(word)))
            found = tuple(stems), tuple(exact), length
        self[part] = found
        return found


_MOST_PARTS = 1 << 16
"""Parts that are remembered: the words of a large tree, and 20 MB."""
_parts = _PartTerms()


def _listed(found: Iterable[Piece], *, in_pairs: bool = False) -> tuple[list[str], list[str], int]:
    """What `list_words` says of pieces."""
    listed: list[str] = []
    others: list[str] = []
    length = 0
    before = ""
    for piece in found:
        if isinstance(piece, CharacterRun):
            listed += (*piece.text, *piece.pairs, *_triples(piece.text))
            length += len(piece.text)
            continue
        words: tuple[str, ...] = (piece.text,)
        if isinstance(piece, CompoundWord):
            words = (*piece.parts, piece.text) if piece.is_word else piece.parts
            others += nested_compounds(piece.text)
        if in_pairs:
            others += (f"{first} {second}" for first, second in itertools.pairwise((before, *words)))
            before = words[-1]
        listed += words
        length += len(words)
    return listed, others, length


def _stemmed(words: list[str], others: list[str], length: int) -> tuple[list[str], list[str], int]:
    """The terms for both fields of what `list_words` lists."""
    stems = [*map(stem, words)]
    return stems, others + [word for word, root in zip(words, stems, strict=True) if root != word], length


def _triples(run: str) -> list[str]:
    """Every three neighbours of a run in a script of letters: two of them are too common to be a word."""
    if not _FIRST_LETTER <= run[0] <= _LAST_LETTER:
        return []
    return [run[i : i + 3] for i in range(len(run) - 2)]


class TermUnit(Struct, frozen=True):
    """Chunks that hold one of these terms, each a field and a text."""

    places: tuple[tuple[str, str], ...]
    weight: float = 1.0


class BeginningUnit(Struct, frozen=True):
    """Chunks that hold a stem with this beginning; it counts only if there are any."""

    text: str
    weight: float = 1.0


class SpellingUnit(Struct, frozen=True):
    """Chunks that hold a word whose spelling the item accepts."""

    item: PrefixTerm | FuzzyTerm
    weight: float = 1.0


class PhraseUnit(Struct, frozen=True):
    """Chunks in which these atoms stand side by side; `terms` narrow them down."""

    atoms: tuple[str, ...]
    terms: tuple[TermUnit, ...]
    weight: float = 1.0


QueryUnit = TermUnit | BeginningUnit | SpellingUnit | PhraseUnit


def units(item: QueryItem, language: str = ENGLISH) -> tuple[QueryUnit, ...]:
    """What answers an item of a query in a language, the part that matters most first.

    A compound is answered by the whole and, weaker, by its parts; a run by every pair of neighbours, or three
    in a script of letters. Where forms of a word may have other stems, its beginning answers, too.
    """
    match item:
        case Word(text):
            root = stem(text)
            if len(text) < BEGINNING or not _varies(text, language):
                return (TermUnit(((STEMS, root),)),)
            return (TermUnit(((STEMS, root),), _WHOLE_SHARE), BeginningUnit(root[:BEGINNING]))
        case CompoundWord(text, parts):
            places = ((WORDS, text), (STEMS, stem(text))) if item.is_word else ((WORDS, text),)
            shown = [part for part in parts if len(part) > 1 or not item.is_word]
            share = DOCUMENTS.terms.compound_parts / max(1, len(shown))
            return (TermUnit(places), *(TermUnit(((STEMS, stem(part)),), share) for part in shown))
        case CharacterRun(text):
            return tuple(TermUnit(((STEMS, term),)) for term in _triples(text) or item.pairs or (text,))
        case PrefixTerm() | FuzzyTerm():
            return (SpellingUnit(item),)
        case PhraseTerm(atoms):
            return (PhraseUnit(atoms, _stem_units(atoms), len(atoms)),)


def pair_units(items: Iterable[QueryItem], language: str) -> tuple[TermUnit, ...]:
    """Every two neighbouring words of a query in Vietnamese, whose words mostly are two syllables."""
    if language != VIETNAMESE:
        return ()
    pairs = itertools.pairwise(items)
    return tuple(
        TermUnit(((WORDS, f"{left.text} {right.text}"),), _PAIR_SHARE)
        for left, right in pairs
        if isinstance(left, Word) and isinstance(right, Word)
    )


def _varies(word: str, language: str) -> bool:
    """Whether forms of a word of a query may have other stems, but begin alike."""
    if word.isascii():
        return language not in {"", ENGLISH, VIETNAMESE}
    return not _FIRST_SEMITIC <= word[0] <= _LAST_SEMITIC


def required_units(item: QueryItem) -> tuple[QueryUnit, ...]:
    """What must all be there for a chunk to hold an item that must, or must not, be found."""
    match item:
        case CompoundWord():
            return (PhraseUnit(item.parts, _stem_units(item.parts)),)
        case CharacterRun(text) if len(text) > 1:
            return (PhraseUnit(tuple(text), tuple(TermUnit(((STEMS, pair),)) for pair in item.pairs)),)
        case _:
            return units(item)


def _stem_units(words: Iterable[str]) -> tuple[TermUnit, ...]:
    """Each word by its stem."""
    return tuple(TermUnit(((STEMS, stem(word)),)) for word in dict.fromkeys(words))
