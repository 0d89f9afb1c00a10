"""recall --fleet: the facts of other trees ranked among those of this one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.identity import comparison_text, fact_sentence, naming_words, record_id
from memtool.core.facts.relation_names import relation_names
from memtool.core.privacy.recalled import text_for_model
from memtool.core.records.plan import Plan
from memtool.core.records.request import RecallRequest
from memtool.core.search.query import FieldFilter, prompt_query
from memtool.fleet.connection import FleetUnavailable, connected
from memtool.fleet.fleet_source import FleetOrigin, FleetSource
from memtool.formats import semantic
from memtool.index.documents.document_index import Overlay
from memtool.index.engine import ChunkHit, FileStamp
from memtool.index.facts.fact_search import FactHit
from memtool.index.facts.facts import FactFile, FactRow
from memtool.store.external.fleet_key import FleetKey
from memtool.store.workspace import Workspace
from memtool.verbs.facts.recall import count_accesses
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory_files.salience import load_salience
from memtool.verbs.memory_files.semantic_files import requested_category

_MOST_CHUNKS = 200
"""Chunks of other trees whose facts are ranked: those that match the question best."""


class FleetFact(Struct, frozen=True):
    """A fact that answers, its path in its tree, and the hash of its file.

    `as_of` is when it was known to be so (RFC 3339); empty for this tree, whose files were read just now.
    """

    hit: FactHit
    tree: str
    path: str
    etag: str
    as_of: str = ""

    def to_record(self) -> dict[str, object]:
        """The record of `out-recall.schema.json`."""
        origin = {"path": self.path, "tree": self.tree, "etag": self.etag, "as_of": self.as_of or None}
        return {**self.hit.to_record(), **origin}


class FleetRecallResponse(Struct, frozen=True):
    """The facts, best first, the plan that counted accesses of those of this tree, and notices.

    `is_incomplete` says that the fleet or a file could not be read.
    """

    facts: tuple[FleetFact, ...]
    plan: Plan
    notices: tuple[str, ...]
    is_incomplete: bool = False


def recall_with_fleet(
    workspace: Workspace, key: FleetKey, request: RecallRequest, index: FactSync
) -> FleetRecallResponse:
    """The facts that answer a question in this workspace and in the trees that it may read, by their words.

    Facts of other trees are those of the chunks that match best, as they were pushed. They are scored with
    the facts of this workspace as one set. A fact that several trees have is returned once: of this tree, or
    as it was pushed last. Where the database cannot be reached, this workspace alone answers. Raises BadUsage
    for an invalid category.
    """
    category = requested_category(request.category)
    salience = load_salience(workspace)
    notices = [salience.notice] if salience.notice else []
    chunks: list[ChunkHit] = []
    origins: dict[str, FleetOrigin] = {}
    is_down = False
    try:
        with connected(key.dsn) as connection:
            source = FleetSource(connection, request.scope.owner_values)
            query = replace(prompt_query(request.text), is_prompt=False)
            only_facts = [FieldFilter("role", ("semantic",))]
            if query.words:
                source.load_query(query, only_facts)
                chunks = Overlay([source]).query(query, _MOST_CHUNKS, filters=only_facts)
                origins = source.origins
    except FleetUnavailable as error:
        is_down = True
        notices.append(f"{error}; only this workspace was searched")
    hits, stamps = index.recall_among(
        _fact_files(chunks, origins),
        request.text,
        request.limit,
        category=category,
        scope=request.scope,
        salience=salience.factors(request.now),
    )
    notices += index.notices
    own = [hit for hit in hits if hit.path not in origins]
    plan = count_accesses(workspace, own, request.now, notices) if own and workspace.writes else ()
    facts = tuple(_fleet_fact(hit, key.name, stamps, origins.get(hit.path)) for hit in hits)
    return FleetRecallResponse(facts, plan, tuple(notices), is_down or bool(index.unread))


def _fact_files(chunks: Iterable[ChunkHit], origins: dict[str, FleetOrigin]) -> list[FactFile]:
    """The active facts in chunks of other trees, by path; of equal ones, that which was pushed last."""
    rows: dict[str, list[FactRow]] = {}
    known: set[tuple[str, str]] = set()
    for chunk in sorted(chunks, key=lambda chunk: origins[chunk.path].as_of, reverse=True):
        for number, line in enumerate(semantic.parse(chunk.text).lines, chunk.first):
            record = line.record
            if record is None or record.superseded is not None:
                continue
            owner, meaning = str(record.fact.owner or ""), comparison_text(record.fact)
            if (owner, meaning) not in known:
                known.add((owner, meaning))
                name, text = record_id(record), fact_sentence(record.fact)
                words = naming_words(record.fact), relation_names(record.fact)
                fact = FactRow(number, name, record.fact.category, owner, text, meaning, *words)
                rows.setdefault(chunk.path, []).append(fact)
    return [
        FactFile(path, FileStamp(0, 0, 0, 0, 0, origins[path].etag), tuple(facts))
        for path, facts in rows.items()
    ]


def _fleet_fact(
    hit: FactHit, tree: str, stamps: dict[str, FileStamp], origin: FleetOrigin | None
) -> FleetFact:
    hit = replace(hit, text=text_for_model(hit.text))
    if origin is None:
        return FleetFact(hit, tree, hit.path, stamps[hit.path].etag)
    as_of = origin.as_of.isoformat(timespec="seconds")
    return FleetFact(hit, origin.tree, origin.path, origin.etag, as_of)
