"""next-run: a mark that the agent's next run starts with an empty conversation."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.core.records.turn import format_moment
from memtool.formats.syntax import json_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace


class NextRunState(Struct, frozen=True):
    """Whether the next run starts with an empty conversation, and the compaction that requested it."""

    is_fresh: bool
    request: str | None = None
    plan: Plan = ()


def mark_plan(workspace: Workspace, request: str, now: datetime, *, group: str | None = None) -> Plan:
    """The plan that marks the next run as fresh; call it under the lock."""
    path = workspace.layout.path("next-run", group=group)
    document = workspace.read(path)
    if document is not None and _request(document.text) == request:
        return ()
    text = json_text.dump({"fresh": True, "request": request, "at": format_moment(now)})
    return (Create(path, text) if document is None else Replace(path, text, document.etag),)


@retry_when_stale
def next_run(workspace: Workspace, *, take: bool = False, group: str | None = None) -> NextRunState:
    """Read the mark; with `take` remove it, because the run starts now.

    A mark that cannot be parsed counts. Raises Locked, StaleWrite, Unwritable, BadUsage.
    """
    path = workspace.layout.path("next-run", group=group)
    if not take:
        document = workspace.read(path)
        return NextRunState(document is not None, _request(document.text) if document else None)
    with workspace.lock():
        document = workspace.read(path)
        if document is None:
            return NextRunState(is_fresh=False)
        plan: Plan = (Remove(path, document.etag),)
        workspace.commit(plan)
    return NextRunState(is_fresh=True, request=_request(document.text), plan=plan)


def _request(text: str) -> str | None:
    try:
        record = json_text.loads(text)[0]
    except json_text.InvalidJson:
        return None
    request = record.get("request") if isinstance(record, dict) else None
    return request if isinstance(request, str) else None
