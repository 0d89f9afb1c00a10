"""Triggers of WAL entries: the phrases that make a sentence an entry, and its category.

The table is data. A phrase is a regular expression over masked, lower-case prose with `'` for every
apostrophe; a blank matches any run of blanks, and a match ends at the end of a word. User phrases are
literal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from memtool.core.text.folding import APOSTROPHES
from memtool.core.text.regex import regex
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

NOT_IN_QUESTIONS = frozenset({"preference", "proper_noun"})


class Trigger(NamedTuple):
    """One row of the table.

    `signs`: a message (in lower case) without any of them cannot match; empty: always try.
    `starts`: the allowed position: `anywhere`, at the start of a `clause`, or of a `sentence`.
    `then`: what must follow: nothing, a `word`, a `name`, a `sure name`, a named `thing`.
    `unless`: a pattern that must not precede it.
    """

    category: str
    phrase: str
    signs: tuple[str, ...] = ()
    starts: str = "anywhere"
    then: str = ""
    unless: str = ""
    whole_words: bool = True

    def pattern(self) -> re.Pattern[str]:
        """The compiled phrase; with `whole_words` it is searched in the lower-case text."""
        if not self.whole_words:
            return regex(self.phrase, re.IGNORECASE)
        return regex(self.phrase.replace(" ?", r"[^\S\n]{0,9}").replace(" ", r"[^\S\n]{1,9}"))


_HOW = (
    "(?: (?:really|also|still|always|usually|generally|strongly|definitely|personally|absolutely|particularly"
    "|especially|rather|actually|just|much)){0,2}"
)
_RECALLING = r"\b(?:i|we|they|he|she|who|not|never|cannot|can't|don't|couldn't|didn't|do you|did you|do they)"
_CLAUSE = (  # after "but" these begin a new clause: "not sure but I think so" is no correction
    r"(?:(?:i|we|you|he|she|it|it's|they|that|that's|this|there|also|can|please|is|was|if|when|still|what|how)\b"
    "|i'|let)"
)

TRIGGERS = (
    # English
    Trigger("correction", "actually", ("actually",)),
    Trigger("correction", "no[,.;:!—–-]* ?i mean(?:t)?", ("i mean",)),
    Trigger(
        "correction",
        r"it(?:'s| is) not [^\n]{1,120}?(?:[,;:—–-] ?it(?:'s| is)|,? ?\bbut) (?=\w)",
        ("it's not", "it is not"),
    ),
    Trigger(
        "correction",
        rf"not (?!(?:only|just|merely|sure)\b)[^\n]{{1,120}}?\bbut (?!{_CLAUSE})(?=\w)",
        ("not ",),
    ),
    Trigger("proper_noun", "my name(?:'s| is)", ("my name",), then="sure name"),
    Trigger("proper_noun", "i'm", ("i'm",), then="name"),
    Trigger("proper_noun", "i am", ("i am",), then="name", unless=r"\bam"),
    Trigger("proper_noun", "call me", ("call me",), then="name"),
    Trigger("proper_noun", "this is", ("this is",), then="name"),
    Trigger(
        "preference",
        rf"i(?:'d| would| do)?{_HOW} (?:like|love|hate|prefer|want)(?! you to\b)",
        ("like", "love", "hate", "prefer", "want"),
        unless=r"\b(?:do|did|would|should|could|can|does)",
    ),
    Trigger("preference", f"i (?:don'?t|do not){_HOW} (?:like|love|want|prefer)", ("don", "do not")),
    Trigger("decision", "let'?s (?:do|go|use|try)", ("let's", "lets"), then="word"),
    Trigger("decision", "go with", ("go with",), then="word"),
    Trigger("decision", "(?:we'll|we will|i'll|i will) use", ("ll use",), then="word"),
    Trigger("decision", "use", ("use",), starts="sentence", then="thing"),
    Trigger("instruction", "(?:always|never|do(?:n't| not) ever)", ("always", "never", "ever"), "clause", "word"),
    Trigger(
        "instruction",
        "(?:from now on|going forward|in (?:the )?future|by default|(?:any|every|each) ?time|when(?:ever)?)"
        r"[^\n]{0,120}?, ?(?:please )?(?:always|never|do|don't|use|give|write|show|include|you)",
        ("from now on", "forward", "future", "default", "time", "when"),
        "clause",
        "word",
    ),
    Trigger(
        "instruction",
        "i(?:'d| would)? (?:want|need|like|prefer) you to (?:always|never)",
        ("you to always", "you to never"),
        then="word",
    ),
    Trigger("remember", "remember (?:this|that)", ("remember",), unless=_RECALLING),
    Trigger("remember", "do(?:n'?t| not) forget", ("forget",), unless=r"\b(?:i|we|they|who)"),
    # Uzbek
    Trigger("correction", "yo'q", ("yo'q",), starts="clause"),
    Trigger("correction", "aslida", ("aslida",)),
    Trigger("correction", r"men (?:\w+ ){0,3}aytmoqchi\w{0,12}", ("aytmoqchi",)),
    Trigger("correction", "to'g'ri emas", ("to'g'ri emas",)),
    Trigger("proper_noun", "(?:mening )?ismim", ("ismim",), then="sure name"),
    Trigger("proper_noun", "men", ("men ",), then="name"),
    Trigger("preference", "(?:yoqtiraman|xohlayman|yomon ko'raman)", ("raman", "xohlayman")),
    Trigger("preference", "istardim", ("istardim",)),
    Trigger("decision", "(?:keling(?:lar)?|qani)", ("keling", "qani"), starts="clause", then="word"),
    Trigger("decision", "(?:ishlataylik|sinab ko'raylik)", ("aylik",)),
    Trigger("remember", "(?:eslab qol|yodda tut)(?:ing(?:lar)?|gin)?", ("eslab qol", "yodda tut")),
    Trigger("remember", "unutma(?:ng(?:lar)?|gin)?", ("unutma",)),
    # Any language
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
    Trigger("specific_value", f"{URL_MASK}+", (URL_MASK,), whole_words=False),
    Trigger("specific_value", rf"(?<!\d[.,])(?<![{CODE_MASK}\w])\d{{5,}}"),
)  # fmt: skip


class TriggerTable(NamedTuple):
    """A table of triggers, in order of precedence for the same place in the text."""

    rows: tuple[Trigger, ...] = TRIGGERS

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


def _check_category(category: str, what: str) -> None:
    """Raise BadUsage for an unknown category."""
    if category not in CATEGORIES:
        raise BadUsage(
            f"{category!r} is no category for a trigger {what}; the categories are {', '.join(CATEGORIES)}"
        )


def _phrase_trigger(category: str, phrase: str) -> Trigger:
    _check_category(category, f"phrase ({phrase!r})")
    words = phrase.translate({ord(letter): "'" for letter in APOSTROPHES}).lower().split()
    if not any(map(str.isalnum, "".join(words))):
        raise BadUsage(
            f"the trigger phrase {phrase!r} for {category} has no letter or digit; write words to look for"
        )
    return Trigger(category, " ".join(map(re.escape, words)), (words[0],))


def _pattern_trigger(category: str, pattern: str) -> Trigger:
    _check_category(category, f"pattern ({pattern!r})")
    try:
        empty = re.compile(pattern, re.IGNORECASE).search("") is not None
    except re.error as error:
        raise BadUsage(
            f"the trigger pattern {pattern!r} for {category} is not a regular expression ({error}); "
            "mend it in your configuration"
        ) from error
    if empty:
        raise BadUsage(
            f"the trigger pattern {pattern!r} for {category} matches the empty text, so it would match every "
            "message; mend it in your configuration"
        )
    return Trigger(category, pattern, whole_words=False)
