"""Triggers of WAL entries: the phrases that make a sentence an entry, and its category.

The tables are data, one module for each language in `languages`. A phrase is a regular expression over masked
prose in lower case, without accents, with `'` for every apostrophe; a blank matches any run of blanks, and a
match ends at the end of a word. User phrases are literal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from memtool.core.capture.languages.trigger import Trigger
from memtool.core.text.folding import APOSTROPHES, fold_in_place
from memtool.core.text.sentences import CODE_MASK, URL_MASK
from memtool.errors import BadUsage


class EntryDestination(Enum):
    """Where the entries of a category go besides the session state."""

    SESSION_ONLY = "session only"
    LONG_TERM = "long-term memory"
    RULE = "rules of conduct"


CATEGORIES = {
    "correction": EntryDestination.SESSION_ONLY,
    "proper_noun": EntryDestination.LONG_TERM,
    "preference": EntryDestination.LONG_TERM,
    "decision": EntryDestination.SESSION_ONLY,
    "specific_value": EntryDestination.SESSION_ONLY,
    "instruction": EntryDestination.RULE,
    "remember": EntryDestination.LONG_TERM,
}
"""Each category, and where its entries go."""

STATED = frozenset({"preference", "proper_noun", "correction"})
"""Categories that questions and suppositions do not give; a clause before the question does."""
SUPPOSABLE = STATED | {"decision"}
"""Categories that suppositions and questions without a mark do not give."""


ANY_LANGUAGE = (
    Trigger(
        "specific_value",
        r"(?<![\d/-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:t\d{2}:\d{2}[\d:.z]*)?(?![-/]\d)",
        ("-",),
    ),
    Trigger(
        "specific_value",
        r"(?<![\d/.-])(?:\d{4}/(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])"
        r"|(?:3[01]|[12]\d|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])/(?:\d{4}|\d\d))(?![-/.]\d|/)",
        ("/",),
    ),
    Trigger(
        "specific_value",
        r"(?<![\d.])(?:3[01]|[12]\d|0?[1-9])\.(?:1[0-2]|0?[1-9])\.\d{4}(?!\.?\d)",
        (".",),
    ),
    Trigger(
        "specific_value",
        rf"(?<![\d.,{CODE_MASK}])(?:\d{{2,3}}(?:[.,']\d{{3}}|[^\S\n]\d{{3}})|\d(?:[.,']\d{{3}}|[^\S\n]\d{{3}}){{2}})"
        r"(?:[.,']\d{3}|[^\S\n]\d{3}){0,5}(?!\d)",
    ),
    Trigger("specific_value", f"{URL_MASK}+", (URL_MASK,), whole_words=False),
    Trigger("specific_value", rf"(?<!\d[.,])(?<![{CODE_MASK}\w])\d{{5,}}"),
)
"""Triggers that depend on no language."""


class TriggerTable(Struct, frozen=True):
    """A user's own triggers, which are added to those of the languages."""

    rows: tuple[Trigger, ...] = ()

    def with_phrases(self, phrases: Mapping[str, Sequence[str]]) -> TriggerTable:
        """The table with a user's literal phrases, by category.

        Raises BadUsage for an unknown category, or a phrase without a letter or digit.
        """
        rows = [_phrase_trigger(category, phrase) for category in phrases for phrase in phrases[category]]
        return TriggerTable((*self.rows, *rows))

    def with_patterns(self, patterns: Mapping[str, Sequence[str]]) -> TriggerTable:
        """The table with a user's regular expressions, by category; they ignore case.

        They come only from the user's own configuration, because a pattern can be made to run for ever.
        Raises BadUsage for an unknown category, or a pattern that is malformed or matches the empty text.
        """
        rows = [
            _pattern_trigger(category, pattern) for category in patterns for pattern in patterns[category]
        ]
        return TriggerTable((*self.rows, *rows))


DEFAULT_TRIGGERS = TriggerTable()


def build_triggers(
    phrases: Mapping[str, Sequence[str]], patterns: Mapping[str, Sequence[str]] | None = None
) -> TriggerTable:
    """The built-in table with a user's phrases and patterns."""
    return DEFAULT_TRIGGERS.with_phrases(phrases).with_patterns(patterns or {})


def _check_category(category: str, setting: str) -> None:
    """Raise BadUsage for an unknown category in a setting."""
    if category not in CATEGORIES:
        raise BadUsage(f"{setting}: unknown category {category!r}; use one of {', '.join(CATEGORIES)}")


def _phrase_trigger(category: str, phrase: str) -> Trigger:
    _check_category(category, "scan.phrases")
    words = fold_in_place(phrase.translate({ord(letter): "'" for letter in APOSTROPHES})).split()
    if not any(map(str.isalnum, "".join(words))):
        raise BadUsage(
            f"scan.phrases: the phrase {phrase!r} for {category} has no letter or digit; use words"
        )
    return Trigger(category, " ".join(map(re.escape, words)), (words[0],), is_user_defined=True)


def _pattern_trigger(category: str, pattern: str) -> Trigger:
    _check_category(category, "scan.patterns")
    try:
        empty = re.compile(pattern, re.IGNORECASE).search("") is not None
    except re.error as error:
        raise BadUsage(
            f"scan.patterns: the pattern {pattern!r} for {category} is not a regular expression ({error}); "
            "correct it in your configuration"
        ) from error
    if empty:
        raise BadUsage(
            f"scan.patterns: the pattern {pattern!r} for {category} matches the empty string and therefore "
            "every message; correct it in your configuration"
        )
    return Trigger(category, pattern, whole_words=False, is_user_defined=True)
