"""Chunks as texts whose words FTS5 counts, and terms as they are in its index.

FTS5 splits at all ASCII characters but letters, digits and some control characters. So most of a text is
indexed as it is, folded, and no word of it is looked at in Python. Words are stemmed once for all chunks: a
table has the words of each stem. The signs in compounds, and in words such as `c++`, are written as control
characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import filterfalse

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_vietnamese
from memtool.core.text.tokenizer import CompoundWord, is_plain, nested_compounds, pieces
from memtool.index.database import valid_text
from memtool.index.documents.terms import PUNCTUATION, list_words

COMPOUND_MARK = "\x01"
"""The first character of a compound, or of a pair of syllables, in FTS5's index; other terms sort behind."""
_BEFORE = f" {COMPOUND_MARK}"
_OTHER_SIGN = "\x02"
_IN_TERMS = dict(zip(" #%&+-./:=?@\\_~", map(chr, range(0x0E, 0x20)), strict=False))
_ASCII = "".join(map(chr, range(128)))
# tables as texts: `str.translate` takes ten times as long for a letter that is not in a dictionary
_ENCODED = "".join(_IN_TERMS.get(sign, sign if sign.isalnum() else _OTHER_SIGN) for sign in _ASCII)
_DECODED = _ASCII.translate({ord(key): sign for sign, key in _IN_TERMS.items()})
TOKENIZER = f"ascii tokenchars '{COMPOUND_MARK}{_OTHER_SIGN}{''.join(_IN_TERMS.values())}'"
_WORDS_ALONE = bytes(code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256))
_OUTLINE = bytes(ord("a") if chr(code).isalnum() else ord(" ") for code in range(256))
_MOST_CACHED = 1 << 16
"""Parts of texts, and headings, that are remembered."""


def word_key(word: str) -> str:
    """A word as it is in FTS5's index."""
    return word if word.isalnum() else valid_text(word).translate(_ENCODED)


def compound_key(term: str) -> str:
    """A term that is no word as it is in FTS5's index."""
    return COMPOUND_MARK + valid_text(term).translate(_ENCODED)


def term_of_key(key: str) -> str:
    """The term that `word_key` or `compound_key` was given; also of many keys with a sign between."""
    return key.replace(COMPOUND_MARK, "").translate(_DECODED)


class TermTexts:
    """Turns chunks into texts for FTS5."""

    def __init__(self) -> None:
        self._compounds = _Compounds()
        self._headings = _Headings(self)

    def of_text(self, text: str) -> tuple[str, int]:
        """What FTS5 is given of a chunk's text, and the number of its words."""
        folded = search_fold(text)
        if not is_plain(folded) or is_vietnamese(text):
            words, compounds, length = list_words(text, folded)
            return " ".join([*map(word_key, words), *map(compound_key, compounds)]), length
        if len(self._compounds) > _MOST_CACHED:
            self._compounds.clear()
        content = folded.encode().translate(_WORDS_ALONE)
        length = (b" " + content.translate(_OUTLINE)).count(b" a")
        more = "".join(map(self._compounds.__getitem__, filterfalse(str.isalnum, folded.split())))
        return content.decode() + more, length + more.count(" ") - more.count(COMPOUND_MARK)

    def of_headings(self, headings: Iterable[str]) -> str:
        """What FTS5 is given of the headings, title and tags that a chunk stands under."""
        if len(self._headings) > _MOST_CACHED:
            self._headings.clear()
        return " ".join(map(self._headings.__getitem__, dict.fromkeys(headings)))


class _Headings(dict[str, str]):
    """What FTS5 is given of each heading: many chunks have the same."""

    def __init__(self, texts: TermTexts) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, heading: str) -> str:
        self[heading] = text = self._texts.of_text(heading)[0]
        return text


class _Compounds(dict[str, str]):
    """The keys, with a blank before each, of the compounds in each part of plain text between blanks.

    A compound that is a word, such as `don't`, is there as such, too.
    """

    def __missing__(self, part: str) -> str:
        text = ""
        word = part.strip(PUNCTUATION)
        if not word.isalnum():
            for piece, _, _ in pieces(word):
                if isinstance(piece, CompoundWord):
                    compounds = "\n".join(["", *nested_compounds(piece)]).translate(_ENCODED)
                    text += compounds.replace(_OTHER_SIGN, _BEFORE)
                    if piece.is_word:
                        text += f" {piece.text}"
        self[part] = text
        return text
