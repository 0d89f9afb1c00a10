"""Statements of self-harm, suffered violence or crisis, which no pattern turns into a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from memtool.core.capture.languages.despair import DESPAIR, DESPAIR_SIGNS
from memtool.core.capture.languages.tables import tables_for
from memtool.core.capture.languages.trigger import LanguageTable
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex

_LEVELS = {"self_harm": 3, "death_wish": 2, "violence": 2}
_QUESTION_LEVEL = 1


class Crisis(Struct, frozen=True, order=True):
    """A crisis that a message states: its kind (self_harm, death_wish or violence), and its level.

    3 is self-harm, 2 the wish to die or violence that is suffered, 1 a question about one of these.
    """

    level: int
    kind: str


def states_distress(text: str, tables: Sequence[LanguageTable] | None = None) -> bool:
    """Whether a text speaks of self-harm, of violence that its user suffers, of a crisis or of despair."""
    return _kind(text, tables) is not None or _states_despair(_folded(text))


def _states_despair(folded: str) -> bool:
    return any(sign in folded for sign in DESPAIR_SIGNS) and regex(DESPAIR).search(folded) is not None


def find_crisis(sentences: Iterable[tuple[str, bool]]) -> Crisis | None:
    """The gravest crisis that sentences state, each with whether it is a question; None for none."""
    different = dict.fromkeys(sentences)
    if _kind("\n".join(text for text, _ in different)) is None:  # most messages state none
        return None
    found = [
        Crisis(_QUESTION_LEVEL if is_question else _LEVELS[kind], kind)
        for text, is_question in different
        if (kind := _kind(text)) is not None
    ]
    return max(found, default=None)


def _kind(text: str, tables: Sequence[LanguageTable] | None = None) -> str | None:
    folded = _folded(text)
    for table in tables_for(folded) if tables is None else tables:
        patterns = {"self_harm": table.self_harm, "death_wish": table.death_wish, "violence": table.violence}
        for kind, forms in patterns.items():
            if any(regex(form).search(folded) for form in forms):
                return kind
    return None


def _folded(text: str) -> str:
    return " ".join(fold_in_place(text).replace("\u2019", "'").split())
