"""Feelings: what a preference likes or dislikes, and whether a later one replaces it; English."""

from __future__ import annotations

import functools
import re

from msgspec import Struct

from memtool.core.text.discourse import MISTAKES
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems, stem

_ADVERBS = (
    r"(?: (?:also|actually|really|now|still|just|always|absolutely|definitely|honestly|totally|do|quite))*"
)
_I = rf"\b(?:i(?:'m| am|'ve| have)?|we){_ADVERBS}"
_LIKES = (
    r"(?:love|like|enjoy|adore|prefer|fancy|appreciate|loved|liked|enjoyed|(?:an? (?:big |huge )?)?"
    r"(?:fan|lover) of|fond of|into|crazy about|keen on|all for)"
)
_DISLIKES = (
    r"(?:hate|dislike|detest|loathe|despise|abhor|hated|(?:can't|cannot|can not) (?:stand|bear|abide))"
)
_NOT = r"(?: (?:don't|do not|dont|not|no longer|never|stopped|am not))"
_FEELING = (
    rf"{_I}(?:(?P<not>{_NOT}){_ADVERBS})?(?: (?P<likes>{_LIKES})| (?P<dislikes>{_DISLIKES}))"
    r" (?P<object>[^,;:.!?\n]{1,80})"
)
_STILL = r"\b(?:any ?more|any longer|now|again|instead)\b"
_REPAIR = (
    r"(?:(?:no|sorry|wait|oops|oh|well|actually)\b[\s,.!]*){0,3}"
    rf"(?:i meant?(?: to say)?|what i meant (?:is|was)|correction|{MISTAKES}|sorry)\b"
)

_CACHE_SIZE = 4096
"""Lines whose feeling is cached: a new preference is compared twice with each line of long-term memory."""


class Feeling(Struct, frozen=True):
    """Whether something is liked, the stem of the verb that says so, and the stems of the thing."""

    is_liked: bool
    verb: str
    thing: frozenset[str]


@functools.lru_cache(_CACHE_SIZE)
def feeling(text: str) -> Feeling | None:
    """The first feeling that a text states in the first person."""
    match = regex(_FEELING).search(plain_text(text))
    if match is None:
        return None
    thing = content_stems(regex(_STILL).sub("", match["object"]))
    verb = match["likes"] or match["dislikes"]
    is_liked = (match["likes"] is not None) == (match["not"] is None)
    return Feeling(is_liked, stem(verb.removesuffix("d")), thing) if thing else None


def is_reversed(old: str, new: str) -> bool:
    """Whether a preference states the opposite feeling about what an old one is about."""
    before, after = feeling(old), feeling(new)
    return (
        before is not None
        and after is not None
        and before.thing == after.thing
        and before.is_liked != after.is_liked
    )


def is_repaired(old: str, new: str) -> bool:
    """Whether a text says that something else was meant by an old one: `I meant I love Ruby`."""
    before, after = feeling(old), feeling(new)
    return (
        before is not None
        and after is not None
        and (before.is_liked, before.verb) == (after.is_liked, after.verb)
        and before.thing != after.thing
        and _begins_with_repair(new)
    )


@functools.lru_cache(1)
def _begins_with_repair(text: str) -> bool:
    return regex(_REPAIR, re.IGNORECASE).match(plain_text(text)) is not None
