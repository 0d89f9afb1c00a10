"""recall: the facts that answer a question, each of which counts as asked for (five-layer memory)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.records.plan import Plan
from memtool.errors import Locked, StaleWrite, Unwritable
from memtool.index.facts.fact_search import FactHit
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.memory.fact_files import category_given
from memtool.verbs.memory.salience import load


class Recalled(Struct, frozen=True):
    """The facts that were found, the best first, the plan that counted them, and what to tell."""

    hits: tuple[FactHit, ...]
    plan: Plan
    notices: tuple[str, ...]
    could_not_tell: bool


def recall(
    workspace: Workspace,
    query: str,
    shelf: FactSync,
    *,
    now: datetime,
    limit: int = 5,
    category: str | None = None,
    mine: Collection[str] = (),
) -> Recalled:
    """Ask the facts; with `mine`, owners' tags, those of these and of nobody in particular.

    What counts the accesses never keeps the answer back: where it cannot be written, that is a notice.
    Raises BadUsage for a category that is none.
    """
    wanted = category_given(category)
    shelf.prime(query)
    shelf.freshen()
    known = load(workspace)
    owners = frozenset({"", *mine}) if mine else None
    hits = shelf.recall(query, limit, category=wanted, owners=owners, salience=known.factors(now))
    notices = [*shelf.notices, *([known.notice] if known.notice else [])]
    plan = _counted(workspace, hits, now, notices) if hits and workspace.writes else ()
    return Recalled(tuple(hits), plan, tuple(notices), not hits and shelf.unread > 0)


def _counted(workspace: Workspace, hits: Sequence[FactHit], now: datetime, notices: list[str]) -> Plan:
    try:
        with workspace.lock():
            plan = load(workspace).accessed(workspace, [hit.name for hit in hits], now)
            workspace.commit(plan)
    except (Locked, StaleWrite, Unwritable) as error:
        notices.append(f"{error}; that these facts were asked for was not counted")
        return ()
    return plan
