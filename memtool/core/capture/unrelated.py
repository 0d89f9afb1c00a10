"""Unrelated sentences: what a message says besides a request to forget what was said about something.

"Forget what I said about my diet. I'm a nurse." asks nothing of the second sentence. What comes after such a
request may go on about the same in other words, though ("about my drinking. I'm an alcoholic"). So only what
surely states something else is unrelated: a home, a job, a person or the like, of which the kind is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.statements import statements
from memtool.core.facts.relation_names import relation_names
from memtool.core.privacy.private_requests import is_private_request
from memtool.core.records.semantic import FactTriple
from memtool.core.text.health_words import affects_advice
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.sentences import SentenceText
from memtool.core.text.stems import content_stems

_ABOUT_PAST = (
    r"\W*(?:(?:please|pls|ok|okay|and|so|actually|no|wait|sorry),? )*"
    r"forget (?:everything|anything|all|what)(?: that)? (?:i|we)(?:'ve| have)? (?:just )?"
    r"(?:said|told you|mentioned|wrote) about (?:my|our|the|his|her|their)"
    r" (?:\w+ ){0,3}\w+(?:,? please)?[\s.!]*"
)
"""A sentence that asks to forget what was said about something, and says nothing else."""
_GOES_ON = (
    r"\W*(?:it|that|this|these|those|he|she|they|there|which|because|since|so|and|but|or|his|her|their|its)\b"
)
"""How a sentence begins that goes on about what the one before it is about."""


def unrelated_sentences(text: SentenceText, sentences: Sequence[str]) -> frozenset[int]:
    """The numbers of the sentences after the message's only request that surely are about something else.

    None where the request asks for anything else than to forget what was said before.
    """
    requests = [number for number, sentence in enumerate(sentences) if is_private_request(sentence)]
    if len(requests) != 1 or regex(_ABOUT_PAST).fullmatch(plain_text(sentences[requests[0]])) is None:
        return frozenset()
    request, found = content_stems(sentences[requests[0]]), set()
    for stated in statements(text):
        claim = stated.claim
        names = relation_names(FactTriple(claim.category, claim.subject, claim.predicate, claim.object))
        number = next(
            place for place, (start, end, _) in enumerate(text.sentences) if start <= stated.start < end
        )
        said = f"{sentences[number]} {names}"
        if (
            number > requests[0]
            and names
            and not request & content_stems(said)
            and not affects_advice(sentences[number])
            and regex(_GOES_ON).match(plain_text(sentences[number])) is None
        ):
            found.add(number)
    return frozenset(found)
