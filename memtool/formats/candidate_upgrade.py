"""Old candidates: the shapes in which CoALA held candidates before each became a line of its own.

A session's buffer was one JSON object with a list for each lane, and a candidate had a `layer` and its
content in a `payload`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

BUFFER_LISTS = ("semantic_candidates", "procedural_candidates")
_RENAMED_KEYS = {
    "layer": "lane",
    "evidence_quotes": "evidence",
    "source_session_id": "session",
    "source_turn_index": "turn",
    "policy_recommendation": "action",
    "recommendation": "action",
    "created_at": "at",
}
_OLD_KEYS = frozenset(
    {"layer", "evidence_quotes", "source_session_id", "source_turn_index", "policy_recommendation"}
)


def is_old_buffer(value: Any) -> bool:
    """Whether a JSON value is an old session buffer: an object with lists of candidates."""
    return isinstance(value, dict) and any(isinstance(value.get(name), list) for name in BUFFER_LISTS)


def upgrade_buffer(value: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Each candidate of an old buffer, upgraded, and as the buffer has it."""
    for name in BUFFER_LISTS:
        rows = value.get(name)
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                lane = {} if "layer" in row or "lane" in row else {"layer": name.partition("_")[0]}
                yield upgrade_candidate({**row, **lane}), row
            else:
                yield {}, row


def is_old_candidate(value: Any) -> bool:
    """Whether a line of a buffer is a candidate in an old shape."""
    return isinstance(value, dict) and not _OLD_KEYS.isdisjoint(value)


def upgrade_candidate(value: Mapping[str, Any]) -> dict[str, Any]:
    """A candidate in the current shape; unknown keys are preserved."""
    payload = value.get("payload")
    record: dict[str, Any] = {}
    for key, field in {**(payload if isinstance(payload, dict) else {}), **value}.items():
        if key not in {"payload", "candidate_type", "explicitness"}:
            record.setdefault(_RENAMED_KEYS.get(key, key), field)
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
    """`Person:Sarah` for an entity given as an object with its type and identifier."""
    if not isinstance(value, dict):
        return value
    kind, name = str(value.get("type") or ""), str(value.get("identifier") or value.get("id") or "")
    return kind if not name or name.casefold() == kind.casefold() else f"{kind}:{name}" if kind else name
