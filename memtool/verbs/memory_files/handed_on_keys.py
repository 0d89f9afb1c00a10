"""Handed-on keys: changed records of facts, after each superseded one's key has gone to its successor."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.facts.identity import fact_id, fact_sentence
from memtool.core.records.semantic import SemanticRecord
from memtool.verbs.memory_files.semantic_files import unused_name


def with_keys(
    changed: Mapping[PurePosixPath, Mapping[str, SemanticRecord]],
    keys: Mapping[str, str],
    records: Mapping[str, SemanticRecord],
    used: Container[str],
) -> dict[PurePosixPath, dict[str, SemanticRecord]]:
    """The changed records by path and present id, with new ids.

    `keys` has the key that each new fact gets, by its present id; the fact in `records` that had the key gets
    an id that is not `used`.
    """
    names = dict(keys)
    for key in keys.values():
        fact = records[key].fact
        names[key] = unused_name(fact_id(fact_sentence(fact), fact.owner), used)

    def renamed(record: SemanticRecord) -> SemanticRecord:
        mark = record.superseded
        if mark is not None and mark.by is not None:
            mark = replace(mark, by=keys.get(mark.by, mark.by))
        return replace(record, id=names.get(record.id or "", record.id), superseded=mark)

    return {path: {name: renamed(record) for name, record in rows.items()} for path, rows in changed.items()}
