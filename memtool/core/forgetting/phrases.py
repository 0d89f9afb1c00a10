"""Phrases: whether a text says one, as whole words, and the words by which texts are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memtool.core.text.folding import CONTINUOUS_SCRIPTS, fold
from memtool.core.text.regex import regex

_WORD = rf"[{CONTINUOUS_SCRIPTS}]|(?:(?![{CONTINUOUS_SCRIPTS}])\w)+"
_BETWEEN = r"[\s*_`>]+"
"""Characters allowed between two words of a phrase: blanks, a line break in a quotation, and emphasis."""
_SENTENCE_END = r"\n|[.!?…]+(?:\s|$)|[。！？｡؟۔।॥]"
LEAST_WORDS = 4
"""Words of the shortest text that counts as the words of a person anywhere in a file."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded; a script without spaces gives a word a character."""
    return tuple(regex(_WORD).findall(fold(text)))


def normal_text(text: str) -> str:
    """A text as its folded words with single blanks: equal for texts that read the same."""
    return " ".join(words_of(text))


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that is written without spaces."""
    return regex(rf"[{CONTINUOUS_SCRIPTS}]").search(text) is not None


class Phrases:
    """Phrases that are looked for in texts: as whole words, in any case, in any Unicode form."""

    def __init__(self, phrases: Iterable[str]) -> None:
        """Phrases without a letter or digit match nothing."""
        patterns = [_pattern(phrase) for phrase in phrases if words_of(phrase)]
        self._pattern = re.compile("|".join(patterns)) if patterns else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def are_in(self, text: str) -> bool:
        """Whether a text contains one of the phrases."""
        return self._pattern is not None and self._pattern.search(fold(text)) is not None


def _pattern(phrase: str) -> str:
    folded = fold(phrase).strip()
    start = r"(?<!\w)" if _is_bounded(folded[0]) else ""
    end = r"(?!\w)" if _is_bounded(folded[-1]) else ""
    return start + _BETWEEN.join(re.escape(part) for part in folded.split()) + end


def _is_bounded(character: str) -> bool:
    """Whether a word that begins or ends with a character has a boundary there."""
    return regex(rf"(?![{CONTINUOUS_SCRIPTS}])\w").match(character) is not None


class SaidTexts:
    """The sentences of a person, to recognise them in text without a speaker."""

    def __init__(self) -> None:
        self._starts: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        self._inside: dict[tuple[str, ...], set[str]] = {}

    def add(self, text: str) -> bool:
        """Add a text; whether it had a sentence that was not there yet."""
        is_new = False
        for sentence in _sentences(text):
            said = self._starts.setdefault(sentence[:LEAST_WORDS], set())
            if sentence not in said:
                is_new = True
                said.add(sentence)
                for gram in _grams(sentence):
                    self._inside.setdefault(gram, set()).add(" ".join(sentence))
        return is_new

    def are_repeated_in(self, text: str) -> bool:
        """Whether a text contains one of the sentences whole, or is itself a part of one."""
        if not self._starts:
            return False
        words = words_of(text)
        for start, gram in enumerate(_grams(words)):
            for sentence in self._starts.get(gram, ()):
                if words[start : start + len(sentence)] == sentence:
                    return True
        if not _is_telling(words):
            return False
        said = self._inside.get(words[:LEAST_WORDS], ())
        return any(f" {' '.join(words)} " in f" {sentence} " for sentence in said)


def _sentences(text: str) -> Iterator[tuple[str, ...]]:
    """The words of each sentence; code counts as text, for what is forgotten is forgotten there, too."""
    for sentence in regex(_SENTENCE_END).split(text):
        words = words_of(sentence)
        if _is_telling(words):
            yield words


def _is_telling(words: tuple[str, ...]) -> bool:
    """Whether words are enough to tell who said them."""
    return len(words) >= LEAST_WORDS and sum(map(len, words)) >= 3 * LEAST_WORDS


def _grams(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - LEAST_WORDS + 1):
        yield words[start : start + LEAST_WORDS]
