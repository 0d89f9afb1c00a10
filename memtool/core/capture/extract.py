"""Facts in messages of the user: durable trigger matches, and plain statements.

A statement becomes a sentence about the user in the third person, with the user's words as evidence:
`User's cat's name is Whiskerino — "my cat's name is Whiskerino"`. The circumstances that `scan` reads in ten
languages are facts in the user's words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from memtool.core.capture.circumstances import may_have_circumstances, read_circumstances
from memtool.core.capture.languages.statement_words import MOMENTARY, VALUE_EDGE
from memtool.core.capture.message_sentences import split_message
from memtool.core.capture.scan import scan_message
from memtool.core.capture.triggers import DEFAULT_TRIGGERS, TriggerTable
from memtool.core.compaction.compact import is_marker
from memtool.core.privacy.distress import states_distress
from memtool.core.privacy.foreign_text import own_words
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.turn import Message, TextPart
from memtool.core.secrets.redact import redact
from memtool.core.text.chat_log import chat_log_edits
from memtool.core.text.clean import clean
from memtool.core.text.edits import apply_edits
from memtool.core.text.regex import regex
from memtool.core.text.sanitise import clip, one_line
from memtool.core.text.sentences import split_sentences

STATEMENT_CATEGORY = "fact"
"""The category of a plain statement."""
_MAX_STATEMENT = 200
_BEFORE = 120
"""Characters before a statement that are searched for a doubt."""
_NAME = "proper_noun"
_DECISIONS = frozenset({"decision"})
"""Categories kept besides the durable ones, because the conversation itself is about to be removed."""

_THING = r"(?:[\w'’+#.-]+ ){0,4}?[\w'’+#.-]+"
_FAMILY = (
    r"kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|twins|wife|husband|partner|parents?|cats?"
    r"|dogs?|pets?|cars?|bike|house|flat|apartment|garden|degree|phd|allerg(?:y|ies)|asthma|diabetes|migraines?|adhd"
)
_AM = r"an? (?!bit|little|lot|few|huge|big)|allergic|from |based |married|single|vegan|vegetarian|born|\d+\b"
_VERBS = {
    "am": ("is", _AM),
    "was born": ("was born", r"in |on |at "),
    "live": ("lives", r"in |at |with |near |on |alone"),
    "work": ("works", r"at |for |as |with |from "),
    "have": ("has", rf"(?:an?|two|three|four|five|\d+) (?:[\w-]+ ){{0,2}}(?:{_FAMILY})\b"),
    "own": ("owns", r"an? |two |three |\d"),
    "use": ("uses", r"(?!it\b|this|that|them|to |these|those|the |a |an |what|when|for )"),
    "speak": ("speaks", r"[A-Z]|fluent"),
    "study": ("studies", r""),
    "grew up": ("grew up", r"in |on |near |with "),
    "moved to": ("moved to", r""),
    "come from": ("comes from", r""),
    "teach": ("teaches", r""),
    "take": ("takes", r"(?:[\w-]+ ){1,4}(?:daily|every|twice|once|each)\b"),
    "play": ("plays", r"the |in |[a-z]+\b"),
}
"""Verbs of statements about oneself: the third person, and the pattern that makes them lasting."""

_MY = rf"(?<![\w'’])(my|our) ({_THING}) (is|are|was|were) ([^\n;]{{1,400}})"
_I = rf"(?<![\w'’])(?:i'm|i’m|i ({'|'.join(_VERBS)})) ([^\n;]{{1,400}})"
_MOMENTARY = rf"(?:now|about|red|green)(?![\w'’-])|{MOMENTARY}"
"""The start of a value that is not a lasting fact: a momentary state, or a clause."""
_DOUBT = (
    r"\b(?:if|whether|maybe|perhaps|suppose|imagine|pretend|think|thought|guess|wish|would|could|should|might"
    r"|what|when|why|how|who|where|unless|until|say|says|said|example|e\.g)\b"
)
"""Words before a statement that invalidate it: suppositions, doubts, reported speech."""
_NO_THING_WORDS = "point question problem issue guess bad mistake understanding idea fault plan thought"
_NOT_A_POSSESSION = frozenset(_NO_THING_WORDS.split())
_NEXT = (
    r"(?i),? (?:and|but|so|because|which|that's why|since|when|if) (?:i|i'm|i’m|we|it|my|our|you"
    r"|the|she|he|they)\b"
    r"| — | – |, (?:btw|by the way|please|thanks|though|right|ok|you know|i think)\b"
    r"|, (?=(?:my|our|i|i'm|i’m|we|she|he|they|it|her|his|their|its) )"
)


def facts_in_messages(
    messages: Iterable[Message],
    at: datetime,
    owner: Owner | None = None,
    triggers: TriggerTable = DEFAULT_TRIGGERS,
) -> tuple[Fact, ...]:
    """The distinct facts in the user's messages, in order and redacted.

    Recalled memory in front of the user's words and summaries of compactions are ignored.
    """
    facts: dict[tuple[str, str], Fact] = {}
    for message in messages:
        if message.role != "user":
            continue
        for part in message.parts:
            if isinstance(part, TextPart) and not is_marker(part.text):
                said = clean(without_recalled(part.text))
                text = own_words(apply_edits(said, chat_log_edits(said, last_sender_only=True)).text)
                stated = tuple(statements_in_text(text, owner))
                found = (*_trigger_facts(text, at, owner, triggers), *stated)
                for fact in (*found, *_circumstances(text, owner, found)):
                    if fact.category != _NAME or not any(_is_quoted(fact, other) for other in stated):
                        facts.setdefault((fact.category, fact.detail), fact)
    return tuple(facts.values())


def _is_quoted(fact: Fact, statement: Fact) -> bool:
    """Whether a statement quotes what a fact says: it says more about it."""
    return fact.detail.rstrip(" .!") in statement.detail


def _circumstances(text: str, owner: Owner | None, known: Collection[Fact]) -> Iterator[Fact]:
    """The statements and denials of circumstances whose sentence no known fact quotes."""
    split = split_message(text)
    if not may_have_circumstances(split):
        return
    circumstances = read_circumstances(split)
    for statement, _ in (*circumstances.statements, *circumstances.denials):
        fact = Fact(STATEMENT_CATEGORY, one_line(statement.quote, _MAX_STATEMENT), owner)
        if not any(_is_quoted(fact, other) or _is_quoted(other, fact) for other in known):
            yield fact


def _trigger_facts(text: str, at: datetime, owner: Owner | None, triggers: TriggerTable) -> Iterator[Fact]:
    for match in scan_message(text, at, owner, triggers):
        if match.durable or match.entry.category in _DECISIONS:
            yield Fact(match.entry.category, match.entry.detail, owner)


def statements_in_text(text: str, owner: Owner | None = None) -> Iterator[Fact]:
    """The statements of a text about its speaker ("my X is Y", "I live in Y"), no questions or doubts."""
    if not regex(r"(?i)\b(?:my|our|i'm|i’m|i)\b").search(text):
        return
    split = split_sentences(redact(clean(text)))
    for sentence in split.sentences:
        sentence_text = split.text[sentence.start : sentence.end]
        shown = split.masked[sentence.start : sentence.end]
        if sentence.is_question or not shown.strip() or states_distress(shown):
            continue
        for statement, quote in _statements(sentence_text):
            yield Fact(STATEMENT_CATEGORY, f'{statement} — "{quote}"', owner)


def _statements(sentence: str) -> Iterator[tuple[str, str]]:
    """Each statement of a sentence in the third person, with its quote."""
    for pattern in (_MY, _I):
        statement_pattern, position = regex(pattern, re.IGNORECASE), 0
        while match := statement_pattern.search(sentence, position):
            value = _value(match[match.re.groups])
            position = max(match.start(match.re.groups) + len(value), match.start() + 1)
            statement = _of_things(match, value) if pattern is _MY else _of_self(match, value)
            if (
                statement
                and value
                and not _is_doubted(sentence[max(0, match.start() - _BEFORE) : match.start()])
            ):
                quote = sentence[match.start() : match.start(match.re.groups) + len(value)]
                yield one_line(statement, _MAX_STATEMENT), clip(one_line(quote, 1000), _MAX_STATEMENT)


def _of_things(match: re.Match[str], value: str) -> str:
    """A statement about something of the user's; empty if it is not lasting."""
    possessive, thing, verb = match[1].lower(), match[2], match[3].lower()
    if thing.split()[-1].lower() in _NOT_A_POSSESSION or regex(_MOMENTARY, re.IGNORECASE).match(value):
        return ""
    return f"User's {'(our) ' if possessive == 'our' else ''}{thing} {verb} {_in_third_person(value)}"


def _of_self(match: re.Match[str], value: str) -> str:
    """A statement about the user; empty if it is not lasting."""
    verb, after = _VERBS[(match[1] or "am").lower()]
    fits = regex(after).match(value) is not None
    if verb == "is":
        fits = fits and regex(_MOMENTARY, re.IGNORECASE).match(value) is None
    return f"User {verb} {_in_third_person(value)}" if fits else ""


def _in_third_person(value: str) -> str:
    return regex(r"(?i)\b(?:my|our)\b").sub("their", value)


def _value(text: str) -> str:
    """The value of a statement, up to the next clause."""
    return regex(_NEXT).split(text, maxsplit=1)[0].rstrip(VALUE_EDGE)


def _is_doubted(before: str) -> bool:
    """Whether the words before a statement express doubt."""
    clause = regex(r"(?i)[,;:] |\b(?:and|but|so)\b").split(before)[-1]
    return regex(_DOUBT, re.IGNORECASE).search(clause) is not None
