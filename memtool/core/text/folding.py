"""Folding: one spelling for texts that read the same, for comparison and for search."""

from __future__ import annotations

import functools
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping

from memtool.core.text.regex import regex

CONTINUOUS_SCRIPTS = (
    "\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3100-\u31bf"  # CJK, kana
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\u1100-\u11ff"  # Hangul
    "\uf900-\ufaff\U00020000-\U0003ffff"  # CJK compatibility and extensions
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u1950-\u19df\ua9e0-\ua9ff\uaa60-\uaa7f"  # Tai scripts, Myanmar extensions
)
"""Scripts that are written without spaces between words, as the inside of a character set."""
_FIRST_CONTINUOUS = "\u0e00"
APOSTROPHES = "’ʻʼ‘`´ʹ′＇"
"""The characters that people and keyboards write for the apostrophe of `don't` and of Uzbek `yo'q`."""
_TYPOGRAPHIC = frozenset(APOSTROPHES)
_PLAIN_APOSTROPHES = dict.fromkeys(APOSTROPHES, "'")
_ACCENTED_LETTERS = "àáâãäåāăąçćčďèéêëēęěğìíîïīıñńňòóôõöøōőŕřśşšșțùúûüūůűýÿźżžёţİ"
_PLAIN_LETTERS = "aaaaaaaaacccdeeeeeeegiiiiiinnnoooooooorrsssstuuuuuuuyyzzzеti"
_WITHOUT_ACCENT = str.maketrans(_ACCENTED_LETTERS, _PLAIN_LETTERS)
_ALIKE = (
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŧ": "t"}
    | dict.fromkeys("‛ꞌꞋ՚׳", "'")
    | {"\u0629": "\u0647", "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643"}
    | dict.fromkeys("\u00ad\u2060\ufeff\u0640", "")  # soft hyphen, word joiner, BOM, tatweel
)
_ACCENTS = (
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u0657\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
)


def fold(text: str) -> str:
    """Return one spelling for texts that read the same: NFKC, case folded, with plain apostrophes.

    `fold(NFC x) == fold(NFD x)`, and folding twice changes nothing. (The order of the steps is that of
    compatibility caseless matching, Unicode Standard section 3.13, D146.)
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    if unicodedata.is_normalized("NFKC", text) and text.casefold() == text and _TYPOGRAPHIC.isdisjoint(text):
        return text
    # Apostrophes are replaced first: NFKC decomposes some of them into a space and a mark.
    text = _replaced(unicodedata.normalize("NFD", text), _PLAIN_APOSTROPHES)
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return _replaced(text, _PLAIN_APOSTROPHES)


def _replaced(text: str, letters: Mapping[str, str]) -> str:
    """The text with each of these letters replaced; no replacement contains one of them.

    `str.translate` calls Python for each character of a text that is not ASCII, which takes a hundred times
    as long as not finding a letter.
    """
    for letter, plain in letters.items():
        if letter in text:
            text = text.replace(letter, plain)
    return text


def is_continuous(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces between words."""
    return character >= _FIRST_CONTINUOUS and bisect_right(_continuous_bounds(), character) % 2 == 1


@functools.cache
def _continuous_bounds() -> list[str]:
    """The first character of each range of continuous scripts, and the one after its last, in order.

    A pattern of these ranges takes 2 ms to compile.
    """
    ranges = (CONTINUOUS_SCRIPTS[start : start + 3] for start in range(0, len(CONTINUOUS_SCRIPTS), 3))
    return sorted(bound for letters in ranges for bound in (letters[0], chr(ord(letters[-1]) + 1)))


def search_fold(text: str) -> str:
    """Return one spelling for texts that a search treats alike: `fold`, without accents.

    It removes marks on Latin, Cyrillic and Greek letters (`é`, `ё`, `ά`), vowel signs and hamzas of Arabic,
    points of Hebrew, and soft hyphens, and replaces Arabic letters that keyboards mix up (teh marbuta, yeh,
    kaf) by one of them. Folding twice changes nothing; composed and decomposed text fold alike.
    """
    text = fold(text)
    if text.isascii():
        return text
    bare = regex(_ACCENTS).sub("", unicodedata.normalize("NFD", _replaced(text, _ALIKE)))
    return unicodedata.normalize("NFC", bare)


def fold_in_place(text: str) -> str:
    """Lower case without accents of Latin letters, of the same length: every offset stays valid."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    if len(lowered) != len(text):  # a letter that would become two is unchanged
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_WITHOUT_ACCENT)
