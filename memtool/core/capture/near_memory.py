"""Near memory: which stored texts a correction may be about that superseded none of them."""

from __future__ import annotations

import re

from memtool.core.capture.clauses import clauses, line_words
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.ending_value import Ending
from memtool.core.capture.languages.compared_words import (
    AGE_WORDS,
    COPULAS,
    FIRST_PERSON,
    POSSESSIVES,
    TEMPORARY,
)
from memtool.core.capture.languages.correction_signs import LEADS, NOW
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.particles import begin_alike
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.stated_in import without_frequency
from memtool.core.facts.duplicates import comparison_key
from memtool.core.text.health_words import may_affect_advice
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_WELL = (
    r"(?i)(?:(?:all|much|totally|completely|perfectly|feeling|working|back to) )*"
    r"(?:fine|ok|okay|good|well|better|healthy|healed|normal|fixed|repaired|working|back|alright|all right)\b"
)
_TROUBLE = (
    r"(?i)\b(?:hurts?|hurting|aches?|aching|pain\w*|sore|swollen|injur\w+|sprain\w*|broke\w*|ill|sick|leak\w*"
    r"|down|(?:at|in) the (?:shop|garage|vet|hospital|repair\w*)|out of order|(?:doesn|isn|won|can)['’]t"
    r"|not work\w*)\b"
)
_PERMISSION = (
    r"(?i)\b(?:is|are) (?:\w+ )?(?:fine|ok|okay|good|welcome|allowed|all right|alright|acceptable)\b"
    r"|\b(?:ist|sind) (?:\w+ )?(?:in ordnung|okay|ok|gut|erlaubt|erwünscht|willkommen)\b"
    r"|\best[áa]n? bien\b|\bconviennent\b|\b(?:sont|est) bienvenue?s?\b|\bme vont\b|\bc'est bon\b"
)
_USING = (
    r"(?i:\W*(?:user states )?(?:i|we)(?:'m|'re|'ve| am| are| have)?(?: currently| still| mostly)?"
    r" (?:us|driv|rid|own|run|play|work|tak|drink|read|bank|shop)(?:e|ing|s)?(?: with| in| at| on)?)"
    r" (?P<thing>.+)"
)
_OF_ONE = frozenset(["live", "work", "study", "drive", "ride", "rent", "earn", "pay", "weigh", "commute"])
"""Verbs of what somebody mostly has one value of: `I drive`."""
_GENERAL = content_stems(
    "like love hate enjoy prefer want need know think believe feel mean get really lot thing little small big"
    " large old new good great nice lovely own wait day week month year time"
)
"""Words that do not tell what a statement about the user is about."""
_LONGEST_LABEL = 4
"""Words of a label."""
_NAMED = r"(?:an? |the )?[A-ZÀ-Þ]"
_MOST_TO_SUBJECT = 3
"""The words of a clause among which its subject is, if that is the user."""
_PLACE_OF = r"\b(?:at|to|from|near|with|by) ([\w-]+)['’]s\b"
_VISIT = (
    r"(?i)\bfor (?:(?:the|an?|one|two|three|\d+|some|her|his|their|our|my) )?(?:few |long )?(?:weekend|days?"
    r"|nights?|weeks?|holidays?|vacation|trip|lunch|dinner|wedding|party|christmas|easter|funeral|visit|meeting"
    r"|conference|birthday)\b"
)
"""Where somebody goes for a time only."""
_LEAST_SHARED = 2
"""Content words that a near text shares with a correction, unless one is its whole subject."""


def nearness(correction: str, text: str) -> int:
    """How many content words a stored text shares with a correction; 0 if it is not near.

    A near text shares two that are not both names, or what the correction is about with the verb: `my dog
    is`. A shared name alone, as in `Rex sleeps` and `Rex is allergic`, does not make two texts about the same
    thing. One that has the correction's own words is what it was recorded as.
    """
    statement = _without_signs(correction)
    if comparison_key(statement) in comparison_key(text):
        return 0
    terms, others = content_stems(without_frequency(statement)), content_stems(text)
    shared = terms & others
    if terms <= others:
        return 0
    names = content_stems(" ".join(_names(statement) + _names(text)))
    is_near = (len(shared) >= _LEAST_SHARED and shared - names) or (shared and _is_of_same(statement, text))
    return len(shared) if is_near else 0


def labelled_alike(correction: str, text: str) -> int:
    """How many words the label of a text, `Dentist: Dr. Osei`, has, if a correction says what the user's is.

    A name may follow the label: `my daughter Ada is 16` is about `Daughter: Ada, 15`. 0 for any other
    correction or text.
    """
    label, colon, _ = text.partition(": ")
    words = [word.text for word in line_words(_without_signs(correction))]
    verb = next((number for number, word in enumerate(words) if word in COPULAS), 0)
    if not colon or verb < 2 or words[0] not in POSSESSIVES or len(label.split()) > _LONGEST_LABEL:
        return 0
    terms = content_stems(" ".join(words[1:verb]))
    labels = content_stems(label)
    return len(terms) if labels and labels <= terms <= content_stems(text) else 0


def telling_stems(text: str) -> frozenset[str]:
    """The stems of the content words of a text that say what it is about: no numbers, nor words of time."""
    words = (word.text for word in line_words(text))
    return content_stems(
        " ".join(word for word in words if not (word in TEMPORARY or word in AGE_WORDS or is_count(word)))
    )


def permits(sentence: str) -> bool:
    """Whether a sentence says that something is fine, as one does that takes a rule back."""
    return regex(_PERMISSION).search(sentence) is not None


def shared_by_user(correction: str, text: str) -> int:
    """How many telling words a sentence in the first person shares with what a text says of the user.

    0 if one of them is not about the user: `Actually, I take the tram to work` may be about `I cycle to
    work`, but not about `My sister works in Ghent`.
    """
    statement = _without_signs(correction)
    if not _is_of_user(statement):
        return 0
    terms = content_stems(without_frequency(statement)) - _GENERAL
    own = (text[start:end] for start, end in clauses(text) if _is_of_user(text[start:end]))
    return max((len(terms & content_stems(clause)) for clause in own), default=0)


def ended_words(ending: Ending, text: str) -> int:
    """How many telling words of what has ended a text has: of the user, if that was said of the user.

    What follows a clause about the user without a subject of its own is of the user, too: `I am a nurse,
    mostly on the night shift`.
    """
    said = "".join(ending.affirmed[:1])
    if not _is_of_user(said):
        return ending.shared(text)
    from memtool.core.capture.clause_subjects import is_of_others  # few messages end anything

    spans, verb = clauses(text), " ".join(said.split()[:_MOST_TO_SUBJECT])
    first = next((number for number, (start, end) in enumerate(spans) if _is_of_user(text[start:end])), None)
    own = spans[first:] if first is not None else []
    return ending.shared(" ".join(text[slice(*span)] for span in own if not is_of_others(verb, text, span)))


def _is_of_user(clause: str) -> bool:
    """Whether the user is the subject of a clause: its first word, or next to its verb."""
    words = [word.text for word in line_words(clause)[:_MOST_TO_SUBJECT]]
    return any(word in FIRST_PERSON or word.startswith("j'") for word in words)


def may_revise(correction: Correction, text: str) -> int:
    """How surely a sentence that says only what a value is now is about a stored text; 0 if it is not.

    The text has all words of what the sentence names, and the value is a date, a time, an amount or a name,
    or says that something the text is about is well again. `We switched to a Duster` may be about a text on
    what the user has.
    """
    if not correction.is_shift:
        return 0
    if correction.subject:
        is_about = correction.subject <= content_stems(text) and (
            any(regex(f"(?i)(?:{kind})").search(correction.new) for kind in VALUE_KINDS)
            or (
                not correction.is_renewal
                and correction.new[:1].isupper()
                and regex(_VISIT).search(correction.new) is None
                and not correction.subject & content_stems(" ".join(regex(_PLACE_OF).findall(text)))
            )
            or (regex(_WELL).match(correction.new) is not None and _is_trouble(text))
        )
        return len(correction.subject) if is_about else 0
    if (using := regex(_USING).match(text)) is None:
        return 0
    both = correction.new, using["thing"]
    return int(begin_alike(*both) and all(regex(_NAMED).match(said) for said in both))


def _is_trouble(text: str) -> bool:
    return regex(_TROUBLE).search(text) is not None or may_affect_advice(text)


def _is_of_same(statement: str, text: str) -> bool:
    """Whether a text says what the subject of a statement is, in the words of the statement.

    What concerns health is replaced only by what does: `Rex is in the kitchen` leaves `Rex is allergic`.
    """
    if may_affect_advice(text) and not may_affect_advice(statement):
        return False
    words, others = ([word.text for word in line_words(each)] for each in (statement, text))
    verb = next((number for number, word in enumerate(words) if number and word in COPULAS), 0)
    if words[:1] in (["i"], ["we"]) and {*words[1:2]} <= _OF_ONE:
        verb = 1
    beginning = " ".join(words[: verb + 1])
    is_named = verb > 0 and bool(content_stems(beginning))
    return is_named and f" {beginning} " in f" {' '.join(others)} "


def _names(text: str) -> list[str]:
    """The words of a text with a capital, the first one only if another follows it: `Lena Holm`."""
    return regex(r"(?:(?<=\s)|^(?=\S+ [A-ZА-ЯÀ-Þ]))[A-ZА-ЯÀ-Þ][\w'’-]+").findall(text)


def _without_signs(correction: str) -> str:
    """A correction without "Actually", "now" and the like."""
    lead = regex(LEADS, re.IGNORECASE).match(correction)
    statement = correction[lead.end() :] if lead else correction
    return " ".join(regex(NOW, re.IGNORECASE).sub(" ", statement).split())
