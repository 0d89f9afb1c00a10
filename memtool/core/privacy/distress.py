"""Statements of self-harm, suffered violence or crisis, which no pattern turns into a memory."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.languages.tables import tables_for
from memtool.core.capture.languages.trigger import LanguageTable
from memtool.core.text.folding import fold_in_place
from memtool.core.text.regex import regex


def states_distress(text: str, tables: Sequence[LanguageTable] | None = None) -> bool:
    """Whether a text speaks of self-harm, of violence that its user suffers, or of a crisis."""
    folded = " ".join(fold_in_place(text).replace("’", "'").split())
    return any(
        regex(pattern).search(folded)
        for table in (tables_for(folded) if tables is None else tables)
        for pattern in table.distress
    )
