"""Older candidates: the shapes in which candidates were held before each was a line of its own (CoALA).

A session's buffer was one JSON object with a list for either lane, and a candidate had a `layer` and kept
what it says in a `payload`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

LISTS = ("semantic_candidates", "procedural_candidates")
_RENAMED = {
    "layer": "lane",
    "evidence_quotes": "evidence",
    "source_session_id": "session",
    "source_turn_index": "turn",
    "policy_recommendation": "action",
    "recommendation": "action",
    "created_at": "at",
}
_OLD = frozenset(
    {"layer", "evidence_quotes", "source_session_id", "source_turn_index", "policy_recommendation"}
)


def is_buffer(value: Any) -> bool:
    """Whether a JSON value is a session's buffer as it was: an object that holds candidates in lists."""
    return isinstance(value, dict) and any(isinstance(value.get(name), list) for name in LISTS)


def of_buffer(value: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Each candidate of such a buffer in today's shape, with itself as it stands there."""
    for name in LISTS:
        rows = value.get(name)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                lane = {} if "layer" in row or "lane" in row else {"layer": name.partition("_")[0]}
                yield upgraded({**row, **lane}), row
            else:
                yield {}, row


def is_old(value: Any) -> bool:
    """Whether a line of a buffer is a candidate in an older shape."""
    return isinstance(value, dict) and not _OLD.isdisjoint(value)


def upgraded(value: Mapping[str, Any]) -> dict[str, Any]:
    """A candidate in today's shape; keys that have no meaning today are kept."""
    inner = value.get("payload")
    record: dict[str, Any] = {}
    for key, told in {**(inner if isinstance(inner, dict) else {}), **value}.items():
        if key not in {"payload", "candidate_type", "explicitness"}:
            record.setdefault(_RENAMED.get(key, key), told)
    if record.get("lane") == "semantic":
        record.setdefault("category", value.get("candidate_type"))
        for side in ("subject", "object"):
            record[side] = _entity(record.get(side))
    if record.get("evidence") in (None, []) and (quote := record.pop("evidence_quote", None)):
        record["evidence"] = [quote]
    record.pop("evidence_quote", None)
    if value.get("explicitness") == "explicit":
        record["explicit"] = True
    if "owner" not in record and (owner := record.pop("owner_id", None)):
        record["owner"] = f"user:{owner}"
    return record


def _entity(value: Any) -> Any:
    """`Person:Sarah` of an entity that was told as its type and its identifier."""
    if not isinstance(value, dict):
        return value
    kind, name = str(value.get("type") or ""), str(value.get("identifier") or value.get("id") or "")
    return kind if not name or name.casefold() == kind.casefold() else f"{kind}:{name}" if kind else name
