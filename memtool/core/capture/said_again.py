"""Said again: whether a text says all that a correcting sentence says, so that one of both is enough."""

from __future__ import annotations

from memtool.core.capture.clauses import clauses, line_words
from memtool.core.capture.corrected_lines import without_denied, without_replaced
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.endings import without_lead
from memtool.core.capture.other_value import has_negation
from memtool.core.capture.stated_in import stated_in, without_frequency
from memtool.core.records.candidate import SENTENCE, Claim, entity_name
from memtool.core.records.semantic import FactTriple
from memtool.core.text.stems import content_stems


def says_all(fact: FactTriple, claim: Claim, sentence: str, correction: Correction) -> bool:
    """Whether a corrected fact says all that a correcting sentence with this claim states.

    The value that is replaced does not count. A fact with another object of the claim's predicate does not.
    """
    is_same = fact.predicate == claim.predicate != SENTENCE
    if is_same and not content_stems(entity_name(claim.object)) <= content_stems(fact.object):
        return False
    stated = sentence if correction.old else (*stated_in(correction.statement), "")[0]
    stated, quote = without_lead(without_denied(correction.old, stated)), fact.quote or ""
    said = _told_values(without_frequency(stated))
    negated = [has_negation([word.text for word in line_words(each)]) for each in (stated, quote)]
    return bool(said) and said <= _told_values(quote) and negated[0] == negated[1]


def restates(text: str, sentence: str, verb: str = "") -> bool:
    """Whether a text says all words and values of a correcting sentence, and denies what it denies.

    Except for what the sentence corrects, and the `verb` that tells a change: `the lesson moved to Thursday`.
    """
    stated = without_lead(without_replaced(sentence))
    said = _told_values(without_frequency(stated)) - content_stems(verb)
    negated = [has_negation([word.text for word in line_words(each)]) for each in (stated, text)]
    return bool(said) and said <= _told_values(text) and negated[0] == negated[1]


def says_besides(sentence: str, text: str) -> bool:
    """Whether a correcting sentence has a clause that shares no content word with what it corrects.

    One that denies something says what is wrong, and in its other clauses why.
    """
    stated = without_lead(without_replaced(sentence))
    if has_negation([word.text for word in line_words(stated)]):
        return False
    parts = (content_stems(stated[start:end]) for start, end in clauses(stated))
    return any(stems and not stems & content_stems(text) for stems in parts)


def _told_values(text: str) -> frozenset[str]:
    """The stems of a text's content words, and its words with digits."""
    return content_stems(text) | {word.text for word in line_words(text) if any(map(str.isdigit, word.text))}
