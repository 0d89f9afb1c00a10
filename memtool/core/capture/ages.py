"""Ages: whether texts say how old somebody is: `Rolo is five`, `Rolo is four years old`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from memtool.core.capture.clauses import clauses
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.exclusive_values import ValueCue, cue_of
from memtool.core.capture.languages.age_forms import AGES, KNOWN_AGES, MONTHS, TURNED_AGES, age_numbers
from memtool.core.capture.languages.compared_words import (
    AGE_WORDS,
    COPULAS,
    HAVING,
    POSSESSIVES,
)
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_SUBJECT_AND_VERB = 2


def is_before_age(words: Sequence[str]) -> bool:
    """Whether two words are a name and a verb that may stand before an age."""
    return len(words) == _SUBJECT_AND_VERB and words[1] in COPULAS | HAVING


def are_ages(before: Sequence[str], after: Sequence[str], *values: Sequence[str]) -> bool:
    """Whether a name and `is` stand before two numbers, and nothing but units of age behind.

    In a language in which people have years, more words may stand before the verb: `mi hija Ana tiene`.
    """
    is_of_age = bool(after) and AGE_WORDS.issuperset(after)
    has_verb = is_before_age(before) or (is_of_age and before[-1:] != before[:1] and before[-1] in HAVING)
    has_verb = has_verb and (before[-1] in COPULAS or is_of_age)
    return has_verb and (is_of_age or not after) and all(map(_is_age, values))


def _is_age(value: Sequence[str]) -> bool:
    first, *rest = value
    is_number = first.isdigit() or first in NUMBER_WORDS or first in OTHER_NUMBERS
    return is_number and AGE_WORDS.issuperset(rest)


def stated_age(sentence: str) -> Correction | None:
    """A correction of a sentence that says only how old somebody is, or has turned; None for others."""
    lowered = sentence.lower()
    for signs, pattern in AGES:
        match = (
            regex(pattern, re.IGNORECASE).match(sentence) if any(map(lowered.__contains__, signs)) else None
        )
        if match is None or not _months(match):
            continue
        if subject := content_stems(match["subject"]):
            return Correction(
                "",
                _age_text(match),
                subject,
                statement=sentence,
                head=subject,
                is_shift=True,
                is_renewal=True,
                is_age=True,
            )
    return None


def with_known_age(correction: Correction, text: str) -> Correction:
    """A correction that says how old somebody is, with the age that a text gives the same person.

    Itself where the text has none, or where that is the same age. Only in a sentence that begins as
    corrections do ("Actually, …") is one younger who was older, or turned another age. One who is named is
    the same as one of whom the text gives the name, or the name and fewer or more words: `Maeve`, `my
    granddaughter Maeve`.
    """
    said = _age_in(correction.statement, [pattern for _, pattern in AGES])
    if said is None:
        return correction
    is_correcting = cue_of(correction.statement) is not ValueCue.NOW
    for begin, _ in clauses(text):
        known = _age_in(text[begin:], KNOWN_AGES)  # "treinta y nueve años" is more than one clause
        if known is None and is_correcting:
            known = _age_in(text[begin:].rpartition(". ")[2], TURNED_AGES)  # the quote of a fact
        if known is None or not _is_of_one(said["subject"], known["subject"]):
            continue
        months, known_months = _months(said), _months(known)
        if months == known_months or (months < known_months and not is_correcting):
            return correction
        head = content_stems(known["subject"]) & correction.subject
        is_of_one_unit = _unit(said) == _unit(known)
        old, new = (
            match["age"] + match["half"] if is_of_one_unit else _age_text(match) for match in (known, said)
        )
        return replace(correction, old=old, new=new, raw=(old, new), subject=head, head=head)
    return correction


def _age_in(text: str, patterns: Sequence[str]) -> re.Match[str] | None:
    matches = (regex(pattern, re.IGNORECASE).match(text) for pattern in patterns)
    return next((match for match in matches if match and _months(match)), None)


def _is_of_one(said: str, known: str) -> bool:
    """Whether the subjects of a sentence and of a text are one person, of whom the text has no other name."""
    if regex(r"['’]s(?!\w)").search(known):
        return False
    names, known_names = map(_names, (said, known))
    stems, known_stems = content_stems(said), content_stems(known)
    is_named_alike = known_names <= names and bool(known_names) == bool(names)
    return is_named_alike and (stems <= known_stems or known_stems <= stems)


def _names(subject: str) -> set[str]:
    """The names in a subject, without the noun of a German apposition: `Lena`, of `meine Tochter Lena`."""
    bare = regex(r"(?i:meine?|unsere?) (?:[a-zäöüß]+ )*[A-ZÄÖÜ][\w-]+ (?=[A-ZÄÖÜ])").sub("", subject)
    words = regex(r"(?<![\w'’-])[A-ZÀ-Þ][\w-]+").findall(bare)
    return {word for word in words if word.lower() not in POSSESSIVES}


def _age_text(match: re.Match[str]) -> str:
    return match["age"] + match["half"] + match["unit"]


def _unit(match: re.Match[str]) -> float:
    """How many months the unit of an age has."""
    unit = search_fold(match["unit"]).strip(" -")
    return next((months for start, months in MONTHS if unit.startswith(start)), 12)


def _months(match: re.Match[str]) -> float:
    """An age in months; 0 for words that are no number."""
    words = "-".join(search_fold(match["age"]).replace("-", " ").split())
    number = int(words) if words.isdigit() else age_numbers().get(words, 0)
    return (number + 0.5 * bool(match["half"])) * _unit(match) if number else 0
