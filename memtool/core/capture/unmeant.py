"""What a sentence says without meaning it: what the user withholds, irony, fiction, the past, specifications.

"I'd rather not say how old I am" is no preference, nor is "oh great, I love it when the build breaks"; "this
function must always return a list" is not a rule for an agent. Words are closed classes of ten languages:
verbs of saying, interjections, adverbs of the past, kinds of fiction and parts of programs.
"""

from __future__ import annotations

from memtool.core.capture.languages.unmeant_patterns import (
    ADVERSE,
    DELIVERED,
    DISLIKE,
    DRAFT_BEFORE,
    EXCLAMATION,
    FAILS_ALWAYS,
    FICTION_AFTER,
    FICTION_BEFORE,
    LASTING_FOR_AGENT,
    NO_OBJECT,
    PAST,
    PRAISED,
    PROTAGONIST,
    REMINISCENCE,
    ROLE,
    SARCASM,
    SAYING,
    SPECIFIED,
    STILL,
    THANKS,
    WHEN,
    WIDGET,
    WITHHELD,
)
from memtool.core.text.regex import regex

_BEFORE, _AFTER = 200, 300
"""Characters of a sentence before and after a match that are searched, so that time is linear."""


def is_unmeant(category: str, sentence: str, start: int, end: int) -> bool:
    """Whether an entry, matched at `start:end` of a folded sentence, is none of the user's own statements."""
    first = max(0, start - _BEFORE)
    sentence, start, end = sentence[first : end + _AFTER], start - first, end - first
    match category:
        case "preference":
            return (
                regex(WITHHELD).search(sentence, max(0, start - 60)) is not None
                or _is_ironic(sentence, start, end)
                or _is_past(sentence, start)
                or _is_reaction(sentence, start, end)
                or _is_of_one_answer(sentence, start)
                or _is_fiction(sentence, start)
            )
        case "instruction":
            return (
                _is_specification(sentence)
                or _is_fiction(sentence, start)
                or regex(SAYING).search(sentence) is not None
                or regex(FAILS_ALWAYS).search(sentence) is not None
            )
        case "remember":
            return regex(REMINISCENCE).search(sentence) is not None
        case "proper_noun":
            return _is_fiction(sentence, start)
        case _:
            return False


def _is_specification(sentence: str) -> bool:
    """Whether a sentence says what a part of a program must do, or how a part of its interface looks."""
    return regex(SPECIFIED).search(sentence) is not None or (
        regex(WIDGET).search(sentence) is not None and regex(LASTING_FOR_AGENT).search(sentence) is None
    )


def _is_ironic(sentence: str, start: int, end: int) -> bool:
    """Whether a liking is ironic: an exclamation, or a clause with "when", and a mishap."""
    if regex(SARCASM).search(sentence) is not None:
        return True
    exclaims = regex(EXCLAMATION).match(sentence) is not None
    if not exclaims and regex(WHEN).search(sentence) is None:
        return False
    if regex(DISLIKE).search(sentence, start, min(len(sentence), end + 10)) is not None:
        return False
    return regex(ADVERSE).search(sentence) is not None and (
        exclaims
        or regex(rf"\W{{0,3}}(?:it |es |ja |ca |это )?(?:{WHEN})").match(sentence, end) is not None
        or regex(r"(?:とか|\w+(?:masina|mesine|masini|mesini)|\w+ganda)[^\n。.;]{0,12}$").search(
            sentence[:start]
        )
        is not None
    )


def _is_past(sentence: str, start: int) -> bool:
    """Whether a liking is of the past: an adverb of the past governs it, and nothing says that it lasts."""
    past = [match for match in regex(PAST).finditer(sentence, 0, start + 12) if match.start() <= start + 2]
    return (
        bool(past)
        and regex(STILL).search(sentence, past[-1].end(), max(start, past[-1].end())) is None
        and (past[-1].end() + 40 > start)
        and not sentence[past[-1].end() :].startswith(("起", "から", " beri"))
    )


def _is_reaction(sentence: str, start: int, end: int) -> bool:
    """Whether a liking without an object follows thanks: it is of what the agent has just done."""
    return (
        regex(THANKS).match(sentence[:start]) is not None
        and regex(r"\W*(?:$|[,.!;:—–-]|。|！|、|，)").match(sentence, end) is not None
    )


def _is_of_one_answer(sentence: str, start: int) -> bool:
    """Whether a liking is of one answer or thing that the agent makes, or has no object."""
    return (
        regex(rf"(?:{PRAISED})\W*$").search(sentence, max(0, start - 40)) is not None
        or regex(NO_OBJECT).search(sentence) is not None
        or regex(DELIVERED).search(sentence, max(0, start - 10)) is not None
    )


def _is_fiction(sentence: str, start: int) -> bool:
    """Whether a match is part of a request for a story, a poem or the like."""
    return (
        regex(FICTION_BEFORE).search(sentence, 0, start) is not None
        or regex(DRAFT_BEFORE).search(sentence, 0, start) is not None
        or regex(ROLE).match(sentence) is not None
        or regex(FICTION_AFTER).search(sentence, start) is not None
        or regex(PROTAGONIST).search(sentence[: start + 1]) is not None
    )
