"""The chunks of other trees as a source of postings: those with the rarest words of a query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.search.query import DateFilter, FieldFilter, PrefixTerm, Query, QueryFilter, QueryItem
from memtool.fleet.document_rows import stored_term, stored_text, weights_of
from memtool.index.database import decode_path
from memtool.index.documents.source import META, StoredChunk, tag_key
from memtool.index.documents.terms import (
    FIELDS,
    STEMS,
    BeginningUnit,
    PhraseUnit,
    QueryUnit,
    SpellingUnit,
    TermUnit,
    pair_units,
    required_units,
    units,
)

if TYPE_CHECKING:
    import psycopg

MOST_CANDIDATES = 10_000
"""Chunks with the rarest terms that are read."""
_MOST_TERMS = 200
"""Terms with a given beginning that are searched."""
_CHUNK_BITS = 24
_CHUNK_MASK = (1 << _CHUNK_BITS) - 1
"""The last bits of the number of a chunk are its number in its document, as in a packed posting."""
_LAST = "\U0010ffff"
"""A character after every other, which no term has."""

Term = tuple[str, str]
"""A field and a term."""


class FleetOrigin(Struct, frozen=True):
    """Where a chunk of the fleet is from: the file in its tree, its hash, and when it was known to be so."""

    tree: str
    path: str
    etag: str
    as_of: datetime


class FleetSource:
    """The chunks of the trees that the caller may read, without those of its own tree; see `ChunkSource`.

    They are read in one transaction, as they are when it begins, and the connection is used for no other.
    `load_query` comes first: it finds the candidates, and reads how many chunks hold each term of the query.
    Of chunks, those of `owners` alone are counted and found where any are named. Paths are those in their
    trees, after the name of the tree and a colon; `origins` has what is known of those that were read.
    """

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        owners: Sequence[str] = (),
        *,
        most: int = MOST_CANDIDATES,
    ) -> None:
        self.most = most
        self.origins: dict[str, FleetOrigin] = {}
        self._connection = connection
        self._scope = ([stored_text(owner) for owner in owners] or None, True)
        self._total = 0
        self._counts: dict[Term, int] = {}
        self._lexicon: dict[Term, tuple[str, ...]] = {}
        self._postings: dict[Term, dict[int, float]] = {}
        self._documents: dict[tuple[int, int], int] = {}
        self._places: list[tuple[int, int]] = []
        self._ages: list[int] = []
        self._stored: dict[int, StoredChunk] = {}
        self._meta: dict[str, dict[int, float]] | None = None

    def load_query(self, query: Query, filters: Sequence[QueryFilter] = ()) -> None:
        """Read the candidates of a query, and the counts of its terms.

        The rarest terms of the query lead: their postings are read until they have `most` chunks, and of the
        term that has too many, those with the greatest weights. Of this and the other terms, the postings in
        the documents of these chunks are read.
        """
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        row = self._connection.execute("SELECT memtool.chunk_count(%s::text[], %s)", self._scope).fetchone()
        self._total = int(row[0]) if row else 0
        must = query.required or query.words
        leading = dict.fromkeys(self._terms_of(must, query, must_match=bool(query.required)))
        terms = dict.fromkeys(
            [
                *leading,
                *self._terms_of(query.positive_items, query),
                *self._terms_of([*query.required, *query.excluded], query, must_match=True),
            ]
        )
        self._read_counts([*terms])
        rarest = sorted((term for term in leading if self._counts[term]), key=lambda term: self._counts[term])
        chosen: list[Term] = []
        count = 0
        for term in rarest:
            chosen.append(term)
            count += self._counts[term]
            if count > self.most:
                break
        whole = chosen[:-1] if count > self.most else chosen
        others = [term for term in terms if self._counts[term] and term not in whole]
        self._read_postings(chosen, others, (*query.filters, *filters))

    def count(self) -> int:
        """How many chunks there are, candidates or not."""
        return self._total

    def size(self) -> int:
        """See `ChunkSource`."""
        return len(self._places) << _CHUNK_BITS

    def postings(self, field: str, term: str) -> dict[int, float]:
        """See `ChunkSource`: of the candidates."""
        if field == META:
            return self._read_meta().get(term, {})
        return self._postings.get((field, stored_term(term)), {})

    def unlisted(self, field: str, term: str) -> int:
        """See `ChunkSource`."""
        key = field, stored_term(term)
        return max(0, self._counts.get(key, 0) - len(self._postings.get(key, ())))

    def is_everywhere(self, field: str, term: str) -> bool:
        """See `ChunkSource`: the database gives no chunks of other owners."""
        return field == META and term.startswith("owner:")

    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """See `ChunkSource`: of words, those with a beginning that the query has."""
        if field == META:
            return [term for term in self._read_meta() if term.startswith(prefix)]
        return self._lexicon.get((field, prefix), ())

    def everything(self) -> Iterable[int]:
        """The numbers of the candidates."""
        return {number for held_by in self._postings.values() for number in held_by}

    def load(self, numbers: Collection[int]) -> None:
        """See `ChunkSource`: read them at once."""
        places = [self._place(number) for number in numbers if number not in self._stored]
        if not places:
            return
        rows = self._connection.execute(
            "SELECT * FROM memtool.chunks(%s::text[], %s, %s::int[], %s::int[], %s::int[])",
            [*self._scope, *map(list, zip(*places, strict=True))],
        )
        for row in rows:
            number = (self._documents[row[:2]] << _CHUNK_BITS) + row[2]
            tree, path, etag, as_of, first, last, trail, text, role, group, day, title = row[3:]
            path = decode_path(path)
            shown = f"{tree}:{path}"
            self.origins[shown] = FleetOrigin(tree, path, etag, as_of.astimezone(UTC))
            titles = tuple(decode_path(trail).split("\n")) if trail else ()
            about = (decode_path(role), decode_path(group), day, decode_path(title))
            self._stored[number] = StoredChunk(shown, first, last, titles, text, *about)

    def stored(self, number: int) -> StoredChunk:
        """See `ChunkSource`."""
        if number not in self._stored:
            self.load([number])
        return self._stored[number]

    def aging_day(self, number: int) -> int:
        """See `ChunkSource`."""
        return self._ages[number >> _CHUNK_BITS]

    def _place(self, number: int) -> tuple[int, int, int]:
        """The tree and the document of a chunk, and its number there."""
        return (*self._places[number >> _CHUNK_BITS], number & _CHUNK_MASK)

    def _terms_of(
        self, items: Iterable[QueryItem], query: Query, *, must_match: bool = False
    ) -> Iterator[Term]:
        """The terms as they are stored that answer items of a query."""
        items = list(items)
        found: list[QueryUnit] = [
            unit
            for item in items
            for unit in (required_units(item) if must_match else units(item, query.language))
        ]
        if not must_match:
            found += pair_units(items, query.language)
        for unit in found:
            match unit:
                case TermUnit(places):
                    yield from ((field, stored_term(term)) for field, term in places)
                case BeginningUnit(text):
                    yield from ((STEMS, term) for term in self._read_lexicon(STEMS, text))
                case SpellingUnit(PrefixTerm(text)):
                    yield from ((field, term) for field in FIELDS for term in self._read_lexicon(field, text))
                case PhraseUnit(_, terms):
                    yield from ((field, stored_term(text)) for term in terms for field, text in term.places)

    def _read_lexicon(self, field: str, prefix: str) -> tuple[str, ...]:
        if (field, prefix) not in self._lexicon:
            text = stored_text(prefix)
            rows = self._connection.execute(
                "SELECT term FROM memtool.lexicon(%s::text[], %s, %s::int2, %s, %s, %s)",
                [*self._scope, FIELDS[field], text, text + _LAST, _MOST_TERMS],
            )
            self._lexicon[field, prefix] = tuple(term for (term,) in rows)
        return self._lexicon[field, prefix]

    def _read_counts(self, terms: Sequence[Term]) -> None:
        self._counts = dict.fromkeys(terms, 0)
        rows = self._connection.execute(
            "SELECT field, term, chunks FROM memtool.term_counts(%s::text[], %s, %s::int2[], %s::text[])",
            [*self._scope, *_columns(terms)],
        )
        self._counts |= {(_FIELD_NAMES[field], term): int(chunks) for field, term, chunks in rows}

    def _read_postings(
        self, leading: Sequence[Term], others: Sequence[Term], filters: Sequence[QueryFilter]
    ) -> None:
        if not leading:
            return
        rows = self._connection.execute(
            "SELECT tree, document, field, term, ages, data FROM memtool.postings(%s::text[], %s, %s::int2[],"
            " %s::text[], %s::int2[], %s::text[], %s, %s::text[], %s::text[], %s, %s)",
            [*self._scope, *_columns(leading), *_columns(others), self.most, *_narrowing(filters)],
        )
        for tree, document, field, term, ages, data in rows:
            position = self._documents.setdefault((tree, document), len(self._places))
            if position == len(self._places):
                self._places.append((tree, document))
                self._ages.append(ages)
            into = self._postings.setdefault((_FIELD_NAMES[field], term), {})
            into.update(weights_of(data, position << _CHUNK_BITS))

    def _read_meta(self) -> dict[str, dict[int, float]]:
        """What is known of the documents of the candidates, as postings of the field `META`."""
        if self._meta is None:
            self._meta = {}
            columns = list(map(list, zip(*self._places, strict=True))) or [[], []]
            rows = self._connection.execute(
                "SELECT * FROM memtool.documents(%s::text[], %s, %s::int[], %s::int[])",
                [*self._scope, *columns],
            )
            about: dict[tuple[int, int], list[str]] = {}
            for tree, document, path, role, group, day, tags in rows:
                known = [f"path:{decode_path(path)}", f"role:{decode_path(role)}"]
                known += [f"group:{decode_path(group)}"]
                known += [f"day:{day}"] if day else []
                known += [f"tag:{tag_key(decode_path(tag))}" for tag in tags]
                about[tree, document] = known
            for number in self.everything():
                for term in about.get(self._places[number >> _CHUNK_BITS], ()):
                    self._meta.setdefault(term, {})[number] = 1.0
        return self._meta


_FIELD_NAMES = {number: name for name, number in FIELDS.items()}


def _columns(terms: Sequence[Term]) -> tuple[list[int], list[str]]:
    return [FIELDS[field] for field, _ in terms], [term for _, term in terms]


def _narrowing(filters: Sequence[QueryFilter]) -> tuple[object, ...]:
    """The roles, the groups and the days that filters admit, as far as the database applies them."""
    admitted: dict[str, list[str] | None] = {"role": None, "group": None}
    since = until = None
    for rule in filters:
        if isinstance(rule, DateFilter):
            since = rule.since.isoformat() if rule.since else since
            until = rule.until.isoformat() if rule.until else until
        elif isinstance(rule, FieldFilter) and rule.field in admitted and not rule.excludes:
            admitted[rule.field] = [stored_text(value) for value in rule.values]
    return admitted["role"], admitted["group"], since, until
