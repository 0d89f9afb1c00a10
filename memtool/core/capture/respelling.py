"""Respelled names: `My name is spelled Catalin`, of which `My name is Katalin Varga` has another spelling."""

from __future__ import annotations

from memtool.core.capture.languages.correcting_forms import SPELLED
from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex

_CAPITAL = r"[A-ZÀ-ÞА-ЯЁ][\w'’-]*"
_OWN_NAME = r"(?i)\b(?:my (?:\w+ )?name(?:'s| is)|i'm|i am|call me|name:)"
"""How a text names the user."""
_ALIKE = 0.7
"""The least part of their letters that two spellings of a name share."""


def spelled_name(sentence: str) -> str:
    """The user's name that a sentence spells; empty if it spells none."""
    match = regex(rf"(?i:{LEADS})?{SPELLED}").match(sentence)
    return match["new"] if match else ""


def other_spelling(name: str, text: str) -> str:
    """The one spelling in a text of the user's name `name`; empty if there is none, several, or the same."""
    own = regex(_OWN_NAME).search(text)
    if own is None or search_fold(name) in map(search_fold, regex(r"[\w'’-]+").findall(text)):
        return ""
    found = [word for word in regex(_CAPITAL).findall(text, own.end()) if is_respelling(word, name)]
    return found[0] if len(found) == 1 else ""


def is_respelling(old: str, new: str) -> bool:
    """Whether two words are spellings of one name, as far as their letters tell."""
    if not all(regex(_CAPITAL).fullmatch(word) for word in (old, new)):
        return False
    from difflib import SequenceMatcher  # few sentences spell a name

    words = search_fold(old), search_fold(new)
    return words[0] != words[1] and SequenceMatcher(None, *words).ratio() >= _ALIKE
