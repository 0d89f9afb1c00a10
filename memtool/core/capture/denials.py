"""Denials: a clause in the first person that says that something does not hold, or holds no more; English.

`I no longer live in Rome` denies what `I live in Rome` states. The clause without its negation is read by the
same grammar of statements, so that everything that can be stated can be denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from memtool.core.text.regex import regex

_WINDOW = 90
"""Characters after the first person that are searched for a negation."""
_LIMITED = (
    r"(?! (?:only|just|even|necessarily|always|usually|really|exactly|quite|merely|simply|sure|yet|think|know"
    r"|believe|mean|remember|care)\b)"
)
_HEAD = r"(?:(?:i|we)(?:'m|'ve|'re)?(?: [\w-]+){0,2}?|(?:my|our)(?: [\w'-]+){1,6}?)"
_NEGATION = (
    rf"(?P<head>{_HEAD})(?:(?P<be> (?:am|is|are|was|were|have|has))(?:n't| not| no longer)"
    rf"|(?P<does> (?:doesn't|does not|doesnt)(?: \w+ly)? (?P<verb>\w+))"
    rf"|(?P<do> (?:do|did)(?:n't| not)| dont)"
    rf"|(?P<bare> no longer| not)"
    rf"|(?P<stopped>(?: have| has)? (?:stopped|quit|gave up|given up) (?P<ing>\w{{2,20}})ing))\b{_LIMITED}"
)
_THIRD_PERSON = {"have": "has", "do": "does", "go": "goes"}


class AffirmedClause(Struct, frozen=True):
    """A clause without its negation, and how many characters shorter it is than the clause."""

    text: str
    shorter: int


def affirmed(sentence: str, start: int) -> Iterator[AffirmedClause]:
    """What the clause that begins at `start` would state without its negation; none if it has none."""
    match = regex(_NEGATION, re.IGNORECASE).match(sentence, start, min(len(sentence), start + _WINDOW))
    if match is None:
        return
    head, rest = match["head"], sentence[match.end() :]
    for words in _verbs(match):
        text = f"{head}{words}{rest}"
        yield AffirmedClause(text, len(sentence) - start - len(text))


def _verbs(match: re.Match[str]) -> Iterator[str]:
    """The replacement of the negation: a verb in its inflected form, or nothing."""
    if match["be"]:
        yield match["be"]
    elif verb := match["verb"]:
        yield f" {_THIRD_PERSON.get(verb, verb + 's')}"
    elif ing := match["ing"]:
        yield from (f" {ing}", f" {ing}e")
        if len(ing) > 2 and ing[-1] == ing[-2]:
            yield f" {ing[:-1]}"
    else:
        yield ""
