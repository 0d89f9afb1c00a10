"""Terms of transcripts: a message as what SQLite finds, and an item of a query as what it is asked.

A message is kept twice. Its tokens are those of `core.text.terms` in their order: words as they are
written, the parts of compounds, the characters of scripts without spaces; so a phrase is a phrase. Its
stems, without stop words and those of questions apart, are what it is ranked by. SQLite's plainest
tokenizer, `ascii`, takes letters, digits and all that is not ASCII for tokens, and the rest for what is
between them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from memtool.core.search.query import FuzzyTerm, PhraseTerm, PrefixTerm, QueryItem
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem
from memtool.core.text.stopwords import is_stop_word
from memtool.core.text.tokenizer import (
    CONTRACTION,
    SIGNED_LETTER,
    CharacterRun,
    CompoundWord,
    Word,
    atoms,
    pieces,
)

_SIGNS = str.maketrans({"+": "\ue000", "#": "\ue001"})
_PIECE = 1 << 16
_SENTENCE = r"[^.!?。！？\n]+[.!?。！？]*"
_MOST_KNOWN = 200_000
"""Words whose stems are remembered from one text to the next."""

Forms = Callable[[QueryItem], Iterable[str]]
"""Gives, for a fuzzy word or a beginning, the words of the index that it stands for."""


def terms(text: str) -> str:
    """A text as tokens with blanks between. What is plain ASCII is left to SQLite, which is what is fast."""
    return _terms(text) if len(text) <= _PIECE else "\n".join(_terms(piece) for piece in _pieces(text))


def _terms(text: str) -> str:
    if not text.isascii():
        text = " ".join([word if word.isascii() else _atoms(word) for word in text.split()])
    text = text.lower()
    return (
        regex(SIGNED_LETTER).sub(lambda match: _atoms(match[0]), text)
        if "++" in text or "#" in text
        else text
    )


def _atoms(word: str) -> str:
    """The tokens of what stands between blanks and is more than ASCII."""
    return " ".join(atoms(search_fold(word))).translate(_SIGNS)


def _pieces(text: str) -> Iterator[str]:
    """A text cut at blanks in pieces of bounded size, so that megabytes are never a list of words."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        blank = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) if end < len(text) else -1
        end = blank if blank > start else end
        yield text[start:end]
        start = end


def stems_of(text: str, words: set[str]) -> tuple[str, str]:
    """The stems of what a text states and of what it asks, in their order with blanks between; no stop words.

    A sentence asks that ends with a question mark. The words that have stems are added to `words`.
    """
    if "?" not in text and "？" not in text:
        return " ".join(_stems(text, words)), ""
    states: list[str] = []
    asks: list[str] = []
    for match in regex(_SENTENCE).finditer(text):
        (asks if match[0].endswith(("?", "？")) else states).extend(_stems(match[0], words))
    return " ".join(states), " ".join(asks)


def stems_in(item: QueryItem) -> tuple[str, ...]:
    """The stems by which a message is ranked for an item of a query: those of its words, no stop words."""
    match item:
        case Word(word):
            stems: Iterable[str] = (_known(word),)
        case CompoundWord(_, parts) | PhraseTerm(parts):
            stems = map(_known, parts)
        case CharacterRun():
            stems = item.pairs or (item.text,)
        case _:
            stems = ()
    return tuple(dict.fromkeys(stem for stem in stems if stem))


def name_in(item: QueryItem) -> str:
    """What may be the name of a person in a query: a word, also in the genitive; else empty."""
    match item:
        case Word(word):
            return word
        case CompoundWord(_, (word, "s")) if item.is_word:
            return word
        case _:
            return ""


def _stems(text: str, known_words: set[str]) -> list[str]:
    if len(_stemmed) > _MOST_KNOWN:
        _stemmed.clear()
    if text.isascii() and "++" not in text and "#" not in text:
        return _plain_stems(text, known_words)
    stems: list[str] = []
    for is_plain, words in itertools.groupby(text.split(), _is_plain):
        if is_plain:
            stems += _plain_stems(" ".join(words), known_words)
            continue
        for piece, _, _ in pieces(search_fold(" ".join(words))):
            if isinstance(piece, CharacterRun):
                stems += piece.text if len(piece.text) == 1 else (*piece.text, *piece.pairs)
            else:
                known_words.update((piece.text,) if isinstance(piece, Word) else piece.parts)
                stems += stems_in(piece)
    return stems


def _is_plain(word: str) -> bool:
    return word.isascii() and "++" not in word and "#" not in word


def _plain_stems(text: str, known_words: set[str]) -> list[str]:
    words = regex(CONTRACTION).findall(text.lower())
    if "'" in text:
        words = [
            part
            for word in words
            for part in ((word,) if "'" not in word else () if is_stop_word(word) else word.split("'"))
        ]
    kinds = set(words)
    known_words |= kinds
    for word in kinds.difference(_stemmed):
        _known(word)
    return [*filter(None, map(_stemmed.__getitem__, words))]


def _known(word: str) -> str:
    """The stem of a folded word as SQLite keeps it; empty for a stop word."""
    known_stem = _stemmed.get(word)
    if known_stem is None:
        known_stem = "" if is_stop_word(word) else stem(word).translate(_SIGNS)
        _stemmed[word] = known_stem
    return known_stem


_stemmed: dict[str, str] = {}


def strict(item: QueryItem, forms: Forms) -> str | None:
    """What SQLite is asked for an item that must be there whole; None for what no message can hold.

    A word may stand in another form; characters of a run, parts of a compound and words of a phrase stand
    side by side.
    """
    match item:
        case Word(word):
            stem = _known(word)
            return any_of([stem]) if stem else _written(quoted(word.translate(_SIGNS)))
        case FuzzyTerm():
            words = _any(quoted(form) for form in forms(item))
            return _written(words) if words else None
        case PrefixTerm(beginning):
            return _written(f"{quoted(beginning.translate(_SIGNS))} *")
        case CompoundWord(_, parts):
            return _written(_sequence(parts))
        case CharacterRun(run):
            return _written(_sequence(run))
        case PhraseTerm(sequence):
            return _written(_sequence(sequence))
        case _:
            assert_never(item)


def any_of(stems: Iterable[str]) -> str:
    """What SQLite is asked for messages that hold one of the stems; there is one at least."""
    return f"{{states asks}} : ({_any(map(quoted, stems))})"


def _written(expression: str) -> str:
    """An expression that is asked of the words as they are written."""
    return f"{{terms}} : ({expression})"


def _sequence(tokens: Iterable[str]) -> str:
    return quoted(" ".join(tokens).translate(_SIGNS))


def quoted(text: str) -> str:
    """A text as a string of an FTS5 query (https://sqlite.org/fts5.html#fts5_strings)."""
    return '"' + text.replace('"', '""') + '"'


def _any(expressions: Iterable[str]) -> str | None:
    unique = [*dict.fromkeys(expressions)]
    if not unique:
        return None
    return unique[0] if len(unique) == 1 else f"({' OR '.join(unique)})"
