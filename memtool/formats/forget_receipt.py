"""Forget receipts: JSON Lines, one a request to forget, with its tombstones; and the file of their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.forgetting.tombstones import ForgetReceipt, Tombstones
from memtool.formats.syntax import json_text

_KINDS = ("users", "sessions", "turns", "user_texts", "texts")
_KEY_BYTES = 32


def record(receipt: ForgetReceipt) -> dict[str, Any]:
    """A receipt as a JSON object; kinds of tombstones that it has none of are left out."""
    tombstones = receipt.tombstones
    digests = {kind: list(values) for kind in _KINDS if (values := getattr(tombstones, kind))}
    phrases = {str(length): list(values) for length, values in sorted(tombstones.phrases.items())}
    return {
        "at": receipt.at,
        "by": receipt.by,
        "key": receipt.key,
        "counts": dict(receipt.counts),
        **({"names": dict(receipt.names)} if receipt.names else {}),
        **({"left": dict(receipt.left)} if receipt.left else {}),
        **({"owner": tombstones.owner} if tombstones.owner else {}),
        **digests,
        **({"phrases": phrases} if phrases else {}),
    }


def render_line(receipt: ForgetReceipt) -> str:
    """A receipt as a line with its newline."""
    return json_text.dump_line(record(receipt))


def parse(text: str) -> Iterator[ForgetReceipt]:
    """The receipts of a file; a line that is none is passed over."""
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.InvalidJson:
            continue
        if isinstance(value, dict) and (receipt := _receipt(value)) is not None:
            yield receipt


def _receipt(value: Mapping[str, Any]) -> ForgetReceipt | None:
    at, by, key, counts = (value.get(name) for name in ("at", "by", "key", "counts"))
    if not (isinstance(at, str) and isinstance(by, str) and isinstance(key, str)):
        return None
    owner = value.get("owner")
    phrases = value.get("phrases")
    by_length = {
        int(length): _texts(digests)
        for length, digests in (phrases.items() if isinstance(phrases, dict) else ())
        if length.isdecimal() and 0 < int(length) < 1000
    }
    digests = {kind: _texts(value.get(kind)) for kind in _KINDS}
    digests["user_texts"] += _texts(value.get("said"))  # its name in receipts of memtool 0.2
    tombstones = Tombstones(
        **digests,
        phrases=by_length,
        owner=owner if isinstance(owner, str) else "",
    )
    named, left = _counts(value.get("names")), _counts(value.get("left"))
    return ForgetReceipt(at, by, key, _counts(counts), tombstones, named, left)


def _counts(value: Any) -> dict[str, int]:
    rows = value.items() if isinstance(value, dict) else ()
    return {role: count for role, count in rows if isinstance(count, int)}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def render_key(key: bytes) -> str:
    """A key as a line of the file of keys."""
    return f"{key.hex()}\n"


def parse_keys(text: str) -> Iterator[bytes]:
    """The keys of a file; a line that is none is passed over."""
    for line in text.split("\n"):
        try:
            key = bytes.fromhex(line.strip())
        except ValueError:
            continue
        if len(key) == _KEY_BYTES:
            yield key
