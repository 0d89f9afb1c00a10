"""Documents of a tree as rows of the fleet's tables."""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memtool.core.digest import blake2b
from memtool.index.database import encode_path, valid_text
from memtool.index.documents.source import TERMS_VERSION, aging_day, prepare
from memtool.index.documents.terms import FIELDS, STEMS, WEIGHT_BITS, WEIGHT_MASK, WEIGHTS, WORDS
from memtool.index.engine import DocumentRecord

if TYPE_CHECKING:
    import psycopg

_LONGEST_TERM = 200
"""Characters of a term that is stored as it is; a key of a B-tree has at most 2,700 bytes."""


class PushedDocument(NamedTuple):
    """What the fleet has of a file: the hash of its content, and the version of its terms."""

    etag: str
    terms: int = TERMS_VERSION


def pushed_documents(connection: psycopg.Connection[Any]) -> dict[str, PushedDocument]:
    """What the fleet has of the caller's tree, by the path as the database has it (`stored_text`)."""
    rows = connection.execute("SELECT path, etag, terms FROM memtool.pushed()")
    return {path: PushedDocument(etag, terms) for path, etag, terms in rows}


def begin_push(connection: psycopg.Connection[Any]) -> int:
    """The number of a new push of the caller's tree; from now on, no older push of it writes."""
    row = connection.execute("SELECT memtool.begin_push()").fetchone()
    assert row is not None
    return int(row[0])


Receipt = tuple[str, str]
"""A line of a file that says what was forgotten, after the role of the file."""


def read_receipts(connection: psycopg.Connection[Any]) -> set[Receipt]:
    """What the fleet knows to be forgotten in the caller's tree."""
    return {(role, line) for role, line in connection.execute("SELECT role, line FROM memtool.receipts()")}


def add_receipts(connection: psycopg.Connection[Any], push: int, receipts: Sequence[Receipt]) -> None:
    """Add what was forgotten in the caller's tree."""
    roles, lines = map(list, zip(*receipts, strict=True))
    connection.execute("SELECT memtool.add_receipts(%s, %s::text[], %s::text[])", [push, roles, lines])


def put_document(connection: psycopg.Connection[Any], push: int, record: DocumentRecord) -> None:
    """Put a document of the caller's tree in place of what the fleet has at its path, in one transaction."""
    postings: defaultdict[tuple[str, int, str], array[int]] = defaultdict(_numbers)
    owners, trails, texts = [], [], []
    day = record.day.isoformat() if record.day else ""
    for number, (chunk, prepared) in enumerate(zip(record.chunks, prepare(record), strict=True)):
        owner = stored_text(chunk.owner)
        for field in (STEMS, WORDS):
            for term, count in prepared.terms.counts(field).items():
                packed = number << WEIGHT_BITS | prepared.terms.steps[count]
                postings[owner, FIELDS[field], stored_term(term)].append(packed)
        owners.append(owner)
        trails.append(stored_text("\n".join(chunk.trail)))
        texts.append(stored_text(chunk.text))
    connection.execute(
        "SELECT memtool.put_document(%s, %s, %s, %s, %s, %s, %s, %s, %s::text[], %s, %s::text[], %s::int[],"
        " %s::int[], %s::text[], %s::text[], %s::text[], %s::int2[], %s::text[], %s::int2[], %s::bytea[])",
        [
            push,
            stored_text(record.path),
            record.stamp.etag,
            TERMS_VERSION,
            stored_text(record.role),
            stored_text(record.group),
            day,
            stored_text(record.title),
            [stored_text(tag) for tag in record.tags],
            aging_day(record.path, record.role, day),
            owners,
            [chunk.first for chunk in record.chunks],
            [chunk.last for chunk in record.chunks],
            trails,
            texts,
            [owner for owner, _, _ in postings],
            [field for _, field, _ in postings],
            [term for _, _, term in postings],
            [max(number & WEIGHT_MASK for number in numbers) for numbers in postings.values()],
            [_little_endian(numbers).tobytes() for numbers in postings.values()],
        ],
    )


def remove_document(connection: psycopg.Connection[Any], push: int, path: str) -> None:
    """Remove a document of the caller's tree, by its path as the database has it."""
    connection.execute("SELECT memtool.remove_document(%s, %s)", [push, path])


def finish_push(connection: psycopg.Connection[Any], push: int) -> None:
    """Note that all documents of the caller's tree are its files as they are now."""
    connection.execute("SELECT memtool.finish_push(%s)", [push])


def weights_of(parts: Iterable[tuple[int, bytes]]) -> dict[int, float]:
    """The weight of a term in each chunk, by its number, from what is stored of the term in each document.

    Before that stands what is added to the numbers of the document's chunks.
    """
    return {
        start + (number >> WEIGHT_BITS): WEIGHTS[number & WEIGHT_MASK]
        for start, data in parts
        for number in _little_endian(array("I", data))
    }


def stored_text(text: str) -> str:
    """A text as PostgreSQL can store it: without NUL, and without bytes that are not UTF-8."""
    return valid_text(encode_path(text)).replace("\0", "\ufffd")


def stored_term(term: str) -> str:
    """A term as it is stored; of a very long one, a hash."""
    if len(term) <= _LONGEST_TERM:
        return stored_text(term)
    return f"#{blake2b(term.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def _numbers() -> array[int]:
    return array("I")


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
