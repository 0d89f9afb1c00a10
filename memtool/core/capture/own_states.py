"""States of the user: the family status or the diet, one of which is true at a time: `I'm single`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memtool.core.capture.clauses import REQUEST, line_words
from memtool.core.capture.exclusive_values import is_of_class
from memtool.core.capture.languages.compared_words import INDEFINITE
from memtool.core.capture.languages.correction_signs import NOW
from memtool.core.capture.languages.value_kinds import STATE_CLASSES
from memtool.core.text.regex import regex

I_AM = frozenset(["i'm", "im", "i am", "ich bin", "je suis", "soy", "yo soy", "sou", "eu sou"])
"""The words before a state of the user."""
_RELATION = r"\AUser has trait [^.]+\. "
"""What a fact with a quote begins with, as a text for comparison."""


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
    classes = [own_state([word.text for word in words]) for words in (known, said)]
    if not classes[0] or classes[0] != classes[1] or known[-1].text == said[-1].text:
        return None
    old, new = (
        text[words[-1].start : words[-1].end] for text, words in zip(bare, (known, said), strict=True)
    )
    return old, new
