"""Chunks as texts whose words FTS5 counts, and terms as they are in its index.

FTS5 splits at all ASCII characters but letters, digits and some control characters. So most of a text is
indexed as it is, folded, and no word of it is looked at in Python. Words are stemmed once for all chunks: a
table has the words of each stem. The signs in compounds, and in words such as `c++`, are written as control
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memtool.core.text.compounds import plain_compounds
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_vietnamese
from memtool.core.text.tokenizer import CONNECTORS, is_plain
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
_CONTROLS = {sign for sign in _ASCII if sign < " "}.difference("\t\n\r")
_KEYS_ALONE = "".join(sign if sign.isalnum() or sign in _CONTROLS else " " for sign in _ASCII)
_KINDS = dict.fromkeys(_CONTROLS, "\0") | dict.fromkeys(CONNECTORS, "_")
_OUTLINE = "".join("a" if sign.isalnum() else _KINDS.get(sign, " ") for sign in _ASCII).encode().ljust(256)
"""Letters and digits as `a`, connectors of compounds as `_`, control characters, at some of which FTS5 does
not split, as NUL, all else as blanks."""
_BETWEEN = "\x7f"
"""A character between texts: in an outline, it is a blank."""
_PARTED = bytes(range(256)).replace(b"_", b" ")
_JOINED = rb"_(?<=a_)_*a[a_]*"
"""The rest of a compound in an outline, from its first connector on; `re` jumps from one `_` to the next."""
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


def keys_of(text: str) -> list[str]:
    """The keys that FTS5 makes of a text that it is given."""
    return text.translate(_KEYS_ALONE).split(" ")


class TermTexts:
    """Turns chunks into texts for FTS5."""

    def __init__(self) -> None:
        self._joined = re.compile(_JOINED)
        self._compounds = _Compounds()
        self._headings = _Headings(self)

    def of_text(self, text: str) -> tuple[str, str, int]:
        """What FTS5 is given of a chunk's text: words and compounds; and the number of its words."""
        return self.of_texts([text])[0]

    def of_texts(self, texts: Sequence[str]) -> list[tuple[str, str, int]]:
        """What `of_text` gives of each text; plain ones are looked at together, in half the time."""
        if len(self._compounds) > _MOST_CACHED:
            self._compounds.clear()
        joined = _BETWEEN.join(texts)
        folded = search_fold(joined)
        outline = folded.encode("utf-8", "replace").translate(_OUTLINE)
        if (
            not is_plain(folded)
            or is_vietnamese(joined)
            or b"\0" in outline
            or folded.count(_BETWEEN) != len(texts) - 1
        ):
            return [*map(_of_any, texts)] if len(texts) == 1 else [self.of_text(text) for text in texts]
        found: list[tuple[str, str, int]] = []
        matches = self._joined.finditer(outline)
        match = next(matches, None)
        beginnings = b" " + outline.translate(_PARTED)
        start = 0
        for words in folded.split(_BETWEEN):
            end = start + len(words)
            keys = ""
            while match is not None and match.end() <= end:
                first = outline.rfind(b" ", 0, match.start()) + 1
                keys += self._compounds[folded[first : match.end()]]
                match = next(matches, None)
            length = beginnings.count(b" a", start, end + 1)
            alone: list[str] = []
            if "'" in words:  # what it joins, such as `don't`, is a word, too
                alone = [key for key in keys.split(_BEFORE) if key.isalnum()]
            found.append((" ".join([words, *alone]) if alone else words, keys, length + len(alone)))
            start = end + 1
        return found

    def of_headings(self, headings: Iterable[str]) -> str:
        """What FTS5 is given of the headings, title and tags that a chunk stands under."""
        if len(self._headings) > _MOST_CACHED:
            self._headings.clear()
        return " ".join(map(self._headings.__getitem__, dict.fromkeys(headings)))


def _of_any(text: str) -> tuple[str, str, int]:
    """What `TermTexts.of_text` gives of any text, word by word."""
    words, compounds, length = list_words(text, search_fold(text))
    return " ".join(map(word_key, words)), " ".join(map(compound_key, compounds)), length


class _Headings(dict[str, str]):
    """What FTS5 is given of each heading: many chunks have the same."""

    def __init__(self, texts: TermTexts) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, heading: str) -> str:
        if heading.isascii() and heading.replace(" ", "").isalnum():
            text = heading.lower()
        else:
            words, compounds, _ = self._texts.of_text(heading)
            text = f"{words} {compounds}"
        self[heading] = text
        return text


class _Compounds(dict[str, str]):
    """The keys, with a blank before each, of the compounds in each part of plain text between blanks."""

    def __missing__(self, part: str) -> str:
        compounds = plain_compounds(part.strip(PUNCTUATION))
        self[part] = text = "".join([_BEFORE + compound.translate(_ENCODED) for compound in compounds])
        return text
