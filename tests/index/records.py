"""Documents for the tests of the index, and what a search over them finds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, get_args

from memtool.core.search.chunking import split_chunks
from memtool.core.search.query import parse_query
from memtool.index.documents.document_index import DocumentIndex, EngineName, engine_named, overlay
from memtool.index.engine import DocumentRecord, FileStamp, Searchable
from memtool.index.opening import open_index

KEY = b"k" * 32


def record(path: str, text: str, **about) -> DocumentRecord:
    stamp = FileStamp(len(text), 1, 1, 1, 10**18, str(hash(text)))
    return DocumentRecord(path, stamp, split_chunks(text), **about)


def found(engine: Searchable, query: str, limit: int = 10, **options) -> list[str]:
    """`path:line` of each hit, best first."""
    return [f"{hit.path}:{hit.first}" for hit in engine.query(parse_query(query), limit, **options)]


def paths(engine: Searchable, query: str, limit: int = 10, **options) -> list[str]:
    return [hit.split(":")[0] for hit in found(engine, query, limit, **options)]


def in_memory(texts: Iterable[str]) -> Searchable:
    """Documents named a, b, c, …"""
    return overlay(None, [record(chr(ord("a") + i), text) for i, text in enumerate(texts)])


DAY = date(2025, 1, 15)


ENGINES: tuple[EngineName, ...] = get_args(EngineName)


def open_documents(folder: str, key: bytes, engine: EngineName = "whoosh", **more: Any) -> DocumentIndex:
    """The index of documents in a folder."""
    return open_index(engine_named(engine), folder, key, **more)
