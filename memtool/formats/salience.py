"""Salience file: how often and how lately each fact was asked for, by the fact's id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from memtool.core.facts.salience import FLOOR, Salience
from memtool.core.records.turn import moment_of, spell
from memtool.errors import Unreadable
from memtool.formats.syntax import json_text

_KNOWN = {"accesses", "last_accessed", "decay"}
_MOST = 2**53


class SalienceFile(Struct, frozen=True):
    """The salience of each fact that was ever asked for, or has faded; `more` holds other keys."""

    facts: Mapping[str, Salience] = field(default_factory=dict)
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def parse(text: str) -> SalienceFile:
    """Read a salience file. Raises Unreadable; without it every fact counts as one nobody asked for."""
    try:
        found = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.NotJson as error:
        raise Unreadable(f"the salience of facts {error}") from error
    if why := fault(found):
        raise Unreadable(f"the salience of facts {why}")
    facts = {name: _salience(one) for name, one in found.items()}
    more = {
        name: {key: held for key, held in one.items() if key not in _KNOWN} for name, one in found.items()
    }
    return SalienceFile(facts, {name: held for name, held in more.items() if held})


def fault(record: Any) -> str | None:
    """What keeps a record from being one of saliences; None where nothing does."""
    if type(record) is not dict:
        return "is not a JSON object"
    for name, one in record.items():
        if type(one) is not dict:
            return f"has for {name!r} what is no JSON object"
        accesses, decay = one.get("accesses"), one.get("decay")
        if not _is_whole(accesses):
            return f"has for {name!r} no count of accesses"
        if "last_accessed" not in one or not _is_moment(one["last_accessed"]):
            return f"has for {name!r} no last_accessed that is a time as in RFC 3339, or null"
        if not _is_share(decay):
            return f"has for {name!r} no decay from {FLOOR} to 1"
    return None


def render(file: SalienceFile) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return json_text.dump(record(file))


def record(file: SalienceFile) -> dict[str, Any]:
    """The saliences as their file says them."""
    return {name: {**_record(one), **file.more.get(name, {})} for name, one in file.facts.items()}


def _salience(one: Mapping[str, Any]) -> Salience:
    last = moment_of(one["last_accessed"]) if one["last_accessed"] else None
    if last is not None:
        last = last.replace(microsecond=last.microsecond // 1000 * 1000)  # as it is written
    return Salience(int(one["accesses"]), last, float(one["decay"]))


def _record(one: Salience) -> dict[str, Any]:
    last = None if one.last_accessed is None else spell(one.last_accessed)
    return {"accesses": one.accesses, "last_accessed": last, "decay": one.decay}


def _is_whole(value: Any) -> bool:
    return (type(value) is int or (type(value) is float and value.is_integer())) and 0 <= value <= _MOST


def _is_share(value: Any) -> bool:
    return type(value) in {int, float} and FLOOR <= value <= 1


def _is_moment(value: Any) -> bool:
    return value is None or (type(value) is str and moment_of(value) is not None)
