"""The chunks of other trees as a source of postings: those that can have the best scores for a query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.search.lexical import rarity
from memtool.core.search.profiles import DOCUMENTS
from memtool.core.search.query import DateFilter, FieldFilter, PrefixTerm, Query, QueryFilter, QueryItem
from memtool.fleet.document_rows import stored_term, stored_text, weights_of
from memtool.index.database import decode_path
from memtool.index.documents.search import KEYWORDS
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
"""Chunks that are read."""
_DOCUMENTS, _DOCUMENTS_OF_ONE = 0.1, 0.03
"""Documents that are read, in parts of the chunks; and for one term, where the greatest weight in a
document is that of its best chunk.

With 1,000 documents of 10 chunks, Recall@10 of three of the commonest words is 0.98 in 10^6 chunks. Of
documents with fewer chunks fewer are needed: what a document can score at most is closer to its best chunk.
"""
_LEAST_DOCUMENTS = 100
"""Documents that are read in any case."""
_MOST_COMMON = 4
"""Leading terms, where these have too many chunks."""
_LEAST_SHARE = 0.3
"""The least weight of a common term that leads, in parts of the greatest weight of a leading term."""
_ENOUGH = 50
"""Chunks with a term that outweighs all other terms: the best hits are among them."""
_LEAST_FREQUENCY, _MOST_FREQUENCY = 0.25, 2.2
"""The saturated frequency of a word that is once in a chunk of ten times the usual length, and the limit."""
_MOST_TERMS = 200
"""Terms with a given beginning that are searched."""
_CHUNK_BITS = 24
_CHUNK_MASK = (1 << _CHUNK_BITS) - 1
"""The last bits of the number of a chunk are its number in its document, as in a packed posting."""
_LAST = "\U0010ffff"
"""A character after every other, which no term has."""

_KNOWS_FLOORS = "SELECT to_regproc('memtool.best_common_postings') IS NOT NULL"
"""Whether `fleet init` was run with a memtool that has this function."""

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

        The candidates are in the documents that can have the best scores for the leading terms of the query,
        see `leading_terms`. Of all terms, the postings in these documents are read.
        """
        self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        row = self._connection.execute("SELECT memtool.chunk_count(%s::text[], %s)", self._scope).fetchone()
        self._total = int(row[0]) if row else 0
        must = query.required or query.words
        asked = dict.fromkeys(self._terms_of(must, query, must_match=bool(query.required)))
        terms = dict.fromkeys(
            [
                *asked,
                *self._terms_of(query.positive_items, query),
                *self._terms_of([*query.required, *query.excluded], query, must_match=True),
            ]
        )
        self._read_counts([*terms])
        rules = (*query.filters, *filters)
        match = DOCUMENTS.match
        power = match.sentence_power if len(asked) > KEYWORDS else match.keyword_power
        counts = {term: self._counts[term] for term in asked if self._counts[term]}
        leading = leading_terms(counts, self._total, power, self.most, is_filtered=bool(rules))
        documents = int(self.most * (_DOCUMENTS_OF_ONE if len(counts) == 1 else _DOCUMENTS))
        held = [term for term in terms if self._counts[term]]
        self._read_postings(leading, power, held, max(_LEAST_DOCUMENTS, documents), rules)

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
        self,
        leading: Mapping[Term, float],
        power: float,
        terms: Sequence[Term],
        documents: int,
        filters: Sequence[QueryFilter],
    ) -> None:
        if not leading:
            return
        values = [
            *self._scope,
            *_columns([*leading]),
            [*leading.values()],
            power,
            *_columns(terms),
            documents,
            self.most,
        ]
        narrowing = _narrowing(filters)
        is_common = sum(self._counts[term] for term in leading) > self.most
        is_known = is_common and self._connection.execute(_KNOWS_FLOORS).fetchone() == (True,)
        if is_known and all(admitted is None for admitted in narrowing):
            rows = self._connection.execute(
                "SELECT tree, document, field, term, ages, data FROM memtool.best_common_postings(%s::text[],"
                " %s, %s::int2[], %s::text[], %s::float8[], %s, %s::int2[], %s::text[], %s, %s)",
                values,
                binary=True,
            )
        else:
            rows = self._connection.execute(
                "SELECT tree, document, field, term, ages, data FROM memtool.best_postings(%s::text[], %s,"
                " %s::int2[], %s::text[], %s::float8[], %s, %s::int2[], %s::text[], %s, %s,"
                " %s::text[], %s::text[], %s, %s)",
                [*values, *narrowing],
                binary=True,
            )
        found: dict[Term, list[tuple[int, bytes]]] = {}
        for tree, document, field, term, ages, data in rows:
            position = self._documents.setdefault((tree, document), len(self._places))
            if position == len(self._places):
                self._places.append((tree, document))
                self._ages.append(ages)
            found.setdefault((_FIELD_NAMES[field], term), []).append((position << _CHUNK_BITS, data))
        self._postings = {key: weights_of(parts) for key, parts in found.items()}

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


def leading_terms(
    counts: Mapping[Term, int], total: int, power: float, most: int, *, is_filtered: bool
) -> dict[Term, float]:
    """The terms by which candidates are found, with their weights, from how many of all chunks hold each.

    These are all terms, if they have at most `most` chunks in all. If not, the rarest ones lead until they
    have more; of the others, those whose weight is not much smaller. As long as all chunks of the leading
    terms can be read, no more lead once a chunk that holds one of them has a greater score than any chunk
    that holds none of them: a score is multiplied by the share of the terms that the chunk holds, by weight,
    to the given power. Filters may exclude these chunks.
    """
    weights = {term: rarity(count, total, DOCUMENTS.terms) for term, count in counts.items()}
    rarest = sorted(counts, key=lambda term: counts[term])
    if sum(counts.values()) <= most:
        return {term: weights[term] for term in rarest}
    whole = sum(weights.values())
    leading: dict[Term, float] = {}
    count, least = 0, 0.0
    for term in rarest:
        rest = whole - sum(leading.values())
        is_outweighed = least > _MOST_FREQUENCY * rest * (rest / whole) ** power
        greatest = max(leading.values(), default=0.0)
        is_light = len(leading) == _MOST_COMMON or weights[term] < _LEAST_SHARE * greatest
        if is_light if count > most else (is_outweighed and not is_filtered):
            break
        leading[term] = weight = weights[term]
        count += counts[term]
        if counts[term] >= _ENOUGH:
            least = max(least, _LEAST_FREQUENCY * weight * (weight / whole) ** power)
    return leading


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
