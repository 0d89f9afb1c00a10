"""Contrary rules: whether a new rule of conduct says the opposite of an old one, or sets another value.

The words are data: the lists `general`, `negator`, `polite`, `courtesy`, `replacing` and `answering` of
`layouts/policy.toml`, and its lists `one_of_…`, each of which names values of which only one can hold (`tabs`
or `spaces`), with `about_…`, the nouns for these values.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence, Set

from memtool.core.text.discourse import without_opening
from memtool.core.text.function_words import is_function_word
from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import stem
from memtool.core.text.tokenizer import content_terms, word_list

_REPLACING = "replacing"
FRAME_LISTS = ("general", "negator", "polite", "courtesy", _REPLACING)
"""The lists of phrases of a rule that do not tell what it is about."""
VALUES_PREFIX = "one_of_"
"""The prefix of the lists of values of which a rule sets one."""
_NOUNS_PREFIX = "about_"
"""The prefix of the lists of nouns for the values of a list."""

_CONTRAST = r"(?:,? (?:instead of|rather than|as opposed to|and not)|, not) [^,;.:]{1,80}$"
_CLAUSES = r"[,;.:!—–]+ | - |[.!]+$"
_EXCLUDED = r"\w,? (?:and )?(?:never|not) (\w+(?: \w+)?)[.! ]*$"
_CIRCUMSTANCE_WORDS = (
    "in for to with when whenever while if on at during unless except before after where every any"
)
_CIRCUMSTANCES = frozenset(_CIRCUMSTANCE_WORDS.split())
_NAMED = (
    r"(?:^|(?:^|\W)(?:please|always|just|to|and|on|so) |(?<=, ))(?:call|address) me(?: as)?"
    r" (?!back\b|again\b|later|when|if|at\b|on\b|by\b|to\b|tomorrow|before|after|once)(\S[^,;.]{0,60})"
)
_VALUE_PREPOSITIONS = frozenset({"as", "to"})
_NUMBERS = frozenset(NUMBER_WORDS)
_LOWER_BOUND = r"\b(?:at least|more than|over|above|minimum|no fewer|no less|longer than)\b"
_BOUND_WORDS = (
    "under below most least maximum max minimum min limit exceed more less fewer than up over above exactly"
)
_REPLY_WORDS = "keep give make be use stay switch style message all every each"
_MAX_VALUE_WORDS, _MAX_NAMED_WORDS = 2, 4
_LANGUAGES = ("de", "es", "fr", "pt")
"""Languages whose function words say nothing of a rule, besides English and Russian."""
_CACHED_RULES = 4096
"""A new rule is compared with each old one, and one process may read many messages."""


@functools.lru_cache(_CACHED_RULES)
def rule_terms(text: str, markers: PhraseLists) -> frozenset[str]:
    """The stems of what a rule is about, without negations, courtesies and marks of generality."""
    plain = plain_text(text)
    for name in FRAME_LISTS:
        plain = markers.remove(name, plain)
    terms = (_synonym(term, markers) for term in content_terms(plain))
    return frozenset(term for term in terms if term)


def is_same_wish(text: str, other: str, markers: PhraseLists) -> bool:
    """Whether two rules say the same, except for courtesies, marks of generality and inflection."""
    terms, other_terms = rule_terms(text, markers), rule_terms(other, markers)
    if not terms or terms != other_terms or is_forbidding(text, markers) != is_forbidding(other, markers):
        return False
    order, other_order = (
        [term for word in word_list(plain_text(rule)) if (term := _synonym(word, markers)) in terms]
        for rule in (text, other)
    )
    return [*dict.fromkeys(order)] == [*dict.fromkeys(other_order)]


@functools.lru_cache(_CACHED_RULES)
def is_forbidding(text: str, markers: PhraseLists) -> bool:
    """Whether a rule forbids something; `use tabs, not spaces` demands something."""
    plain = _plain_rule(text)
    return markers.find("negator", regex(_CONTRAST).sub("", plain) or plain) is not None


def is_contrary(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether a new rule cannot be followed together with an old one.

    It forbids what the old one demands, or the reverse, or sets another value: another name for the user,
    another number, another value of one list, or another thing for the same purpose. A rule that holds only
    in a circumstance never contradicts one that holds in another or in none.
    """
    plain = _plain_rule(old)
    return any(
        _is_contrary_clause(plain, clause, markers) or _demands_excluded(plain, clause, markers)
        for clause in _clauses(new, markers)
    )


def says_instead(text: str, markers: PhraseLists) -> bool:
    """Whether a rule says that it stands in place of an earlier one, without saying of which: `instead`."""
    return markers.find(_REPLACING, markers.remove("negator", plain_text(text))) is not None


def is_of_same_kind(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether two rules are about the same, or set different values of one list."""
    before, after = _values(plain_text(old), markers), _values(plain_text(new), markers)
    if any(not before[name] & after[name] for name in before.keys() & after.keys()):
        return True
    terms = rule_terms(old, markers) & rule_terms(new, markers)
    return bool(_without_function_words(terms) - every_reply_terms())


def _demands_excluded(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether a rule demands just what an old one excludes at its end: `millimetres, never inches`."""
    excluded = regex(_EXCLUDED).search(old)
    if excluded is None or is_forbidding(new, markers) or old.split(" ", 1)[0] in _CIRCUMSTANCES:
        return False
    terms, wanted = (rule_terms(text, markers) - every_reply_terms() for text in (excluded[1], new))
    return bool(terms) and terms == wanted


def _is_contrary_clause(old: str, new: str, markers: PhraseLists) -> bool:
    names = [_called(text, markers) for text in (old, new)]
    if names[0] and names[1]:
        words = [value.split() for value in names]
        is_bare = all(len(row) <= _MAX_NAMED_WORDS and _CIRCUMSTANCES.isdisjoint(row) for row in words)
        return is_bare and names[0] != names[1]
    is_opposite = is_forbidding(old, markers) != is_forbidding(new, markers)
    before, after = rule_terms(old, markers), rule_terms(new, markers)
    if not before or not after:
        return False
    if is_opposite:
        bare = _without_function_words(before), _without_function_words(after)
        before, after = (frozenset(left or terms) for left, terms in zip(bare, (before, after), strict=True))
        return after == before or (len(after) > 1 and after < before)
    if before == after:
        return False
    return (
        _sets_other_number(old, new, markers)
        or _sets_other_value(old, new, markers)
        or _sets_other_word(old, new, markers)
    )


def _called(text: str, markers: PhraseLists) -> str:
    """What a rule wants the user to be called; empty if it is about something else."""
    found = regex(_NAMED).search(text)
    if found is None or is_forbidding(found[0], markers):
        return ""
    name = found[1]
    for frame in FRAME_LISTS:
        name = markers.remove(frame, name)
    return plain_text(name)


@functools.lru_cache(_CACHED_RULES)
def _plain_rule(text: str) -> str:
    """A rule in plain text without "No," and the like before it, which would be a negation of the rule."""
    return plain_text(without_opening(text))


@functools.lru_cache(1)
def _clauses(text: str, markers: PhraseLists) -> Sequence[str]:
    """The whole rule; and the clauses of one that holds in every circumstance."""
    plain = _plain_rule(text)
    parts = [part for part in regex(_CLAUSES).split(plain) if rule_terms(part, markers)]
    if len(parts) < 2 or any(part.split(" ", 1)[0] in _CIRCUMSTANCES for part in parts):
        return (plain,)
    return (plain, *parts)


def _sets_other_value(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether two rules differ only in values of one list, such as `tabs` and `spaces`."""
    before, after = _values(old, markers), _values(new, markers)
    for name in before.keys() & after.keys():
        if not before[name] & after[name]:
            texts = (regex(_CONTRAST).sub("", text) for text in (old, new))
            nouns = _NOUNS_PREFIX + name.removeprefix(VALUES_PREFIX)
            bare = (markers.remove(nouns, markers.remove(name, text)) for text in texts)
            rest, new_rest = (rule_terms(text, markers) for text in bare)
            rest, new_rest = (terms - every_reply_terms() for terms in (rest, new_rest))
            if _without_function_words(rest) == _without_function_words(new_rest):
                return True
    return False


def _without_function_words(terms: Set[str]) -> Set[str]:
    """Terms without the function words of other languages."""
    return {term for term in terms if not any(is_function_word(term, language) for language in _LANGUAGES)}


@functools.lru_cache(_CACHED_RULES)
def _values(text: str, markers: PhraseLists) -> Mapping[str, Set[str]]:
    """The values that a rule names, by the lists of values that have them."""
    bare = regex(_CONTRAST).sub("", text)
    lists = (name for name in markers.lists if name.startswith(VALUES_PREFIX))
    return {name: values for name in lists if (values := frozenset(markers.find_all(name, bare)))}


def _sets_other_number(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether two rules about the same differ in their numbers, and bound them from the same side."""
    numbers, new_numbers = _numbers(old), _numbers(new)
    if not numbers or len(numbers) != len(new_numbers) or numbers == new_numbers:
        return False
    about, new_about = (
        rule_terms(" ".join(word for word in word_list(text) if not _is_number(word)), markers) - _bounds()
        for text in (old, new)
    )
    lower, new_lower = (regex(_LOWER_BOUND).search(text) is not None for text in (old, new))
    return (
        lower == new_lower and bool(about) and about - every_reply_terms() == new_about - every_reply_terms()
    )


@functools.lru_cache(_CACHED_RULES)
def _numbers(text: str) -> Sequence[str]:
    return tuple(word for word in word_list(text) if _is_number(word))


def _sets_other_word(old: str, new: str, markers: PhraseLists) -> bool:
    """Whether two rules differ in one number, or in one thing after `as` or before the same `for …`."""
    before, after = _bare_words(old, markers), _bare_words(new, markers)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old_value, new_value = before[start : len(before) - end], after[start : len(after) - end]
    is_value = start > 0 and before[start - 1] in _VALUE_PREPOSITIONS
    longest = _MAX_NAMED_WORDS if is_value else _MAX_VALUE_WORDS
    if not (0 < len(old_value) <= longest and 0 < len(new_value) <= longest):
        return False
    are_numbers = all(map(_is_number, (*old_value, *new_value)))
    is_for_purpose = end > 1 and before[len(before) - end] == "for"
    is_ban = markers.find("negator", plain_text(new)) is not None  # "never X" leaves "never Y" as it is
    if not (are_numbers or ((is_value or is_for_purpose) and not is_ban)):
        return False
    shared = content_terms(" ".join((*before[:start], *before[len(before) - end :])))
    if are_numbers:
        return bool(shared)
    return len(shared) > 1 and all(content_terms(" ".join(value)) for value in (old_value, new_value))


@functools.lru_cache(_CACHED_RULES)
def _bare_words(text: str, markers: PhraseLists) -> Sequence[str]:
    for name in ("general", "polite", "courtesy", _REPLACING):
        text = markers.remove(name, text)
    return tuple(word_list(" ".join(text.split())))


def _is_number(word: str) -> bool:
    return word.isdigit() or word in _NUMBERS or re.fullmatch(r"(?a)\d+(?:[.,]\d+)?", word) is not None


def _synonym(term: str, markers: PhraseLists) -> str:
    """The stem of a term; one stem for all verbs of answering."""
    return "answer" if markers.match_start("answering", term) is not None else stem(term)


@functools.cache
def _bounds() -> frozenset[str]:
    return frozenset(map(stem, _BOUND_WORDS.split()))


@functools.cache
def every_reply_terms() -> frozenset[str]:
    """Stems that say of a rule only that it is about every reply."""
    return frozenset({"answer", *map(stem, _REPLY_WORDS.split())})
