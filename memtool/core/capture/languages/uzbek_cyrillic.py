"""Uzbek triggers in Cyrillic letters: those of the Latin table, letter by letter."""

from __future__ import annotations

import re

from msgspec.structs import replace

from memtool.core.capture.languages.trigger import LanguageTable, Trigger
from memtool.core.capture.languages.uzbek import TABLE as LATIN

_PAIRS = {"sh": "ш", "ch": "ч", "o'": "ў", "g'": "ғ", "ya": "я", "yo": "е", "yu": "ю", "ye": "е", "ng": "нг"}
_SINGLE = dict(zip("abdefghijklmnopqrstuvxyz'", "абдефгҳижклмнопқрстувхйзъ", strict=True))
_LETTERS = re.compile(r"\\[a-zA-Z]|\(\?[:=!]|\(\?<[=!]|sh|ch|o'|g'|y[aoue]|[a-z']")


def _in_cyrillic(pattern: str) -> str:
    """A pattern or a sign in the letters of the folded text; `e` at the start of a word is `э`."""

    def letter(match: re.Match[str]) -> str:
        part = match[0]
        if part.startswith(("\\", "(")):
            return part
        if part == "e" and not re.search(r"[a-z'\])]$", pattern[: match.start()]):
            return "э"
        return _PAIRS.get(part) or _SINGLE.get(part, part)

    return _LETTERS.sub(letter, pattern)


def _row(row: Trigger) -> Trigger:
    signs = tuple(map(_in_cyrillic, row.signs))
    return replace(row, phrase=_in_cyrillic(row.phrase), signs=signs, unless=_in_cyrillic(row.unless))


TABLE = LanguageTable(
    triggers=tuple(map(_row, LATIN.triggers)),
    leads=_in_cyrillic(LATIN.leads),
    conjunctions=_in_cyrillic(LATIN.conjunctions),
    question_words=_in_cyrillic(LATIN.question_words),
    asked_inside=_in_cyrillic(LATIN.asked_inside),
    private=tuple(map(_in_cyrillic, LATIN.private)),
    self_harm=tuple(map(_in_cyrillic, LATIN.self_harm)),
    death_wish=tuple(map(_in_cyrillic, LATIN.death_wish)),
    violence=tuple(map(_in_cyrillic, LATIN.violence)),
)
