"""Hits that come last, because they say nothing of their own: acknowledgements, and earlier questions."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.records.hit import Hit
from memtool.core.records.turn import ASSISTANT
from memtool.core.search.prompts import has_question_word
from memtool.core.text.stems import content_stems

_MOST_WORDS = 4
"""Words, stop words aside, of the longest acknowledgement: "Noted, thanks, I'll keep that in mind"."""
_MOST_OWN = 2
"""Words of a question that a query for the same subject may lack: "What's my dentist's phone number?"."""
_NOTE = "daily-note"


def with_empty_hits_last(hits: Sequence[Hit], query: str) -> Sequence[Hit]:
    """The hits for a query, best first, with those last that only acknowledge a message, or only ask.

    A message gets a part of the score of the one before it, since an answer seldom repeats the words of the
    question. So the replies "OK, noted." to what a query finds came before facts. An earlier question matches
    a query best, and does not answer it.
    """
    saying = [hit for hit in hits if not _is_empty(hit, query)]
    if len(saying) in {0, len(hits)}:
        return hits
    least = saying[-1].score
    rest = (hit._replace(score=min(hit.score, least)) for hit in hits if _is_empty(hit, query))
    return [*saying, *rest]


def _is_empty(hit: Hit, query: str) -> bool:
    return is_acknowledgement(hit) or _only_asks(hit, query)


def is_acknowledgement(hit: Hit) -> bool:
    """Whether a hit is a short reply of an agent without a word of the query, a name or a number."""
    if hit.source != "transcript" or hit.speaker != ASSISTANT or hit.spans:
        return False
    from memtool.core.context.repeated_questions import names_something  # few hits need it

    return not names_something(hit.text) and len(content_stems(hit.text)) <= _MOST_WORDS


def _only_asks(hit: Hit, query: str) -> bool:
    """Whether a hit is an earlier question with few words of its own, and no reply that answers."""
    if hit.source == "transcript":
        said, reply = hit.text, ""
    elif hit.role == _NOTE and hit.snippet in hit.text:
        said, reply = hit.snippet, hit.text.partition(hit.snippet)[2]
    else:
        return False
    if not has_question_word(said):
        return False
    from memtool.core.context.repeated_questions import is_question_about, names_something

    return is_question_about(said, content_stems(query), _MOST_OWN) and not names_something(reply)
