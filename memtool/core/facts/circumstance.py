"""Circumstances: when, where to or for what a fact holds, so that one for another case stands beside it.

`I wake up at 6` and `I wake up at 9 on holiday` can both be true, as can `I drive 30 km to work` and `I drive
45 km to my mum's`. `I'm 12 weeks pregnant` is no repetition of `I'm 8 weeks pregnant`.
"""

from __future__ import annotations

from memtool.core.facts.one_value import canonical_words
from memtool.core.records.candidate import entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.dates import is_calendar_word
from memtool.core.text.number_words import NUMBER_WORDS
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex

_NEVER = frozenset(["WAS_BORN", "HAS_AGE", "HAS_NAME"])
"""Predicates with a value that holds in all cases."""
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_TIME = (
    r"(?:in|during|over) (?:the )?(?:summer|winter|spring|autumn|fall|(?:school )?holidays?|term(?: ?time)?"
    rf"|week)|on (?:my |our |the )?(?:holidays?|vacation|leave|days? off|week ?days|weekends?|work ?days"
    rf"|school \w+|side|{_DAY})|at (?:the )?(?:weekends?|christmas|easter)|(?:most|some|every other) \w+"
    r"|im (?:sommer|winter|frühling|herbst|urlaub)|am wochenende|an \w+ tagen|an (?:wochenenden|werktagen)"
    r"|in den ferien|en (?:verano|invierno|primavera|otoño|vacaciones|été|hiver|automne)"
    r"|(?:los )?fines de semana|au printemps|le week-?end"
)
_CLAUSE = r"(?:when|whenever|while|if|unless|wenn|falls|cuando|quand|lorsque) [^,.;]+"
_CASE = rf"\b(?:{_TIME}|{_CLAUSE})(?!\w)"
_CHANGE = (
    r"\b(?:now|these days|nowadays|moved|relocated|started|began|switched|changed|since|jetzt|seit|umgezogen"
    r"|ahora|desde|maintenant|depuis)\b"
)
"""A sentence that says since when something holds; a season in it is that of the change."""
_NO_CASE = (
    r"(?:tall|o['’]?clock|sharp|uhr|[ap]\.?m\.?|in the (?:mornings?|evenings?|afternoons?)|at night"
    r"|at (?:the moment|present)|right now|(?:every|each) (?:single )?\w+|a day|per day|daily|or so)(?!\w)"
)
_VERB = (
    r"\b(?:is|are|was|were|will|has|have|starts?|begins?|takes?|leaves?|ends?|meets?|costs?|ist|sind|war|hat"
    r"|beginnt|endet|es|son|era|empieza|sale|est|sont|commence|coûte|cuesta|kostet)\b"
)
"""Verbs of what something is or when it takes place."""
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|last|next|erst|zweit|dritt|primer|segund|tercer|premi|deux|trois)"
)
_PURPOSE = r"(?:to|in|on|at|for|with|without|nach|zur?|im|in|a|al|para|con|sin|pour|avec|sans|au) [^,.;]+"
"""What after an amount or a time of day says what it is for."""


def is_other_case(fact: FactTriple, known: FactTriple) -> bool:
    """Whether one of two facts with the same predicate holds in a case in which the other one may not.

    A statement of what holds now, or since a change, is of no case.
    """
    if not fact.quote or not known.quote:
        return False
    said, other = case_of(fact), case_of(known)
    if not said and regex(_CHANGE).search(plain_text(fact.quote)):
        return False
    return not (said.startswith(other) if other else not said) and not (said and other.startswith(said))


def is_counted_anew(quote: str | None, known: str | None) -> bool:
    """Whether two sentences have the same words but for their numbers, and the first has another number."""
    rows = [_numbers_and_words(text or "") for text in (quote, known)]
    return rows[0][1] == rows[1][1] and bool(rows[0][0]) and rows[0][0] != rows[1][0]


def is_of_other_number(quote: str, known: str) -> bool:
    """Whether two sentences have different numbers, days or months before their verb: other things.

    `My appointment on 3 May is at 9` is not about `my appointment on 10 May`, nor `team 1` about `team 2`.
    """
    numbers, others = (_numbers_of_subject(text) for text in (quote, known))
    return bool(numbers and others) and numbers != others


def _numbers_of_subject(text: str) -> list[str]:
    plain = plain_text(text)
    verb = regex(_VERB).search(plain)
    words = canonical_words(plain[: verb.start()]) if verb else ()
    return [word for word in words if _is_number(word)]


def _is_number(word: str) -> bool:
    is_ordinal = regex(rf"{_ORDINAL}[a-zè]*").fullmatch(word) is not None
    return word[:1].isdigit() or word in NUMBER_WORDS or is_calendar_word(word) or is_ordinal


def case_of(fact: FactTriple) -> str:
    """In which case a fact holds, folded; empty if in all of them."""
    text = plain_text(fact.quote or "")
    if fact.predicate in _NEVER or regex(_CHANGE).search(text):
        return ""
    value = plain_text(entity_name(fact.object))
    _, found, rest = text.partition(value)
    if found and value[:1].isdigit():
        rest = regex(rf"(?:\s*{_NO_CASE})+").sub("", rest).strip(" .!")
        if purpose := regex(_PURPOSE).match(rest):
            return purpose[0].strip()
    case = regex(_CASE).search(text)
    return case[0].strip() if case else ""


def _numbers_and_words(text: str) -> tuple[list[str], list[str]]:
    words = [word for word in canonical_words(text) if word not in {"now", "jetzt", "ahora", "maintenant"}]
    numbers = [word for word in words if word[:1].isdigit()]
    return numbers, [word for word in words if not word[:1].isdigit()]
