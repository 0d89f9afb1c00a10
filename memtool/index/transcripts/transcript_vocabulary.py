"""The vocabulary of transcripts: the indexed words that a prefix, a misspelling or a joined word matches."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from memtool.core.search.query import FuzzyTerm, PrefixTerm, QueryItem, is_within_distance
from memtool.core.text.tokenizer import Word
from memtool.index.documents.terms import halves, may_be_part
from memtool.index.transcripts.transcript_terms import any_of, stems_in
from memtool.index.transcripts.transcripts import Transcripts

_MOST_FORMS = 200
"""Words that a beginning or a misspelt word stands for."""
_WORDS, _LIKE = "words", "like"
"""Keys of cached answers."""


class Vocabulary:
    """The words of an index, for one question."""

    def __init__(self, index: Transcripts) -> None:
        self._db = index.db
        self._answers = index.answers()

    def like(self, stem: str) -> list[tuple[str, ...]]:
        """What a stem is ranked by: itself if a message holds it, else those that it is a part of.

        Else the two that it is made of. One or two letters may only begin a word.
        """
        if (_LIKE, stem) not in self._answers:
            self._answers[_LIKE, stem] = self._terms_like(stem)
        terms: list[tuple[str, ...]] = self._answers[_LIKE, stem]
        return terms

    def _terms_like(self, stem: str) -> list[tuple[str, ...]]:
        if self._is_held(stem) or not may_be_part(stem):
            return [(stem,)]
        stems = self._stems_with(stem)
        if not stems and len(stem) > 2:
            first, second = halves(stem, self)
            return [(first,), (second,)] if first else [(stem,)]
        return [tuple(stems) or (stem,)]

    def _stems_with(self, part: str) -> dict[str, None]:
        """The stems of the words that a text is a part of, or with one or two letters the beginning of."""
        if len(part) > 2 and part not in self._all_words:
            return {}
        condition = "instr(word, ?)" if len(part) > 2 else "word >= ?1 AND word < ?1 || char(1114111)"
        rows = self._db.execute(f"SELECT word FROM word WHERE {condition} LIMIT ?", (part, _MOST_FORMS))  # noqa: S608
        return dict.fromkeys(stem for row in rows for stem in stems_in(Word(row[0])))

    @property
    def _all_words(self) -> str:
        """The words of the index as one text, which is searched in a thirtieth of a table's time."""
        if _WORDS not in self._answers:
            sql = "SELECT group_concat(word, char(10)) FROM word"
            self._answers[_WORDS] = self._db.execute(sql).get or ""
        return str(self._answers[_WORDS])

    def __contains__(self, stem: object) -> bool:
        """Whether a message holds a stem."""
        return isinstance(stem, str) and self._is_held(stem)

    def _is_held(self, stem: str) -> bool:
        sql = "SELECT 1 FROM fts WHERE fts MATCH ? LIMIT 1"
        return self._db.execute(sql, (any_of([stem]),)).get is not None

    @functools.cached_property
    def _words(self) -> list[str]:
        return [row[0] for row in self._db.execute("SELECT word FROM word")]

    def forms(self, item: QueryItem) -> Iterable[str]:
        """The words that a beginning or a fuzzy word stands for; none for other items."""
        words = self._known.get(item)
        if words is None:
            words = self._known[item] = tuple(self._looked_up(item))
        return words

    @functools.cached_property
    def _known(self) -> dict[QueryItem, tuple[str, ...]]:
        return {}

    def _looked_up(self, item: QueryItem) -> Iterable[str]:
        match item:
            case FuzzyTerm(word, distance):
                near = [other for other in self._words if is_within_distance(word, other, distance)]
                return [*dict.fromkeys([word, *near])]
            case PrefixTerm(beginning):
                sql = "SELECT word FROM word WHERE word >= ? AND word < ? LIMIT ?"
                bounds = (beginning, f"{beginning}\U0010ffff", _MOST_FORMS)
                return [row[0] for row in self._db.execute(sql, bounds)]
            case _:
                return ()
