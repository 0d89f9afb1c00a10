"""`memory_save`: saves a fact for later sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memtool.serve.mcp.argument import Argument, Text
from memtool.serve.mcp.desk import Desk
from memtool.serve.mcp.tool import WRITES, Reply, Tool
from memtool.verbs.facts.save import LONGEST, save

ARGUMENTS = (
    Argument(
        "content",
        Text(LONGEST),
        f"One fact in one sentence that stands by itself; up to {LONGEST:,} characters.",
        required=True,
        others=("text", "fact", "memory", "value"),
    ),
    Argument(
        "category",
        Text(60),
        "What it is a fact of, such as preference, goal or context; found by itself if left out.",
    ),
    Argument(
        "key",
        Text(200),
        "What it is kept under, such as home_city: the next fact with this key replaces it.",
    ),
)


def call(desk: Desk, given: Mapping[str, Any]) -> Reply:
    """Do what `memtool save` does."""
    desk.write_group()
    workspace = desk.workspace
    saved = save(
        workspace,
        given["content"],
        desk.fact_shelf(),
        at=desk.now.astimezone(desk.zone),
        owner=desk.owner,
        category=given["category"],
        key=given["key"],
    )
    status = saved.effect if workspace.writes else "incognito"
    data = {"status": status, "id": saved.id, "category": saved.category, "path": str(saved.path)}
    return Reply(json.dumps(data, ensure_ascii=False), data)


TOOL = Tool(
    "memory_save",
    "Save a fact",
    "Save one durable fact (a preference, decision, name, date, setting) so that later sessions know it. "
    "What memory knows already is not written twice; secrets are redacted. status is written, updated, "
    "merged or known (incognito: nothing was written).",
    ARGUMENTS,
    call,
    at_hand=True,
    lane=WRITES,
    writes=True,
    needs="semantic",
    for_groups=False,
    answer={
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["written", "updated", "merged", "known", "incognito"]},
            "id": {"type": "string"},
            "category": {"type": "string"},
            "path": {"type": "string"},
        },
        "required": ["status", "id", "category", "path"],
        "additionalProperties": False,
    },
)
