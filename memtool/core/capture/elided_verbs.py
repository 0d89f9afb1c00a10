"""Elided verbs: `the tyres in May` says when they are due after `the brake pads are due on the 20th and`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtool.core.capture.clauses import LineWord
from memtool.core.capture.languages.compared_words import PLACING

_MOST_OF_VERB = 3
"""The most words of a verb: `has been moved`."""
_MOST_OF_SUBJECT = 5


def without_elided_verb(
    said: Sequence[LineWord], known: Sequence[LineWord], earlier: Sequence[LineWord]
) -> Iterator[Sequence[LineWord]]:
    """A sentence without the verb that a clause leaves out because the clause before it has it.

    The clause is the subject of the sentence and what follows its preposition: nothing stands for the verb,
    which is followed by a preposition in the sentence and in the `earlier` clause, too.
    """
    new, old, before = ([word.text for word in words] for words in (said, known, earlier))
    subject = next((place for place, word in enumerate(old) if word in PLACING), 0)
    if not 0 < subject <= _MOST_OF_SUBJECT or new[:subject] != old[:subject]:
        return
    for end in range(subject + 1, min(subject + _MOST_OF_VERB, len(new) - 1) + 1):
        verb = new[subject:end]
        places = (place for place in range(len(before)) if before[place : place + len(verb)] == verb)
        if new[end] in PLACING and any(PLACING & {*before[place + len(verb) :][:1]} for place in places):
            yield [*said[:subject], *said[end:]]
