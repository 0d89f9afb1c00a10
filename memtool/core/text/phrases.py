"""Lists of phrases that classify a text, matched whatever its case, spaces and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from msgspec import Struct

from memtool.core.text.clean import clean
from memtool.core.text.folding import fold
from memtool.core.text.regex import regex

_INVISIBLE = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
_QUOTES = '["“”„«»*_~()\\[\\]{}<>|\\\\]'

_EMPHASIS = r"(?<=\w)[*~`]+(?=\w)"
_APOSTROPHES = str.maketrans("\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\uff07", "''" + "'" * 6)
_LOOKALIKE = str.maketrans(  # Cyrillic and Greek
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u03b1\u03bf\u03b9\u03bd\u03c1",
    "aeopcyxisjhdaoivp",
)
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz")
_MIXED = "[a-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][a-z]"


def plain_text(text: str) -> str:
    """A text as phrases match it: folded, single-spaced, without invisible characters, quotes, emphasis."""
    if text.isascii() and text.isalnum() and text.islower():
        return text  # most words of phrases, of which a process folds hundreds
    visible = regex(_EMPHASIS).sub("", regex(_INVISIBLE).sub("", clean(text)))
    bare = regex(_QUOTES).sub(" ", fold(visible).translate(_APOSTROPHES).translate(_SMALL_CAPITALS))
    if not bare.isascii():
        bare = regex(r"\w+").sub(_to_latin, bare)
    return " ".join(bare.split())


def _to_latin(match: re.Match[str]) -> str:
    """The word; if it mixes Latin letters with lookalikes, all in Latin letters."""
    word = match.group()
    return word.translate(_LOOKALIKE) if regex(_MIXED).search(word) else word


class PhraseLists(Struct, frozen=True, dict=True, eq=False):
    """Phrases by the name of their list, matched as whole words; `*` at a word's edge is any letters.

    Equal only to itself, and thus hashable, so that what is found with it can be cached.
    """

    lists: Mapping[str, tuple[str, ...]]
    has_more: bool = False
    """Whether phrases of the user's settings were added."""

    def with_more(self, more: Mapping[str, Iterable[str]]) -> PhraseLists:
        """The lists with more phrases, of the user's settings, added to them."""
        lists = {name: (*rows, *more.get(name, ())) for name, rows in self.lists.items()}
        return PhraseLists(lists, has_more=lists != self.lists)

    def find(self, name: str, text: str) -> str | None:
        """The first match of a list in a `plain_text` text, or None."""
        match = self._pattern(name).search(text)
        return match.group() if match else None

    def find_all(self, name: str, text: str) -> list[str]:
        """All matches of a list in a `plain_text` text, in order."""
        return self._pattern(name).findall(text)

    def match_start(self, name: str, text: str) -> str | None:
        """The phrase of a list at the start of a `plain_text` text, or None."""
        match = self._pattern(name).match(text)
        return match.group() if match else None

    def remove(self, name: str, text: str) -> str:
        """Replace every phrase of a list in a `plain_text` text by a blank."""
        return self._pattern(name).sub(" ", text)

    def _pattern(self, name: str) -> re.Pattern[str]:
        if name not in self._patterns:
            self._patterns[name] = _any_of(tuple(self.lists.get(name, ())), self.has_more)
        return self._patterns[name]

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        return {}


@lru_cache(256)
def _any_of(rows: tuple[str, ...], has_more: bool) -> re.Pattern[str]:
    patterns = dict.fromkeys(map(_phrase_pattern, rows))  # not a set, whose order differs in each process
    phrases = sorted(filter(None, patterns), key=len, reverse=True)
    source = rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)" if phrases else r"(?!)"
    return re.compile(source) if has_more else regex(source)


def _phrase_pattern(row: str) -> str:
    """A phrase as a regular expression over `plain_text` text."""
    words = [(word.startswith("*"), plain_text(word.strip("*")), word.endswith("*")) for word in row.split()]
    return r"\W{1,3}".join(
        (r"\w*" if any_start else "") + re.escape(word) + (r"\w*" if any_end else "")
        for any_start, word, any_end in words
        if word
    )
