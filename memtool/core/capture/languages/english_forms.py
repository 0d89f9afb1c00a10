"""Corrections in English that name both values: `it isn't X, it's Y`, `Y, not X`, `we moved from X to Y`.

The patterns match a sentence as it is written, in any case.
"""

from __future__ import annotations

from msgspec import Struct

from memtool.core.text.function_words import ENGLISH
from memtool.core.text.sentences import CLAUSE_STOP

MAX_VALUE = 60
"""The most characters of a value that a correction replaces."""

_VALUE = rf"(?:[^,;:!?—–\n]|(?<=\d)[:,](?=\d)){{1,{MAX_VALUE}}}?"
_IT = r"(?:it|that|this|he|she|they|there|the \w+(?: \w+)?|my \w+(?: \w+)?|our \w+(?: \w+)?)"
_IS = r"(?:is|was|are|were|'s|'re)"
_IS_NOT = r"(?:(?:is|was|are|were)(?: not|n't)|'s not|'re not|aint|ain't)"
_ADVERB = r"(?:actually|really|now|still|just|always|only|mostly|usually|do|would|much|definitely)"
_BREAK = r"(?: ?[,;:—–]+ ?| - | )"
_HARD_BREAK = rf"(?: ?(?:[,;:—–]|{CLAUSE_STOP})+ ?| - )"
_THEN = (
    rf"(?:but (?:rather )?|(?:it|that|this|he|she|they)(?:{_IS}| {_IS}) (?:really |actually |now )?|rather )"
)
_END = (
    rf"(?=$|[;!?—–\n]|[,:](?!\d)| - |{CLAUSE_STOP}| (?:and|because|since|so|but|when|if|as|please|sorry"
    r"|thanks|though|for now)\b)"
)
CHANGED = (
    r"(?:mov|chang|reschedul|postpon|push|shift|switch|migrat|renam|updat|increas|rais|lower|reduc|cut"
    r"|convert"
    r"|bump|upgrad|downgrad|extend|correct)(?:e|ed|es|ing|ted|ped|t)?|went|going"
)
_WRONG = (
    rf"(?:(?:{_IS}|{_IS_NOT}) (?:wrong|incorrect|mistaken|outdated|out of date)"
    rf"|(?:{_IS_NOT}|{_IS} not) (?:right|correct|true|accurate|up to date))"
)


class CorrectionForm(Struct, frozen=True):
    """A pattern with the groups `old` and `new`; a sentence without any of the signs cannot match."""

    signs: tuple[str, ...]
    pattern: str
    language: str = ENGLISH


FROM_TO = rf"\b(?:{CHANGED})\b[^,;:!?\n]{{0,60}}? from (?P<old>{_VALUE}) to (?P<new>{_VALUE}){_END}"
OBJECT_MOVED = rf"\b(?:{CHANGED})\b \w+.* from$"
"""`we moved the launch from`, unlike `we moved from`."""
FIRST_PERSON = r"\W*(?:(?:actually|really|and|but|so|no|sorry|well) )*(?:i|we|i'm|i've|i'd|we're|we've)\b"
NOT_BUT = (
    rf"\bnot (?!only\b|just\b|merely\b|sure\b|necessarily\b)(?P<old>{_VALUE}),? but (?:rather "
    rf"|instead )?(?P<new>{_VALUE}){_END}"
)
NO_MORE = (
    rf"^\W*(?:(?:ok|okay|so|and|but|well|sorry|actually)\W+)*no more (?P<old>{_VALUE}) for (?:me|us)"
    rf"(?: any ?more)?{_BREAK}+(?:(?:it's|i'm on|we're on|i(?:'ve| have) switched to|(?:i|we)(?: only| just)?"
    r" (?:now )?(?:drink|eat|use|take|have|buy|like|prefer|order|play|read|watch|smoke)|now it's|only|just"
    rf"|from now on) )(?:now |only |just )*(?P<new>{_VALUE})"
    rf"(?: now| these days| instead| from now on)*{_END}"
)
"""`no more Lapsang for me, it's rooibos now`: what the user had by habit."""
CLEFT = (
    rf"(?:\W*(?:actually|no|nope|sorry|wait|oh|well|i mean|correction)\b[\s,.!:;–—-]+)*(?:it's|it is|it was)"
    rf" (?P<new>{_VALUE}),? (?:that |which |where )?(?P<clause>(?:i|i'm|i am|i've|we|we're|we've|(?:my|our) \w+)"
    rf" [^,;:!?\n]{{2,{MAX_VALUE}}}?),? (?:and )?not (?P<old>{_VALUE})[.!]*$"
)
"""`it's rye I'm allergic to, not oats`."""
ENGLISH_FORMS = (
    CorrectionForm(
        ("not ", "n't "),
        rf"(?<!\w)(?P<head>{_IT})? ?(?P<be>{_IS_NOT}) (?P<old>{_VALUE}){_BREAK}{_THEN}(?P<new>{_VALUE})"
        rf"{_END}",
    ),
    CorrectionForm(("not ",), NOT_BUT),
    CorrectionForm(
        ("mean",),
        rf"\bmeant?(?: to say)? (?P<new>{_VALUE})(?:,? and|,)? not (?P<old>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("spel", "pronounced", "called", "named"),
        rf"\b(?:spelled|spelt|pronounced|called|named) (?P<new>{_VALUE}),? (?:and )?not"
        rf" (?P<old>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("not ",),
        rf"(?:\b(?:is|was|are|were|am|be|use|to|on|at|in|for|by)|'s|'re|'m) (?P<new>{_VALUE}), (?:and )?not"
        rf" (?P<old>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("not ",),
        rf"\b(?:i|we|you|he|she|they|(?:my|our|the) \w+)(?:'m|'re|'ve|'d)?(?: {_ADVERB})* (?!{_ADVERB} )\w+"
        rf" (?P<new>{_VALUE})(?:,| -|,? and) not (?!(?:that|because|when|if|since|while) )(?P<old>{_VALUE})"
        rf"{_END}",
    ),
    CorrectionForm(
        (
            "wrong",
            "incorrect",
            "mistaken",
            "dated",
            "of date",
            " right",
            "correct",
            "true",
            "accurate",
            "to date",
        ),
        rf"(?:^|[,;:] ?)(?:no,? |actually,? |sorry,? )?(?P<old>{_VALUE}) {_WRONG}{_HARD_BREAK}"
        rf"(?:it's|it is|it should be|should be|it was|that's|use|make it|the (?:right|correct) \w+ is)"
        rf" (?P<new>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("instead of", "rather than"),
        rf"\b(?:instead of|rather than) (?P<old>{_VALUE}),? (?:please |just |always |let's |we |you )?"
        rf"(?:should )?(?:use|do|make it|take|say|write|call it|it's|put) (?P<new>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("instead of", "rather than"),
        rf"\b(?:use|using|uses|take|say|write|call it|it's|put) (?P<new>{_VALUE}),? (?:instead of|rather"
        rf" than) (?P<old>{_VALUE}){_END}",
    ),
    CorrectionForm(
        ("instead of", "rather than"),
        rf"^(?=.*\b(?:now|nowadays|these days)\b).{{0,40}}?\b(?:i|we|(?:my|our) \w+)(?:'m|'re)?(?: {_ADVERB})*"
        rf" (?!{_ADVERB} )\w+ (?P<new>{_VALUE}),? (?:instead of|rather than) (?P<old>{_VALUE}){_END}",
    ),
    CorrectionForm((" from ",), FROM_TO),
    CorrectionForm(
        ("used to",),
        rf"\bused to (?:be|use|live in|work (?:at|for)|have) (?P<old>{_VALUE})(?:,| but|,? and)+ (?:it's "
        rf"|i'm |i |we )?now "
        rf"(?:it's |i'm |i |we )?(?:use |live in |work (?:at|for) |have )?(?P<new>{_VALUE}){_END}",
    ),
    CorrectionForm(("no more ",), NO_MORE),
    CorrectionForm(
        ("replace",),
        rf"\breplace[ds]? (?P<old>{_VALUE}) (?:with|by) (?P<new>{_VALUE}){_END}",
    ),
)
