"""Shifted values: which value of a line a sentence replaces that says only what it is now.

`The deadline moved to 26 February` names no old value: a line about all that it names has one of this kind.
"""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from memtool.core.capture.ages import with_known_age
from memtool.core.capture.clauses import clauses
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.languages.compared_words import AGE_WORDS
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.capture.other_value import other_value
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_HOME = (
    r"\b(?:lives|is living|resides|is based) in (?P<place>(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-ZÀ-Þ])[\w'-]*)*)"
)
_LEAD = r"(?:the |about |around |only )?"
_TIMES = (
    r"(?:now|instead|again|yesterday|recently|a few (?:days|weeks|months) ago"
    r"|(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter)"
    r"|in (?:\d{4}|(?-i:[A-Z])[a-z]+ \d{4})|at \d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b)?)"
)
_REST = rf"(?i)[\s.!]*(?:{_TIMES}[\s.!]*)?"
"""What may follow a new value; anything else ("for my wife", "in my novel") may say that it is another's."""
_DAY_OF_MONTH = r"the \d{1,2}(?:st|nd|rd|th)(?=[.!]|$|, (?!the \d)| (?:at|from|and(?! the \d)(?! \d)) )"
"""A day without its month, unlike `the 3rd floor`, and not one of several."""
_THEIRS = r"(?i)\b(?:his|her|their) ([\w'’-]+(?: [\w'’-]+)?)"
_OWN_SUBJECT = r"\W*(?:(?i:the|my|our|an?|i|we|his|her|their)\b|[A-ZÀ-ÞА-Я])"
_NO_OWNERS = frozenset(
    [
        "user",
        "today",
        "tomorrow",
        "tonight",
        "it",
        "that",
        "there",
        "what",
        "who",
        "let",
        "week",
        "month",
        "year",
    ]
)


def shifted(correction: Correction, text: str) -> Correction:
    """A correction without an old value, with the one value of its kind in a line about the same.

    Itself where several clauses are about the same, or one with such a value has no subject (`and ends
    at 2pm`).
    """
    if correction.is_age:
        return with_known_age(correction, text)
    if not correction.subject:
        return correction
    kind = next((kind for kind in VALUE_KINDS if regex(rf"(?i)(?:{kind})").search(correction.new)), None)
    if correction.is_renewal or kind is None:
        if _is_of_other(correction, text):
            return correction
        other = other_value(correction.statement, text) if correction.is_renewal else None
        if other is not None and not _is_other_time(other.old):
            return replace(correction, old=other.old, new=other.new, raw=(other.old, other.new))
    if kind is None:
        return _with_day(correction, text) or _moved(correction, text)
    one = regex(rf"(?i)(?<!\w)(?:{kind})(?!\w)")
    value = one.search(correction.new)
    if value is None or not _is_alone(correction.new, value.start(), value.end()):
        return correction
    fitting: list[tuple[str, list[str]]] = []
    for begin, end in clauses(text):
        clause = text[begin:end]
        if not (found := [match[0] for match in one.finditer(clause)]):
            continue
        if correction.subject <= content_stems(clause) and not _is_of_other(correction, clause):
            fitting.append((clause, found))
        elif regex(_OWN_SUBJECT).match(clause) is None:
            return correction
    if len({search_fold(each) for _, values in fitting for each in values}) != 1:
        return correction
    clause, (old, *_) = fitting[0]
    is_named = correction.is_renewal and _names_in(clause[: clause.index(old)], correction.statement)
    if is_named or search_fold(old) == search_fold(value[0]):
        return correction
    return replace(correction, old=old, new=value[0], raw=(old, value[0]), head=correction.subject)


def _is_other_time(value: str) -> bool:
    """Whether a value is a time that is no age: `34 weeks pregnant`."""
    words = {*search_fold(value).split()[1:]}
    return value[:1].isdigit() and bool(words & AGE_WORDS) and not words <= AGE_WORDS


def _is_of_other(correction: Correction, text: str) -> bool:
    """Whether a text is about what somebody has whom the correction does not name: `my wife's train`."""
    owners = regex(r"([\w-]+)(?:['’]s|(?<=s)['’]) [\w-]").findall(text)
    known = correction.subject
    if any(not content_stems(owner) <= known and owner.lower() not in _NO_OWNERS for owner in owners):
        return True
    said, other = (
        any(content_stems(thing) & correction.subject for thing in regex(_THEIRS).findall(words))
        for words in (correction.statement, text)
    )
    return said != other


def _names_in(text: str, statement: str) -> bool:
    """Whether a text names somebody or something whom a statement does not."""
    names = regex(r"(?<=\w )[A-ZÀ-ÞА-Я][\w'’-]+").findall(text)
    return not content_stems(" ".join(names)) <= content_stems(statement)


def _with_day(correction: Correction, text: str) -> Correction | None:
    """The correction of what moved to `the 25th`, in a line with one date about the same."""
    day = regex(r"(?:the )?(\d{1,2})(st|nd|rd|th)[\s.!]*").fullmatch(correction.new)
    dated = rf"(?i)(?<!\w)(?:{VALUE_KINDS[0]}|{_DAY_OF_MONTH})"
    for begin, end in clauses(text) if day else ():
        matches = regex(dated).finditer(text)
        dates = [match[0] for match in matches if begin <= match.start() < end]
        if day and len(dates) == 1 and correction.subject <= content_stems(text[begin:end]):
            if _is_of_other(correction, text[begin:end]):
                continue
            old, head = dates[0], correction.subject
            new = _on_day(old, day[1], day[2])
            return replace(correction, old=old, new=new, raw=(old, new), head=head) if new else None
    return None


def _on_day(date_: str, day: str, ending: str) -> str:
    """A date with another day of its month; empty where its day is not certain: `5/12/2026`."""
    if regex(r"[^\W\d_]{3}|the ").search(date_):
        return regex(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)").sub(day + ending, date_, count=1)
    if regex(r"\d{4}-\d{2}-\d{2}").fullmatch(date_) is None:
        return ""
    try:
        return date.fromisoformat(f"{date_[:8]}{int(day):02}").isoformat()
    except ValueError:
        return ""


def is_time(text: str) -> bool:
    """Whether a text says nothing but a date, a day or a time, and when it changed."""
    matches = (regex(rf"(?i)(?<!\w)(?:{kind})(?!\w)").search(text) for kind in VALUE_KINDS[:3])
    return any(match is not None and _is_alone(text, *match.span()) for match in matches)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether a text says nothing but a value, and when it changed."""
    return bool(regex(rf"(?i){_LEAD}").fullmatch(text[:start]) and regex(_REST).fullmatch(text[end:]))


def _moved(correction: Correction, text: str) -> Correction:
    """The correction of somebody who moved to a place, in a line that says where that person lives."""
    place = regex(r"(?:[A-ZÀ-Þ][\w'-]*)(?: [A-ZÀ-Þ][\w'-]*)*").match(correction.new)
    if place is None or not _is_alone(correction.new, *place.span()):
        return correction
    for begin, end in clauses(text):
        home = regex(f"(?i){_HOME}").search(text[begin:end])
        if home is None or not correction.subject <= content_stems(text[begin : begin + home.start()]):
            continue
        if search_fold(home["place"]) != search_fold(place[0]):
            old = home["place"]
            return replace(correction, old=old, new=place[0], raw=(old, place[0]), head=correction.subject)
    return correction
