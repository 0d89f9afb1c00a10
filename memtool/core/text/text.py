"""Unicode words: how text becomes tokens, for comparing and for searching.

The token rules are those of the CoALA memory's Unicode tokenizer (lower case, runs of word characters, CJK
one by one), with what it lacked: compatibility forms and case folded, marks kept in their word, and the
scripts of South-East Asia, which are written without spaces too, split like CJK.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from memtool.core.text.pattern import compiled

_CONTINUOUS = (
    "\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3100-\u31bf"  # CJK, kana
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\u1100-\u11ff"  # Hangul
    "\uf900-\ufaff\U00020000-\U0003ffff"  # CJK compatibility and extensions
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u1950-\u19df\ua9e0-\ua9ff\uaa60-\uaa7f"  # Tai scripts, Myanmar extensions
)
_MARK = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57"
    "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0dca-\u0df3"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f\u200c\u200d"
)
_RUN = rf"[{_CONTINUOUS}]|[^\W{_CONTINUOUS}](?:[^\W{_CONTINUOUS}]|[{_MARK}])*"
_COMBINING = r"[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]"


def fold(text: str) -> str:
    """One spelling for what reads the same: NFKC, case folded, typographic apostrophes made plain.

    `fold(NFC x) == fold(NFD x)`, and folding twice changes nothing. (The order of the steps is that of
    compatibility caseless matching, Unicode Standard section 3.13, D146.)
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    if unicodedata.is_normalized("NFKC", text) and text.casefold() == text and _TYPED.isdisjoint(text):
        return text
    # Apostrophes go first, for NFKC takes some of them apart into a space and a mark.
    text = unicodedata.normalize("NFD", text).translate(_APOSTROPHES)
    for _ in range(2):
        text = unicodedata.normalize("NFKC", text.casefold())
    return text.translate(_APOSTROPHES)


APOSTROPHES = "’ʻʼ‘`´ʹ′＇"
"""The letters that people and keyboards write for the apostrophe of `don't` and of Uzbek `yo'q`."""
_TYPED = frozenset(APOSTROPHES)
_APOSTROPHES = {ord(letter): "'" for letter in APOSTROPHES}


def is_continuous(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces between words."""
    return not character.isascii() and compiled(f"[{_CONTINUOUS}]").match(character) is not None


def words(text: str) -> Iterator[tuple[str, int, int]]:
    """Each token of folded text with where it starts and ends; a character of a continuous script is one."""
    if text.isascii():  # what the large pattern comes to there
        for match in compiled(r"\w+").finditer(text):
            yield match.group(), match.start(), match.end()
        return
    for match in compiled(_RUN).finditer(text):
        token = match.group()
        if not compiled(_COMBINING).fullmatch(token):
            yield token, match.start(), match.end()


def tokens(text: str) -> frozenset[str]:
    """The set of tokens of a text, pronouns and all: what duplicates are compared by."""
    return frozenset(token for token, _, _ in words(fold(text)))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0 to 1; two empty sets share nothing."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0
