"""Terms of transcripts: a message as tokens that SQLite finds, and a query as what it is asked.

The tokens are those of `core.terms`, a message's in their order: words as they are written, the parts of
compounds, the characters of scripts without spaces. So a phrase is a phrase, and a word's other forms are
looked up among the words that were seen. SQLite's plainest tokenizer, `ascii`, takes letters, digits and all
that is not ASCII for tokens, and the rest for what is between them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from memtool.core.query import Fuzzy, Item, Phrase, Prefix
from memtool.core.terms import Compound, Run, Word, atoms, search_fold

_SIGNS = str.maketrans({"+": "\ue000", "#": "\ue001"})
_LONGEST = 64
_PIECE = 1 << 16
_FEWEST = 3  # letters of a word that can have other forms

Forms = Callable[[Item], Iterable[str]]
"""Gives, for a word or a fuzzy word, the words of the index that it stands for."""


def terms(text: str) -> str:
    """A text as tokens with blanks between. What is plain ASCII is left to SQLite, which is what is fast."""
    return _terms(text) if len(text) <= _PIECE else "\n".join(_terms(piece) for piece in _pieces(text))


def _terms(text: str) -> str:
    if not text.isascii():
        text = " ".join([word if word.isascii() else _atoms(word) for word in text.split()])
    text = text.lower()
    return _signed().sub(lambda match: _atoms(match[0]), text) if "++" in text or "#" in text else text


def _atoms(word: str) -> str:
    """What stands between blanks and is more than ASCII, as its tokens."""
    return " ".join(atoms(search_fold(word))).translate(_SIGNS)


def plain_words(tokens: str) -> set[str]:
    """The words in a text of tokens that can have other forms: plain letters alone."""
    if len(tokens) <= _PIECE:
        return set(_plain().findall(tokens))
    return {word for piece in _pieces(tokens) for word in _plain().findall(piece)}


def _pieces(text: str) -> Iterator[str]:
    """A text cut at blanks in pieces of bounded size, so that megabytes are never a list of words."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        blank = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) if end < len(text) else -1
        end = blank if blank > start else end
        yield text[start:end]
        start = end


def has_forms(word: str) -> bool:
    """Whether a folded word is one of those that `plain_words` finds."""
    return _plain().fullmatch(word) is not None


def expression(item: Item, forms: Forms) -> str | None:
    """What SQLite's MATCH is asked for one item of a query; None for what no message can hold."""
    match item:
        case Word(word):
            return _any(
                _quoted(form.translate(_SIGNS)) for form in {word: None, **dict.fromkeys(forms(item))}
            )
        case Fuzzy():
            return _any(_quoted(form) for form in forms(item))
        case Prefix(beginning):
            return f"{_quoted(beginning.translate(_SIGNS))} *"
        case Compound(_, parts):
            each = [expression(Word(part), forms) for part in parts]
            return _any([_sequence(parts), f"({' AND '.join(one for one in each if one)})"])
        case Run(run):
            return _any([_sequence(run), *(_sequence(pair) for pair in item.pairs)])
        case Phrase(sequence):
            return _sequence(sequence)
        case _:
            assert_never(item)


def strict(item: Item, forms: Forms) -> str | None:
    """The same where it must be there whole: characters of a run side by side, parts of a compound too."""
    match item:
        case Compound(_, parts):
            return _sequence(parts)
        case Run(run):
            return _sequence(run)
        case _:
            return expression(item, forms)


def _sequence(tokens: Iterable[str]) -> str:
    return _quoted(" ".join(tokens).translate(_SIGNS))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _any(expressions: Iterable[str]) -> str | None:
    found = [*dict.fromkeys(expressions)]
    if not found:
        return None
    return found[0] if len(found) == 1 else f"({' OR '.join(found)})"


@functools.cache
def _plain() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![a-z0-9\u0080-\U0010ffff])[a-z]{{{_FEWEST},{_LONGEST}}}(?![a-z0-9\u0080-\U0010ffff])"
    )


@functools.cache
def _signed() -> re.Pattern[str]:
    return re.compile(r"(?<!\w)[a-z](?:\+\+|#)(?![\w+#])")


def tokens_of(text: str) -> str:
    """A text of terms as `holds` wants it: each token with a blank on either side."""
    return f" {' '.join(_token().findall(text))} "


def holds(item: Item, tokens: str, forms: Forms) -> bool:
    """Whether a message holds what `expression` asks for; `tokens` are those of `tokens_of`."""
    match item:
        case Word(word):
            return any(f" {form.translate(_SIGNS)} " in tokens for form in (word, *forms(item)))
        case Fuzzy():
            return any(f" {form} " in tokens for form in forms(item))
        case Prefix(beginning):
            return f" {beginning.translate(_SIGNS)}" in tokens
        case Compound(_, parts):
            return _stands(parts, tokens) or all(holds(Word(part), tokens, forms) for part in parts)
        case Run(run):
            return _stands(run, tokens) or any(_stands(pair, tokens) for pair in item.pairs)
        case Phrase(sequence):
            return _stands(sequence, tokens)
        case _:
            assert_never(item)


def _stands(sequence: Iterable[str], tokens: str) -> bool:
    return f" {' '.join(sequence).translate(_SIGNS)} " in tokens


@functools.cache
def _token() -> re.Pattern[str]:
    return re.compile("[a-z0-9\u0080-\U0010ffff]+")
