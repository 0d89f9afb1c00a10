"""States of the user: the family status or the diet, one of which is true at a time: `I'm single`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtool.core.capture.clauses import REQUEST, LineWord, line_words
from memtool.core.capture.exclusive_values import is_of_class
from memtool.core.capture.languages.compared_words import INDEFINITE
from memtool.core.capture.languages.correction_signs import NOW
from memtool.core.capture.languages.value_kinds import STATE_CLASSES
from memtool.core.text.regex import regex

I_AM = frozenset(["i'm", "im", "i am", "ich bin", "je suis", "soy", "yo soy", "sou", "eu sou"])
"""The words before a state of the user."""
_RELATION = r"\AUser (?:has trait|does) [^.]+\. "
"""What a fact with a quote begins with, as a text for comparison."""
_I_WORK = "i work"
_FILLERS = INDEFINITE | frozenset(["the", "shift", "shifts", "again"])
_AT_WORK = (
    frozenset(["night", "nights", "day", "days", "evening", "evenings", "early", "earlies", "late", "lates"]),
    frozenset(["full-time", "part-time"]),
    frozenset(["remotely", "on-site", "onsite"]),
)
"""Of each set one is true at a time: the shift, the hours, the place; the singular begins the plural."""


def state_openings(words: Sequence[str]) -> Sequence[str]:
    """How a line begins that a text contradicts which says nothing but a state of the user; else nothing."""
    if _at_work(words):
        return (_I_WORK,)
    return [*I_AM] if own_state(words) else ()


def _at_work(words: Sequence[str]) -> frozenset[str]:
    """The words of which one says how the user works, if a text says only that: `I work night shifts`."""
    bare = [word for word in words[2:] if word not in _FILLERS]
    if " ".join(words[:2]) != _I_WORK or len(bare) != 1:
        return frozenset()
    return next((each for each in _AT_WORK if bare[0] in each), frozenset())


def own_state(words: Sequence[str]) -> frozenset[str]:
    """The words of which one is a state that is all a text says, as in `I'm a vegan`; none if it is not."""
    for count in (1, 2):
        bare = [word for word in words[count:] if word not in INDEFINITE]
        if " ".join(words[:count]) in I_AM and len(bare) == 1:
            return next((each for each in STATE_CLASSES if is_of_class(bare[0], each)), frozenset())
    return frozenset()


def other_state(statement: str, line: str) -> tuple[str, str] | None:
    """The states of a line and of a statement, where each says one of the user, not the same, and no more.

    A line that says more, of the user or of others, may be true without its state in whole or in part.
    """
    line = regex(_RELATION).sub("", line)
    request = regex(REQUEST).match(line)
    texts = [line[request.end() :] if request else line, statement]
    bare = [regex(NOW, re.IGNORECASE).sub(" ", text) for text in texts]
    known, said = map(line_words, bare)
    if (work := _at_work([word.text for word in known])) and work == _at_work([word.text for word in said]):
        return _work_values(bare[0], bare[1], known, said, work)
    classes = [own_state([word.text for word in words]) for words in (known, said)]
    if not classes[0] or classes[0] != classes[1] or known[-1].text == said[-1].text:
        return None
    old, new = (
        text[words[-1].start : words[-1].end] for text, words in zip(bare, (known, said), strict=True)
    )
    return old, new


def _work_values(
    line: str, statement: str, known: Sequence[LineWord], said: Sequence[LineWord], work: frozenset[str]
) -> tuple[str, str] | None:
    """How the user works in a line and in a statement, with "shifts" behind it, if it is not the same."""
    old, new = (next(word for word in words if word.text in work) for words in (known, said))
    if old.text.rstrip("s") == new.text.rstrip("s"):
        return None
    return line[old.start : known[-1].end], statement[new.start : said[-1].end]
