"""Referents: what a correction is about that names it by a pronoun, or says only the new value.

`Actually, she lives in Lisbon` is about `My aunt Rosa lives in Porto` if that was said right before and names
nobody else for whom `she` may stand. In doubt a correction is about nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from memtool.core.capture.clauses import clauses
from memtool.core.capture.languages.correction_signs import LEADS, VERB_FIRST
from memtool.core.capture.languages.referring_words import (
    NOUNS,
    PERSON,
    PRONOUNS,
    ROLE,
    THING,
)
from memtool.core.capture.languages.value_kinds import VALUE_KINDS
from memtool.core.text.dates import NUMBER_WORDS
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex

_CAPITAL = r"[A-ZÀ-ÞА-ЯЁ][\w’-]*"
_TITLED = rf"(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sr|Sra|Dra|Frau|Herr)\.? {_CAPITAL}(?: {_CAPITAL})?"
_OWNER = (
    r"(?i:my|our|mein\w*|unser\w*|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos"
    r"|(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?)|the|der|die|das|el|la|le)"
)
_PHRASE = (
    rf"(?P<text>{_OWNER} (?:[a-zà-ÿ][\w-]* ){{0,2}}?(?P<noun>[^\W\d_][\w-]*)"
    rf"(?:,? (?P<name>{_CAPITAL}(?: {_CAPITAL})?))?)"
)
_NAMED = rf"(?P<text>(?!(?:I|We|You|This|That|There|Here|Ich|Wir|Je|Nous|Yo|Eu|Я|Мы)\b)(?P<name>{_CAPITAL}))"
_VERB = (
    r"(?:,? (?P<verb>is|are|was|were|has|have|lives?|works?|[a-z]{2,}s|ist|sind|war|hat|[a-zäöü]{2,}t|est|es"
    r"|é|a|tem|tiene|vive|vit|habite|travaille|mora|trabaja|trabalha)|(?P<short>['’](?:s|re)))(?= )"
)
_IS = frozenset(["is", "'s", "are", "'re", "ist", "sind", "est", "es", "e"])
_PRONOUN_FIRST = r"(?P<before>)(?P<pronoun>[^\W\d_]+)(?P<verb>['’](?:s|re))?(?= )"
_VERB_THEN_PRONOUN = r"(?P<before>[^\W\d_]+ )(?P<pronoun>[^\W\d_]+)(?P<verb>)(?= )"
_HAVING = r" (?:got|been|had)\b"
_OF_OWN = (
    r"(?i)(?<![\w’'])(?:sorry|wait|oops|whoops|hold on|correction|i meant?|my (?:mistake|bad)|entschuldigung"
    r"|korrektur|ich meinte|perd[oó]n|quise decir|pardon|désolée?|je voulais dire|desculpa"
    r"|quis dizer)(?![\w’'])"
)
"""Signs that a sentence corrects what the user said, and answers nothing."""
_MOST_WORDS = 4
_KINDS = (
    _TITLED,
    *(rf"(?i:{kind})" for kind in VALUE_KINDS),
    rf"(?i:\d+|{'|'.join(NUMBER_WORDS)})",
    rf"{_CAPITAL}(?: {_CAPITAL})?",
)
"""Kinds of values of which a sentence may say another one alone."""


class _Subject(Struct, frozen=True):
    """The subject of a clause, and the kinds of what it may be."""

    text: str
    kinds: frozenset[str]

    @property
    def name(self) -> str:
        return self.text.rpartition(" ")[2]


def may_refer(statement: str) -> bool:
    """Whether a correction is about something that it does not name itself; a fast test."""
    return _pronoun(statement) is not None or bool(_fragment(statement))


def with_referent(statement: str, said: Iterable[Sequence[str]]) -> str:
    """A correction with what it is about in place of its pronoun, or of what it leaves out; else empty.

    `said` are the sentences of the same message before it, then those of the messages before that one, the
    last first.
    """
    if value := _fragment(statement):
        last = next((sentences[-1] for sentences in said if sentences), "")
        return _with_value(last, value, is_own=regex(_OF_OWN).search(statement) is not None)
    if (match := _pronoun(statement)) is None:
        return ""
    wanted = PRONOUNS[search_fold(match["pronoun"])]
    verb = {"": "", "'re": " are"}.get(match["verb"] or "", " is")
    rest = statement[match.end() :]
    if verb == " is" and regex(_HAVING).match(rest):
        verb = " has"
    is_copular = search_fold(verb or rest).split()[:1] in [[word] for word in _IS]
    for sentences in said:
        found = _distinct(subject for subject in _subjects(sentences) if _may_be(subject, wanted, is_copular))
        if len(found) == 1:
            return f"{statement[: match.start()]}{match['before']}{found[0].text}{verb}{rest}"
        if found:
            return ""
    return ""


def _may_be(subject: _Subject, wanted: frozenset[str], is_copular: bool) -> bool:
    return bool(subject.kinds & (wanted if is_copular else wanted - {ROLE}))


def _pronoun(statement: str) -> re.Match[str] | None:
    """The pronoun that is the subject of a correction."""
    lead = regex(f"(?i){LEADS}").match(statement)
    start = lead.end() if lead else 0
    pattern = _VERB_THEN_PRONOUN if lead and regex(f"(?i){VERB_FIRST}").fullmatch(lead[0]) else _PRONOUN_FIRST
    match = regex(pattern).match(statement, start)
    return match if match and search_fold(match["pronoun"]) in PRONOUNS else None


def _fragment(statement: str) -> str:
    """The value that is all that a correction says: `Dr Okafor`, of "No, sorry, Dr Okafor"."""
    lead = regex(f"(?i){LEADS}").match(statement)
    value = statement[lead.end() :].rstrip(" .!") if lead else ""
    is_short = 0 < len(value.split()) <= _MOST_WORDS
    return value if is_short and any(regex(kind).fullmatch(value) for kind in _KINDS) else ""


def _with_value(sentence: str, value: str, *, is_own: bool) -> str:
    """A sentence with another value of the same kind at its end; empty if it ends otherwise."""
    if not is_own:
        return ""
    kind = next(kind for kind in _KINDS if regex(kind).fullmatch(value))
    text = sentence.rstrip(" .!")
    match = next((found for found in regex(kind).finditer(text) if found.end() == len(text)), None)
    return text[: match.start()] + value if match and match.start() else ""


def _subjects(sentences: Sequence[str]) -> Iterator[_Subject]:
    """The subjects of clauses, and the people whom they name besides."""
    for sentence in sentences:
        lead = regex(f"(?i){LEADS}").match(sentence)
        text = sentence[lead.end() if lead else 0 :]
        for start, end in clauses(text):
            clause = text[start:end].strip()
            match = regex(_PHRASE + _VERB).match(clause) or regex(_NAMED + _VERB).match(clause)
            if match is not None and search_fold(match["text"]) not in PRONOUNS:
                yield _Subject(match["text"], _kinds(match.groupdict(), clause[match.end() :]))
            for other in regex(_PHRASE).finditer(clause, match.end("text") if match else 0):
                kinds = _kinds_of_noun(other["noun"])
                if kinds != {THING}:
                    yield _Subject(other["text"], kinds)


def _kinds(groups: Mapping[str, str | None], rest: str) -> frozenset[str]:
    verb = search_fold(groups["verb"] or groups["short"] or "")
    is_role = verb in _IS and regex(rf" (?:{_TITLED}|{_CAPITAL})").match(rest) is not None
    noun = groups.get("noun")
    if noun is None:
        return frozenset([PERSON, THING])
    kinds = _kinds_of_noun(noun)
    kinds = frozenset([PERSON]) if groups["name"] and kinds == {THING} else kinds
    return kinds | {ROLE} if is_role else kinds


def _kinds_of_noun(noun: str) -> frozenset[str]:
    folded = search_fold(noun)
    return frozenset(kind for kind, nouns in NOUNS.items() if folded in nouns) or frozenset([THING])


def _distinct(found: Iterable[_Subject]) -> list[_Subject]:
    """Each subject once, by its name or noun, in its longest form."""
    subjects: dict[str, _Subject] = {}
    for subject in found:
        known = subjects.get(subject.name)
        if known is None or len(subject.text) > len(known.text):
            subjects[subject.name] = subject
    return [*subjects.values()]
