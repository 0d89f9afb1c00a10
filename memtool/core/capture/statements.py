"""Statements of the user's own circumstances, as claims for the write policy.

A small grammar: the first person with a verb of a table, or `my` or `our` with a noun of a table and a value
of the kind that the noun has. Questions, requests, suppositions, reported speech, moods and what is only
going on at the moment are none of it, so what is found is little and lasts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.denials import affirmed
from memtool.core.capture.languages.correction_signs import RETRACTED
from memtool.core.capture.languages.statement_words import (
    CAPITAL,
    IS_DATE,
    MOMENTARY,
    MONTHS,
    VALUE_EDGE,
    YEAR,
    StatementForm,
)
from memtool.core.capture.life_forms import LIFE_FORMS
from memtool.core.capture.plausible import is_plausible, is_short_stay
from memtool.core.capture.possession_forms import POSSESSION_FORMS
from memtool.core.capture.self_forms import SELF_FORMS
from memtool.core.capture.translated_statements import (
    FormMatch,
    may_state_translated,
    question_start,
    rows_of,
    translated_matches,
)
from memtool.core.records.candidate import SENTENCE, Claim
from memtool.core.text.discourse import INTERJECTIONS, closing_start, without_opening
from memtool.core.text.folding import fold_in_place
from memtool.core.text.health_words import affects_advice
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CLAUSE_STOP, CODE_MASK, URL_MASK, SentenceText

MAX_STATEMENTS = 5
"""The most statements of a message; more of them are a text about somebody."""
MAX_VALUE = 80
"""The most characters of a value."""
_MAX_SENTENCE, _MAX_CLAUSE = 2_000, 300
"""Characters of a sentence, and of a clause, that are read."""
_READ_AT_START, _READ_AT_END = 30_000, 10_000
"""Characters at the beginning and the end of a text that are read."""

_ANCHOR = r"(?<![\w'’@/.-])(?:i|my|our|we)(?=['’ ])"
_FORMS = (*SELF_FORMS, *POSSESSION_FORMS, *LIFE_FORMS)
_INTERJECTION = rf"(?:{INTERJECTIONS}|today|now|then)"
_BEFORE = (
    r"(?:^|[,;:.!?—–()\n] ?| - |\b(?:and|but|so|because|since|as|fyi|btw|while|though|that|way|now|well) "
    r"|^\W*(?:after|since|before|during|for|last|this|every) (?:[\w'’-]+ ?){1,4},? $"
    rf"|^\W*(?:{_INTERJECTION}\b[\s,.!:;—–-]+)+)$"
)
_DENIED = r"(?:^|\W)not (?:from |for |with |to |in |at |by )?$"
"""What stands before a value that is denied: `from my son Ewan, not from my daughter Fiona`."""
_DOUBT = (
    r"\b(?:doubt|deny|denied|(?:not|n't) (?:think|believe|true|the case|correct|right)|false|untrue"
    r"|as an? (?:\w+ )?(?:ai|llm|model|language model|assistant|bot|chatbot|robot|agent))\b|"
    r"\b(?:if|whether|maybe|perhaps|suppose|supposing|imagine|pretend|wish|would|could|should|might"
    r"|unless|until|say|says|saying|said"
    r"|told|tell|wrote|write|writes|example|e\.g|hypothetically|character|quote|dream(?:ed|t)?|thought"
    r"|guess|when|once|translate"
    r"|rewrite|rephrase|act as|lyrics|story|letter|sentence|title|titled)\b"
)
_TOLD_TO_AGENT = (  # "something you should know: I…" doubts nothing
    r"\b(?:(?:like|as) )?(?:i|we) (?:said|told you|meant|mentioned|wrote)\b"
    r"|\b(?:i|we)(?: (?:also|just|only|realise|realize|actually|totally|completely)|'?ve| have){0,3}"
    r" (?:forg[eo]t(?:ten)?|meant) to (?:tell|mention|say|add)(?: you| it| this){0,2}\b"
    r"|\b(?:you|i|we)(?: (?:should|would|could|might|must|may|can|need to|want(?:ed)? to|(?:woul|')d like to"
    r"|just|also|probably|really|maybe|better)){1,4}"
    r" (?:know|remember|mention|tell you|add|say|note|flag|point out|clarify|be aware)\b"
)
_VALUE_END = (
    rf"[,;:!?—–()\n\"“”]|{CLAUSE_STOP}| - | (?:and|but|so|because|since|which|who|whose|that|when|while|if"
    r"|where|until|till|although|any ?more"
    r"|though|as|after|before|(?:with|for) (?:my|our)|right now|not|any longer|rather than|i|we|my|please"
    r"|thanks|can|could"
    r"|what|how|is|was|are|to|instead)\b"
)
_TIME_END = (
    r" (?:last|this|next) (?:week|month|year|night|spring|summer|autumn|fall|winter|weekend|\w+day)\b|"
    r" (?:today|yesterday"
    r"|recently|now|nowadays|these days|(?:\d+|a few|two|three|some) (?:days|weeks|months|years) ago)\b"
    rf"| (?:on|in|since) (?:{MONTHS}\b|\d|the \d)| for (?:now|\d+|an?|two|three|five|ten|many|several"
    rf"|over|almost) "
)
_MORE_PLACE = r", ?[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,2}"
_MORE_DATE = rf", {YEAR}(?= ?(?:$|[^\w\s]| (?:and|at|but|in|so)\b))"
_LIST_END = (
    rf"[;:!?—–()\n\"“”]|{CLAUSE_STOP}| - |,? (?:but|so|because|since|which|that|when|while|if|and (?:i|my|we"
    r"|it|can|so)|i|we|please|can|(?:keep|bear|remember|note|make sure|don['’]?t|do not|never|always) )\b"
)
_OPEN_END = r"(?: (?:on|at|in|for|from|with|of|by|about|into|just|or))+$"
"""Prepositions at the end of a value whose noun is no part of it: `Linux on`, before "my laptop"."""
_MAX_WORDS = 8
_QUOTE = 280
_JOINING = (
    "and|but|so|because|since|while|though|with|und|aber|denn|mit|y|pero|con|et|mais|avec|e|mas|com|и|а|но|с"
    "|ve|ama|va|lekin"
)
"""Words that join a clause, or a person, to what stands before."""
_SINGLES = ('"', "“", "”")


class Statement(Struct, frozen=True):
    """A claim about the user, its part of a sentence as evidence, and its span of the split text.

    One that `is_denied` says that the claim does not hold, or holds no more. One that `is_whole` is a
    sentence that no row of the grammar matches. One that `is_news` tells what lasts, whatever day it names.
    """

    claim: Claim
    quote: str
    sensitivity: str
    start: int
    end: int
    is_denied: bool = False
    is_whole: bool = False
    is_news: bool = False


def may_state(text: str) -> bool:
    """Whether a text has a sign of some row, without which it states nothing about the user."""
    return _has_anchor(text) or may_state_translated(fold_in_place(text))


def _has_anchor(text: str) -> bool:
    """Whether a text has a word in the first person, without which no English row matches."""
    return regex(_ANCHOR, re.IGNORECASE).search(text) is not None


def statements(text: SentenceText) -> tuple[Statement, ...]:
    """The statements of a split text in its order, each claim once; none if there are too many.

    Of a long text only the beginning and the end are read, and of a long sentence only the beginning.
    """
    found: dict[tuple[Claim, bool], Statement] = {}
    folded = fold_in_place(text.masked)
    rows = rows_of(folded)
    for sentence in text.sentences:
        if _READ_AT_START < sentence.start < len(text.masked) - _READ_AT_END:
            continue
        shown = text.masked[sentence.start : min(sentence.end, sentence.start + _MAX_SENTENCE)]
        matches = _english_matches(shown, is_question=sentence.is_question) if _has_anchor(shown) else []
        if not matches and rows:
            plain = folded[sentence.start : sentence.start + len(shown)]
            matches = translated_matches(shown, plain, rows, is_question=sentence.is_question)
        starts = [0, *(match.start for match in matches[1:]), len(shown)]
        for number, match in enumerate(matches):
            claim = _claim(match.form, match.groups, match.value)
            start, end = sentence.start + match.start, sentence.start + match.end
            part = text.text[sentence.start + starts[number] : sentence.start + starts[number + 1]]
            quote = _quote(part, is_cut=number + 1 < len(matches))
            if len(quote) > _QUOTE:
                quote = _quote(text.text[start:end], is_cut=True)
            sensitivity = _sensitivity(match.form, shown[match.start : match.end])
            statement = Statement(claim, quote, sensitivity, start, end, match.is_denied)
            found.setdefault((claim, match.is_denied), statement)
        if len(found) > MAX_STATEMENTS:
            return ()
    return tuple(found.values())


def plain_statement(text: SentenceText, number: int, end: int) -> Statement | None:
    """A sentence up to `end` as a statement about the user, for one that no row matches; None if too long."""
    start, whole, _ = text.sentences[number]
    said = text.text[start:end]
    retracted = regex(RETRACTED).match(said)
    quote = _quote(said[retracted.end() :] if retracted else said, is_cut=end < whole).strip(VALUE_EDGE)
    quote = quote[:1].upper() + quote[1:] if retracted else quote
    if not quote or len(quote) > _QUOTE:
        return None
    return Statement(whole_claim(quote), quote, "", start, end, is_whole=True)


def whole_claim(sentence: str) -> Claim:
    """The claim of a sentence that no row of the grammar matches, without "Actually," before it."""
    return Claim("context", "User", SENTENCE, without_opening(sentence))


def _sensitivity(form: StatementForm, words: str) -> str:
    """The sensitivity of a form; "high", which withholds, only for words that advice may ignore."""
    return "medium" if form.sensitivity == "high" and affects_advice(words) else form.sensitivity


def _quote(text: str, *, is_cut: bool = False) -> str:
    """A part of a sentence as evidence; if it is cut, without the word that joins it to the rest."""
    joining = rf"|\b(?:{_JOINING})$" if is_cut else ""
    return regex(rf"(?:[\s,;:–—-]{joining})+$").sub("", " ".join(text.split()))


def _english_matches(sentence: str, *, is_question: bool) -> list[FormMatch]:
    """The rows that a sentence states or denies; of a question also those that it opens with."""
    matches = [*_form_matches(sentence, is_question=is_question)]
    if matches or not is_question:
        return matches
    stated = sentence[: question_start(sentence.lower())]
    opening = regex(rf"\W*(?:{_INTERJECTION}\b[\s,.!:;—–-]+)*", re.IGNORECASE).match(stated)
    opened = opening.end() if opening else 0
    return [match for match in _form_matches(stated, is_question=False) if match.start <= opened]


def _form_matches(sentence: str, *, is_question: bool) -> Iterator[FormMatch]:
    """The rows that a sentence states or denies, with their values; one for each anchor."""
    position = 0
    for anchor in regex(_ANCHOR, re.IGNORECASE).finditer(sentence):
        start = anchor.start()
        if start < position or not _is_asserted(sentence, start, is_question=is_question):
            continue
        found = _first_form(sentence, start)
        if found is None and not is_question:
            found = _denied_form(sentence, start)
        if found is not None and not (is_question and not _goes_on(sentence, found.end)):
            yield found
            position = found.end


def _first_form(sentence: str, start: int) -> FormMatch | None:
    """The first row that the clause at `start` matches with a value."""
    clause = sentence[start : start + _MAX_CLAUSE].lower()
    for form in _FORMS:
        if any(sign in clause for sign in form.signs):
            match = regex(form.pattern, re.IGNORECASE).match(sentence, start)
            if match is not None:
                value, end = _value(sentence, match)
                if form.predicate == "LIVES_IN" and is_short_stay(sentence, start, end):
                    continue
                if value and is_plausible(form.predicate, value, sentence[end : end + MAX_VALUE * 2]):
                    return FormMatch(form, match.groupdict(), value, start, end)
    return None


def _denied_form(sentence: str, start: int) -> FormMatch | None:
    """The first row that the clause at `start` denies."""
    for clause in affirmed(sentence, start):
        found = _first_form(clause.text, 0)
        if found is not None:
            return replace(found, start=start, end=start + found.end + clause.shorter, is_denied=True)
    return None


def _is_asserted(sentence: str, start: int, *, is_question: bool) -> bool:
    """Whether a clause begins at `start` that nothing before it makes a supposition, a report or a quote."""
    before = sentence[max(0, start - 200) : start]
    if is_question and before.strip():
        return False
    if sum(before.count(mark) for mark in _SINGLES) % 2:
        return False
    tail = before[-30:]
    if regex(_DENIED, re.IGNORECASE).search(tail) is not None:
        return False
    if before.strip() and regex(_BEFORE, re.IGNORECASE).search(tail) is None and not _is_my(sentence, start):
        return False
    return not is_in_doubt(before)


def is_in_doubt(text: str) -> bool:
    """Whether words before a statement, or in it, make it a supposition, a report or a text."""
    return regex(_DOUBT, re.IGNORECASE).search(regex(_TOLD_TO_AGENT, re.IGNORECASE).sub("", text)) is not None


def _is_my(sentence: str, start: int) -> bool:
    """Whether `my` is at `start`: what the user has may be named anywhere in a sentence."""
    return sentence[start : start + 2].lower() == "my"


def _goes_on(sentence: str, end: int) -> bool:
    """Whether a question goes on after a statement with a clause of its own."""
    return regex(r"\W{0,3}(?:,|;| and | so | but | - | — )", re.IGNORECASE).match(sentence, end) is not None


def _value(sentence: str, match: re.Match[str]) -> tuple[str, int]:
    """The value of a match and its end; empty if it is none of its kind."""
    groups = match.groupdict()
    if groups.get("value"):
        end = closing_start(sentence, match.start("value"), match.end("value"))
        return sentence[match.start("value") : end].strip(VALUE_EDGE), end
    kind = next(name for name in ("place", "name", "phrase", "date", "listed") if groups.get(name))
    start = match.start(kind)
    ends = _LIST_END if kind == "listed" else _VALUE_END if kind == "date" else f"{_VALUE_END}|{_TIME_END}"
    last = min(len(sentence), start + MAX_VALUE)
    cut = regex(ends, re.IGNORECASE).search(sentence, start, last)
    end = closing_start(sentence, start, cut.end() if cut else last)
    end = min(end, cut.start()) if cut else end
    longer = {"place": _MORE_PLACE, "date": _MORE_DATE}.get(kind)
    if longer and (more := regex(longer).match(sentence, end)):
        end = more.end()
    value = sentence[start:end].strip(VALUE_EDGE)
    if kind != "listed":
        value = regex(_OPEN_END, re.IGNORECASE).sub("", value)
    return (value, end) if _is_of_kind(kind, value) else ("", start)


def _is_of_kind(kind: str, value: str) -> bool:
    if not value or len(value.split()) > _MAX_WORDS or CODE_MASK in value or URL_MASK in value:
        return False
    match kind:
        case "name":
            return regex(rf"{CAPITAL}|\d").match(value) is not None and value[:2] not in {"I ", "I'"}
        case "place":
            return regex(rf"{CAPITAL}|(?:an?|the) \w").match(value) is not None
        case "date":
            return regex(IS_DATE, re.IGNORECASE).match(value) is not None
        case _:
            return regex(MOMENTARY, re.IGNORECASE).match(value) is None


def _claim(form: StatementForm, groups: Mapping[str, str | None], value: str) -> Claim:
    if person := groups.get("person"):
        name = re.match(r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof)\.? )?[^\W\d_][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?", value)
        return Claim(
            form.category, "User", form.predicate, f"Person:my {person.strip()} {name[0] if name else value}"
        )
    if thing := groups.get("thing"):
        thing = " ".join(thing.replace("'s", "").split())
        suffix = " port" if form.kind == "port" and not thing.endswith("port") else ""
        return Claim(form.category, f"User's {thing}{suffix}", form.predicate, value)
    return Claim(form.category, "User", form.predicate, value)
