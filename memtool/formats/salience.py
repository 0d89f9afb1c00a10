"""Salience file: how often and how recently each fact was accessed, by the fact's id."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.facts.salience import MIN_DECAY, Salience
from memtool.core.records.turn import format_moment, parse_moment
from memtool.core.text.record_merge import merge_mapping
from memtool.errors import UnreadableFile
from memtool.formats.syntax import json_text

_FIELDS = {"accesses", "last_accessed", "decay", "last_decayed"}
_MAX_COUNT = 2**53


class SalienceFile(Struct, frozen=True):
    """The salience of each fact that was accessed or has decayed; `more` holds unknown keys."""

    facts: Mapping[str, Salience] = field(default_factory=dict)
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def parse(text: str) -> SalienceFile:
    """Read a salience file. Raises UnreadableFile; without the file no fact counts as accessed."""
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"the salience file {error}") from error
    if reason := invalid_reason(value):
        raise UnreadableFile(f"the salience file {reason}")
    facts = {name: _salience(entry) for name, entry in value.items()}
    more = {
        name: {key: entry for key, entry in entry.items() if key not in _FIELDS}
        for name, entry in value.items()
    }
    return SalienceFile(facts, {name: entry for name, entry in more.items() if entry})


def invalid_reason(record: Any) -> str | None:
    """Why a record is not a valid salience file; None if it is one."""
    if type(record) is not dict:
        return "is not a JSON object"
    for name, entry in record.items():
        if type(entry) is not dict:
            return f"has an entry {name!r} that is not a JSON object"
        accesses, decay = entry.get("accesses"), entry.get("decay")
        if not _is_whole(accesses):
            return _needed("accesses", name, "a whole number")
        if "last_accessed" not in entry or not _is_moment(entry["last_accessed"]):
            return _needed("last_accessed", name, "an RFC 3339 time or null")
        if not _is_fraction(decay):
            return _needed("decay", name, f"a number from {MIN_DECAY} to 1")
        if not _is_moment(entry.get("last_decayed")):
            return _needed("last_decayed", name, "an RFC 3339 time")
    return None


def _needed(key: str, name: str, kind: str) -> str:
    return f"has no valid {key!r} for {name!r} ({kind})"


def render(file: SalienceFile) -> str:
    """The file's text; `parse(render(file)) == file`."""
    return json_text.dump(record(file))


def merge(base: str, ours: str, theirs: str) -> str:
    """The text of the merged salience; raises UnreadableFile where a version cannot be read."""
    return render(merge_files(parse(base) if base else SalienceFile(), parse(ours), parse(theirs)))


def merge_files(base: SalienceFile, ours: SalienceFile, theirs: SalienceFile) -> SalienceFile:
    """The salience of two versions of a base; a fact that either side removed has none.

    Accesses are the greater number, and the decay is that of the side that was accessed, then decayed, last.
    """
    facts = dict(sorted(merge_mapping(dict.fromkeys(base.facts), ours.facts, theirs.facts, _join).items()))
    more = merge_mapping(dict.fromkeys(base.more), ours.more, theirs.more, _join_unknown)
    return SalienceFile(facts, {name: keys for name, keys in more.items() if name in facts})


def record(file: SalienceFile) -> dict[str, Any]:
    """The salience file as a JSON record."""
    return {name: {**_record(salience), **file.more.get(name, {})} for name, salience in file.facts.items()}


def _salience(entry: Mapping[str, Any]) -> Salience:
    last, decayed = _moment(entry["last_accessed"]), _moment(entry.get("last_decayed"))
    return Salience(int(entry["accesses"]), last, float(entry["decay"]), decayed)


def _join(left: Salience, right: Salience) -> Salience:
    latest = max(left, right, key=_recency)
    return replace(latest, accesses=max(left.accesses, right.accesses))


def _recency(salience: Salience) -> tuple[datetime, datetime, float]:
    never = datetime.min.replace(tzinfo=UTC)
    return salience.last_accessed or never, salience.last_decayed or never, -salience.decay


def _join_unknown(left: Mapping[str, Any], right: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(sorted(merge_mapping({}, left, right, _greater_text).items()))


def _greater_text(one: Any, other: Any) -> Any:
    return max(one, other, key=json_text.dump_line)


def _moment(value: str | None) -> datetime | None:
    moment = parse_moment(value) if value else None
    # the precision of the file is a millisecond
    return moment and moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _record(salience: Salience) -> dict[str, Any]:
    last = None if salience.last_accessed is None else format_moment(salience.last_accessed)
    record = {"accesses": salience.accesses, "last_accessed": last, "decay": salience.decay}
    if salience.last_decayed is None:
        return record
    return {**record, "last_decayed": format_moment(salience.last_decayed)}


def _is_whole(value: Any) -> bool:
    return (type(value) is int or (type(value) is float and value.is_integer())) and 0 <= value <= _MAX_COUNT


def _is_fraction(value: Any) -> bool:
    return type(value) in {int, float} and MIN_DECAY <= value <= 1


def _is_moment(value: Any) -> bool:
    return value is None or (type(value) is str and parse_moment(value) is not None)
