"""Changes: what a sentence tells that is new in the user's life, and how that is stated; English.

`Moved to York last month` states `I live in York now`, so that the grammar of statements and the comparison
with memory need to know only that. An event without such a statement ("got laid off") lasts all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.english_changes import (
    BEFORE_ELIDED,
    CHANGES,
    EARLIER,
    ELIDED_OWNER,
    ELIDED_STATES,
    ELIDED_VERBS,
    LIFE_EVENTS,
)
from memtool.core.capture.plausible import is_plausible
from memtool.core.text.regex import regex

_LEAD = (
    rf"(?:{LEADS}|(?:guess what|(?:(?:good|bad|big) )?news|today|yesterday|last \w+|also|anyway|sadly)\b"
    r"[\s,:!—–-]+)*"
)
_CLAUSE = r"[,;:—–] |(?: and| but|,? so) (?=(?:i|we|my|our)\b)"
"""What stands before a clause with a subject of its own."""
_OURS = ("we", "our")


def with_subject(sentence: str) -> str:
    """A sentence with the subject that its first verb leaves out: `I moved to York`, for "moved to York"."""
    lead = regex(_LEAD, re.IGNORECASE).match(sentence)
    start = lead.end() if lead else 0
    for words, pattern in (("I", ELIDED_VERBS), ("I'm", ELIDED_STATES), ("my", ELIDED_OWNER)):
        if regex(rf"{BEFORE_ELIDED}{pattern}", re.IGNORECASE).match(sentence, start):
            return f"{sentence[:start]}{words} {sentence[start : start + 1].lower()}{sentence[start + 1 :]}"
    return sentence


class StatedChange(Struct, frozen=True):
    """What holds since a change, and the predicate of that statement, if one has one value of it.

    Without either it is of an event.
    """

    statement: str = ""
    predicate: str = ""


def told_change(sentence: str) -> StatedChange | None:
    """The change or the event of the user's life that a sentence tells; None if it tells none."""
    if regex(EARLIER, re.IGNORECASE).search(sentence):
        return None
    text = with_subject(sentence)
    starts = [*_starts(text)]
    if (change := _stated_change(text, starts)) is not None:
        return change
    return StatedChange() if _tells_event(text, starts) else None


def _stated_change(text: str, starts: Sequence[int]) -> StatedChange | None:
    lowered = f" {text.lower()}"
    forms = [form for form in CHANGES if any(sign in lowered for sign in form.signs)]
    for start in starts:
        for form in forms:
            match = regex(form.pattern, re.IGNORECASE).match(text, start)
            groups = {name: value.strip(" ,") for name, value in match.groupdict().items()} if match else {}
            if not groups or (form.predicate and not is_plausible(form.predicate, groups["value"], "")):
                continue
            is_ours = text[start:].lower().startswith(_OURS)
            ours = {"i": "We", "my": "Our"} if is_ours else {"i": "I", "my": "My"}
            return StatedChange(form.statement.format(**ours, **groups), form.predicate)
    return None


def _tells_event(text: str, starts: Sequence[int]) -> bool:
    return any(
        regex(pattern, re.IGNORECASE).match(text, start) for start in starts for pattern in LIFE_EVENTS
    )


def _starts(text: str) -> Iterator[int]:
    """Where clauses start: after the words that lead to the first one, and after a mark."""
    lead = regex(_LEAD, re.IGNORECASE).match(text)
    yield lead.end() if lead else 0
    yield from (match.end() for match in regex(_CLAUSE, re.IGNORECASE).finditer(text))
