"""An ending as a value, and whether a statement says what has ended, which most statements do not."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.capture.languages.correction_signs import ENDING_SIGNS
from memtool.core.records.candidate import SENTENCE, Claim
from memtool.core.records.semantic import FactTriple
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex

REPORT = (
    r"\b(?:said|says|told|claims?|claimed|heard|thinks?|thought|wish|sagt|sagte|dice|dijo|dit|disse|diz"
    r"|сказал[аи]?)\b"
)
"""Words of somebody else's statement."""


class Ending(Struct, frozen=True):
    """What a clause says holds no more, in each wording that it may have been stated in."""

    language: str
    affirmed: tuple[str, ...]
    leaver: str = ""
    """Who works for the user, or stays with the user, no more."""
    is_stay: bool = False
    claims: tuple[tuple[str, str], ...] = ()
    """What ended, whatever the words: a predicate of the user, and a pattern of its folded objects."""
    cancelled: str = ""
    """The planned thing, folded, that does not take place."""
    renewed: Claim | None = None
    """The other way round: a claim that holds again, so that a statement that it ended does not."""

    def shared(self, text: str) -> int:
        """How many words of it a text has that say what it is about: no numbers, nor when something holds."""
        from memtool.core.capture.near_memory import telling_stems  # few statements end others

        said = self.renewed.object if self.renewed is not None else "".join(self.affirmed[:1])
        return len(telling_stems(said) & telling_stems(text))


def renewal(sentence: str, claim: Claim) -> Ending | None:
    """What a sentence claims to hold, `I live in Lyon again`; None where somebody else says so."""
    text = " ".join(sentence.replace("’", "'").split())
    return None if regex(REPORT).search(search_fold(text)) else Ending("", (), renewed=claim)


def is_ended(ending: Ending, fact: FactTriple | str) -> bool:
    """Whether a statement, a fact or a text, says what has ended, and nothing else.

    Of what holds again: whether it says, perhaps with more, that it has ended.
    The quote of a triple may say more, if the object is what has ended.
    """
    if ending.renewed is not None and not _may_say_ended(fact):
        return False
    from memtool.core.capture.endings import says_ended  # few statements say that something has ended

    return says_ended(ending, fact)


def _may_say_ended(fact: FactTriple | str) -> bool:
    """Whether a statement has a sign that something has ended; a fast test."""
    if not isinstance(fact, str) and fact.predicate == "EATS_NO":
        return True
    if not isinstance(fact, str) and fact.predicate != SENTENCE:
        return False  # it says what holds instead, of which there is one at a time
    lowered = (fact if isinstance(fact, str) else fact.quote or fact.object).lower()
    return any(sign in lowered for sign in ENDING_SIGNS)
