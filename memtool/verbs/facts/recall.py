"""recall: the facts that answer a question; each of them counts as accessed (five-layer memory)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.records.plan import Plan
from memtool.core.records.request import RecallRequest
from memtool.errors import Locked, StaleWrite, Unwritable
from memtool.index.facts.fact_search import FactHit
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory.salience import load_salience
from memtool.verbs.memory.semantic_files import requested_category


class RecallResponse(Struct, frozen=True):
    """The facts, best first, the plan that counted their accesses, and notices.

    `is_unknown` says that no fact was found and something could not be read.
    """

    hits: tuple[FactHit, ...]
    plan: Plan
    notices: tuple[str, ...]
    is_unknown: bool


def recall(workspace: Workspace, request: RecallRequest, index: FactSync) -> RecallResponse:
    """Search the facts, and count an access for each hit.

    Where the accesses cannot be written, that is a notice. Raises BadUsage for an invalid category.
    """
    category = requested_category(request.category)
    index.embed_query(request.text)
    index.sync()
    salience = load_salience(workspace)
    owners = frozenset({"", *request.scope.owners}) if request.scope.owners else None
    factors = salience.factors(request.now)
    hits = index.recall(request.text, request.limit, category=category, owners=owners, salience=factors)
    notices = [*index.notices, *([salience.notice] if salience.notice else [])]
    plan = _count_accesses(workspace, hits, request.now, notices) if hits and workspace.writes else ()
    return RecallResponse(tuple(hits), plan, tuple(notices), not hits and index.unread > 0)


def _count_accesses(workspace: Workspace, hits: Sequence[FactHit], now: datetime, notices: list[str]) -> Plan:
    try:
        with workspace.lock():
            plan = load_salience(workspace).access_plan(workspace, [hit.name for hit in hits], now)
            workspace.commit(plan)
    except (Locked, StaleWrite, Unwritable) as error:
        notices.append(f"{error}; that these facts were asked for was not counted")
        return ()
    return plan
