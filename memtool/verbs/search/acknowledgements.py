"""Acknowledgements: replies of an agent that are hits by the message before them alone, and say nothing."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.records.hit import Hit
from memtool.core.records.turn import ASSISTANT


def with_acknowledgements_last(hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, best first, with those last that only acknowledge what another message says.

    A message gets a part of the score of the one before it, since an answer seldom repeats the words of the
    question. So the replies "OK, noted." to what a query finds came before facts.
    """
    said = [hit for hit in hits if not is_acknowledgement(hit)]
    if len(said) in {0, len(hits)}:
        return hits
    least = said[-1].score
    rest = (hit._replace(score=min(hit.score, least)) for hit in hits if is_acknowledgement(hit))
    return [*said, *rest]


def is_acknowledgement(hit: Hit) -> bool:
    """Whether a hit is a short reply of an agent without a word of the query, a name or a number."""
    if hit.source != "transcript" or hit.speaker != ASSISTANT or hit.spans:
        return False
    from memtool.core.context.repeated_questions import acknowledges  # few hits need it

    return acknowledges(hit.text)
