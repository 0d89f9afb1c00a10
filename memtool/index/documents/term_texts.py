"""Terms as text: what FTS5 indexes of a chunk are its terms with blanks between, each as often as it counts.

Two columns, for the chunk's text and for its headings. FTS5 gathers and counts them, in a fifth of the time
that it takes in Python. A term of the field `words` begins with a mark of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_vietnamese
from memtool.core.text.tokenizer import is_plain
from memtool.index.database import valid_text
from memtool.index.documents.terms import PUNCTUATION, STEMS, WORDS, list_terms, part_terms

WORD_MARK = "\x01"
"""The first character of a term of `words`."""
_INNER_BLANK = "\x02"
"""Stands for the blank in a pair of Vietnamese syllables."""
TOKENIZER = rf"ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{{|}}~{WORD_MARK}{_INNER_BLANK}'"
"""FTS5's tokenizer that splits at blanks alone."""
_MOST_PARTS = 1 << 16
"""Parts of texts that are remembered: the words of a large tree, and 10 MB."""


def term_key(field: str, term: str) -> str:
    """A term of a field as it is in FTS5's index."""
    term = valid_text(term)
    return term if field == STEMS else WORD_MARK + term.replace(" ", _INNER_BLANK)


def term_of_key(key: str) -> str:
    """The term that `term_key` was given."""
    return key.removeprefix(WORD_MARK).replace(_INNER_BLANK, " ")


class TermTexts:
    """Turns chunks into texts of terms; `stems` are the terms of the field `stems` that were met."""

    def __init__(self) -> None:
        self.stems: set[str] = set()
        self._parts = _Parts(self.stems)
        self._headings: dict[str, str] = {}

    def of_text(self, text: str) -> tuple[str, int]:
        """The terms of a chunk's text, and the number of its words."""
        folded = search_fold(text)
        if not is_plain(folded) or is_vietnamese(text):
            stems, words, length = list_terms(text, folded)
            self.stems.update(stems)
            return _joined(stems, words), length
        if len(self._parts) > _MOST_PARTS:
            self._parts.clear()
        terms = "".join(map(self._parts.__getitem__, folded.split()))
        return terms, terms.count(" ") - terms.count(WORD_MARK)  # each word has one stem

    def of_headings(self, headings: Iterable[str]) -> str:
        """The terms of the headings, title and tags that a chunk stands under."""
        if len(self._headings) > _MOST_PARTS:
            self._headings.clear()
        texts = []
        for heading in dict.fromkeys(headings):
            text = self._headings.get(heading)
            if text is None:
                text = self._headings[heading] = self.of_text(heading)[0]
            texts.append(text)
        return "".join(texts)


class _Parts(dict[str, str]):
    """The terms of each part of plain text between blanks.

    Texts repeat their words, so that nearly every part is found here, by code that is not Python.
    """

    def __init__(self, stems: set[str]) -> None:
        super().__init__()
        self._stems = stems

    def __missing__(self, part: str) -> str:
        word = part.strip(PUNCTUATION)
        if word == part:
            stems, words, _ = part_terms(word)
            self._stems.update(stems)
            text = " ".join((*stems, *map(WORD_MARK.__add__, words), ""))
        else:
            text = self[word]
        self[part] = text
        return text


def _joined(stems: Iterable[str], words: Iterable[str]) -> str:
    """Terms with a blank behind each."""
    return " ".join((*stems, *[term_key(WORDS, word) for word in words], ""))
