"""Fragments: sentences that say nothing without the ones before them: "I loved it", "They're brown"."""

from __future__ import annotations

import re

from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.text.health_words import may_affect_advice
from memtool.core.text.regex import regex

_MAX = 60
"""Characters of a fragment."""
_PRONOUN = r"(?:it|they|this|that|these|those)"
_IS = r"(?:['’](?:s|re)| is| are| was| were)(?:n['’]t)?"
_DEGREE = (
    r"(?: (?:not|a|an|the|so|such|very|really|pretty|quite|too|bit|little|all|both|just|kind of|sort of))*"
)
_NO_OWN = r"(?:my|our|me|us|i|we|for|on|in|at|of|to|with|from|by|because|since|when|\w+['’]s|allerg\w+)\b"
_OFTEN = (
    r"(?:often|sometimes|a lot|regularly|rarely|daily|weekly|every (?:day|week|month)|all the time|most days)"
)
_GENERIC = r"(?:an? )?(?:app|tool|thing|device|machine|program|site|website|one|something|stuff|some|lots)"
_VALUE = rf"(?:the \d{{1,2}}(?:st|nd|rd|th)|{'|'.join(VALUE_KINDS)}|\d[\d.,]*)"
_FRAGMENT = (
    rf"{_PRONOUN}{_IS}{_DEGREE}(?: (?!{_NO_OWN})(?-i:[a-z\d])[\w-]*){{1,2}}"
    rf"|(?:i|we)(?:['’]ve| have)?(?: (?:really|also|just|still|always|never|absolutely|quite))*"
    rf" (?!know\b)[a-z]+ {_PRONOUN[:-1]}|them|him|her)"
    rf"(?: (?:so much|a lot|very much|too|all|both|again|there|{_OFTEN}))?"
    rf"|(?:i|we) (?:use|have|got|need|do|try|tried|bought|want) {_GENERIC}"
    r"|(?:i|we) (?:go|do|play|use|went|come|try)(?: there| here)?"
    rf"(?: (?:very|pretty|quite|so|fairly))? {_OFTEN}"
    rf"|(?:on |at )?{_VALUE}(?: (?:now|then|instead))?"
)


def is_fragment(sentence: str) -> bool:
    """Whether the only subject or object of a sentence is a pronoun, or it is only a value. English.

    What may be about health is none: "They are diabetic" is better kept without its subject than lost.
    """
    if len(sentence) > _MAX or regex(_FRAGMENT, re.IGNORECASE).fullmatch(_bare(sentence)) is None:
        return False
    return not may_affect_advice(sentence)


def corrects_value(sentence: str) -> bool:
    """Whether a fragment says only a value, or how many there are, as one that corrects memory does.

    A value alone may be an answer, so it has a sign of a correction before it: "Actually the 4th."
    """
    bare = _bare(sentence)
    if regex(rf"{_PRONOUN}{_IS} \d[\d.,]* [^\W\d_]+", re.IGNORECASE).fullmatch(bare):
        return True
    has_lead = len(bare) < len(sentence.strip(" .!\n"))
    return has_lead and regex(rf"(?:on |at )?{_VALUE}", re.IGNORECASE).fullmatch(bare) is not None


def _bare(sentence: str) -> str:
    lead = regex(LEADS, re.IGNORECASE).match(sentence)
    return (sentence[lead.end() :] if lead else sentence).strip(" .!,\n")
