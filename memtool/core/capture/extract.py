"""Facts about the user in what the user said: what the triggers catch, and plain statements of what is so.

A statement becomes a sentence about the user in the third person, with the user's own words as its evidence:
`User's cat's name is Whiskerino — "my cat's name is Whiskerino"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from memtool.core.capture.scan import scan
from memtool.core.capture.triggers import DEFAULT, Triggers
from memtool.core.compaction.compact import is_marker
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.turn import Message, Text
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.core.text.pattern import compiled
from memtool.core.text.quote import clip, one_line
from memtool.core.text.sentence import prose

STATED = "fact"
"""The category of a plain statement."""
_LONGEST = 200
_BEFORE = 120
"""Characters before a statement in which a doubt is looked for."""
_DECISIONS = frozenset({"decision"})
"""Categories that are kept besides the durable ones, for the conversation in which they stand goes."""

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
"""What people say of themselves: the verb in the third person, and what must follow for it to last."""

_MY = rf"(?<![\w'’])(my|our) ({_THING}) (is|are|was|were) ([^\n;]{{1,400}})"
_I = rf"(?<![\w'’])(?:i'm|i’m|i ({'|'.join(_VERBS)})) ([^\n;]{{1,400}})"
_PASSING = (
    r"(?:not|now|still|broken|wrong|correct|right|fine|ok|okay|here|there|done|ready|empty|missing|slow|too|very|so"
    r"|also|just|that|to|how|what|why|whether|as|below|above|like|really|quite|pretty|getting|gone|down|up|it|this"
    r"|these|those|only|probably|almost|about|due|good|bad|red|green|stuck|dead|nothing|\w+ing)(?![\w'’-])|\[REDACTED"
)
"""How a value begins that is no lasting fact: a state of the moment, or the start of a clause."""
_DOUBT = (
    r"\b(?:if|whether|maybe|perhaps|suppose|imagine|pretend|think|thought|guess|wish|would|could|should|might"
    r"|what|when|why|how|who|where|unless|until|say|says|said|example|e\.g)\b"
)
"""Words before a statement that take it back: suppositions, doubts, what somebody else says."""
_NO_THING_WORDS = "point question problem issue guess bad mistake understanding idea fault plan thought"
_NO_THING = frozenset(_NO_THING_WORDS.split())
_NEXT = (
    r"(?i),? (?:and|but|so|because|which|that's why|since|when|if) (?:i|i'm|i’m|we|it|my|our|you"
    r"|the|she|he|they)\b"
    r"| — | – |, (?:btw|by the way|please|thanks|though|right|ok|you know|i think)\b"
    r"|, (?=(?:my|our|i|i'm|i’m|we|she|he|they|it|her|his|their|its) )"
)
_ENDS = " \t,:–—-\"'”’*_.!?"


def extract(
    messages: Iterable[Message], at: datetime, owner: Owner | None = None, triggers: Triggers = DEFAULT
) -> tuple[Fact, ...]:
    """The facts in what the user says in these messages, in order, each once, secrets taken out.

    What memory itself had put before the user's words, and what a compaction left, is no evidence.
    """
    found: dict[tuple[str, str], Fact] = {}
    for message in messages:
        if message.role != "user":
            continue
        for part in message.parts:
            if isinstance(part, Text) and not is_marker(part.text):
                text = without_recalled(part.text)
                for fact in (*_triggered(text, at, owner, triggers), *stated(text, owner)):
                    found.setdefault((fact.category, fact.detail), fact)
    return tuple(found.values())


def _triggered(text: str, at: datetime, owner: Owner | None, triggers: Triggers) -> Iterator[Fact]:
    for one in scan(text, at, owner, triggers):
        if one.durable or one.entry.category in _DECISIONS:
            yield Fact(one.entry.category, one.entry.detail, owner)


def stated(text: str, owner: Owner | None = None) -> Iterator[Fact]:
    """What a text states about its speaker: "my X is Y", "I live in Y"; questions and suppositions do not."""
    if not compiled(r"(?i)\b(?:my|our|i'm|i’m|i)\b").search(text):
        return
    cut = prose(redact(clean(text)))
    for sentence in cut.sentences:
        said = cut.text[sentence.start : sentence.end]
        shown = cut.masked[sentence.start : sentence.end]
        if sentence.question or not shown.strip():
            continue
        for statement, quote in _statements(said):
            yield Fact(STATED, f'{statement} — "{quote}"', owner)


def _statements(said: str) -> Iterator[tuple[str, str]]:
    """Each statement of a sentence in the third person, and the words of it."""
    for pattern in (_MY, _I):
        found, at = compiled(pattern, re.IGNORECASE), 0
        while match := found.search(said, at):
            value = _value(match[match.re.groups])
            at = max(match.start(match.re.groups) + len(value), match.start() + 1)
            meant = _of_things(match, value) if pattern is _MY else _of_self(match, value)
            if meant and value and not _doubted(said[max(0, match.start() - _BEFORE) : match.start()]):
                quote = said[match.start() : match.start(match.re.groups) + len(value)]
                yield one_line(meant, _LONGEST), clip(one_line(quote, 1000), _LONGEST)


def _of_things(match: re.Match[str], value: str) -> str:
    """A statement about something of the user's; empty where it is none that lasts."""
    whose, thing, verb = match[1].lower(), match[2], match[3].lower()
    if thing.split()[-1].lower() in _NO_THING or compiled(_PASSING, re.IGNORECASE).match(value):
        return ""
    return f"User's {'(our) ' if whose == 'our' else ''}{thing} {verb} {_theirs(value)}"


def _of_self(match: re.Match[str], value: str) -> str:
    """A statement about the user; empty where it is none that lasts."""
    verb, after = _VERBS[(match[1] or "am").lower()]
    fits = compiled(after).match(value) is not None
    if verb == "is":
        fits = fits and compiled(_PASSING, re.IGNORECASE).match(value) is None
    return f"User {verb} {_theirs(value)}" if fits else ""


def _theirs(value: str) -> str:
    return compiled(r"(?i)\b(?:my|our)\b").sub("their", value)


def _value(text: str) -> str:
    """What is stated, up to where another clause begins."""
    return compiled(_NEXT).split(text, maxsplit=1)[0].rstrip(_ENDS)


def _doubted(before: str) -> bool:
    """Whether the words before a statement make it none."""
    clause = compiled(r"(?i)[,;:] |\b(?:and|but|so)\b").split(before)[-1]
    return compiled(_DOUBT, re.IGNORECASE).search(clause) is not None
