"""A row of a trigger table, and the table of a language."""

from __future__ import annotations

import re
from functools import cache, cached_property

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.core.text.sign_index import SignIndex

_WORD_END = "(?:(?<![a-zа-я])|(?![a-zа-я]))"
_LONG_WORDS = regex(r"(\\w|\[\\w['ъ-]*\])([+*])")
_CLAUSE_START = r"(?:^|(?<=[,;:.!?¿¡(…—–\n，。；：！？、])|(?<=[,;:.!?¿¡(…—–]\s))"
"""Where a pattern may start that begins with any words, so that it is not tried at each of them."""
_AT_MOST = {"+": "{1,40}", "*": "{0,40}"}
"""Letters of a word, so that a long run of letters is searched in linear time."""


class Trigger(Struct, frozen=True):
    """One row of a table.

    `signs`: a message (folded) without any of them cannot match; empty: always try.
    `starts`: the allowed position: `anywhere`, at the start of a `clause`, or of a `sentence`.
    `then`: what must follow: nothing, a `word`, a `name`, a `sure name`, a named `thing`.
    `unless`: a pattern that must not precede it.
    `needs`: a small pattern without which the phrase cannot match; a large phrase takes long to compile.
    `is_user_defined`: it comes from the user's settings, and counts wherever it matches.
    """

    category: str
    phrase: str
    signs: tuple[str, ...] = ()
    starts: str = "anywhere"
    then: str = ""
    unless: str = ""
    whole_words: bool = True
    needs: str = ""
    is_user_defined: bool = False

    def may_match(self, folded: str) -> bool:
        """Whether a folded text has what the phrase needs."""
        return not self.needs or _needed_pattern(self.needs).search(folded) is not None

    def pattern(self) -> re.Pattern[str]:
        """The compiled phrase; with `whole_words` it is searched in the folded text."""
        if self.is_user_defined:
            return _user_pattern(self.phrase, self.whole_words)
        return _phrase_pattern(self.phrase) if self.whole_words else regex(self.phrase, re.IGNORECASE)


@cache
def _phrase_pattern(phrase: str) -> re.Pattern[str]:
    return regex(_as_words(phrase))


@cache
def _user_pattern(phrase: str, whole_words: bool) -> re.Pattern[str]:
    """The pattern of a phrase from the user's settings: `regex` may keep its sources."""
    return re.compile(_as_words(phrase)) if whole_words else re.compile(phrase, re.IGNORECASE)


@cache
def _needed_pattern(phrase: str) -> re.Pattern[str]:
    return regex(_spaced(phrase))


def _as_words(phrase: str) -> str:
    return f"(?:{_spaced(phrase)}){_WORD_END}"


def _spaced(phrase: str) -> str:
    """A phrase as a pattern: a blank is any few blanks of one line, `~` the start of a clause, words are short."""
    phrase = phrase.replace("~", _CLAUSE_START)
    phrase = _LONG_WORDS.sub(lambda word: word[1] + _AT_MOST[word[2]], phrase)
    return phrase.replace(" ?", r"[^\S\n]{0,9}").replace(" ", r"[^\S\n]{1,9}")


class LanguageTable(Struct, frozen=True, dict=True, eq=False):
    """The triggers of a language, and the patterns that decide where they apply.

    `leads`: words that may stand between the start of a clause and a trigger, such as "please".
    `conjunctions`: words after which a clause starts.
    `question_words`: words that begin a question. `asked_inside`: words that stand anywhere in a question.
    `private`: requests not to keep what was said. `self_harm`, `death_wish`,
    `violence`: statements of a crisis, the last of violence that the speaker suffers.
    `spaced`: whether blanks separate words.
    """

    triggers: tuple[Trigger, ...]
    leads: str
    conjunctions: str
    question_words: str
    private: tuple[str, ...] = ()
    self_harm: tuple[str, ...] = ()
    death_wish: tuple[str, ...] = ()
    violence: tuple[str, ...] = ()
    asked_inside: str = ""
    spaced: bool = True

    @cached_property
    def trigger_index(self) -> SignIndex:
        """The numbers of the triggers by their signs."""
        return SignIndex([trigger.signs for trigger in self.triggers])
