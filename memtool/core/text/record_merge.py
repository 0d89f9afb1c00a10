"""Three-way merge of records; for one base the order and grouping of merges do not matter."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
NumberedKey = tuple[str, int]


class MergeRecord(Struct, frozen=True):
    """A record of a text: what it is known by, and what is written.

    Of two changed texts of one key the greater by `rank`, then text, is taken. Records that were added at the
    same place are sorted by `order`. `id` names records that are deleted together, whatever they say.
    `blank` is the number of blank lines before it; -1 if that is memtool's to decide.
    """

    key: str
    text: str
    rank: tuple[Any, ...] = ()
    order: tuple[Any, ...] = ()
    id: str = ""
    blank: int = 0


def merge_records(
    base: Sequence[MergeRecord],
    ours: Sequence[MergeRecord],
    theirs: Sequence[MergeRecord],
    *,
    deleted: Collection[str] = (),
) -> list[MergeRecord]:
    """The records of two versions of a base: what either added, without what either deleted.

    Records of the base stay in its order. Records that were added after one of them stay between it and the
    next one that is left, sorted by `order`, then key. A key that occurs several times is as many records;
    copies that were added follow those of the base, and are not there if a side deleted one of these.
    Nor is a record with one of the `deleted` ids. A side that is equal to the base gives the other as it is.
    """
    if list(ours) == list(base) or list(ours) == list(theirs):
        return list(theirs)
    if list(theirs) == list(base):
        return list(ours)
    old, left, right = _numbered(base), _numbered(ours), _numbered(theirs)
    merged = merge_mapping(old, left, right, greater_record)
    merged = {key: record for key, record in merged.items() if record.id not in deleted}
    merged = _without_copies(old, merged)
    place = {key: at for at, key in enumerate(old)}
    kept = sorted(place[key] for key in merged if key in place)
    after = [_places(place, side) for side in (left, right)]
    latest_copy = {key: at for (key, _), at in place.items()}

    def position(key: NumberedKey) -> tuple[Any, ...]:
        if key in place:
            return place[key], 0, 0
        if key[0] in latest_copy:
            return latest_copy[key[0]], 0, key[1]
        latest = max(places[key] for places in after if key in places)
        gap = bisect_right(kept, latest)
        return kept[gap - 1] if gap else -1, 1, merged[key].order, *key

    records = [merged[key] for key in sorted(merged, key=position)]
    if records == list(
        base
    ):  # both sides only changed the order, and the base would be a side without changes
        return max(list(ours), list(theirs), key=lambda side: [record.text for record in side])
    return records


def merge_mapping(
    base: Mapping[Key, Value | None],
    ours: Mapping[Key, Value],
    theirs: Mapping[Key, Value],
    greater: Callable[[Value, Value], Value],
) -> dict[Key, Value]:
    """The members of two versions of a base: what either added or changed, without what either deleted.

    Where both differ from the base and from each other, the value is `greater` of the two, which must be
    commutative, associative and idempotent.
    """
    merged: dict[Key, Value] = {}
    for key in {**ours, **theirs}:
        if key in ours and key in theirs:
            merged[key] = merge_value(base.get(key), ours[key], theirs[key], greater)
        elif key not in base:
            merged[key] = ours[key] if key in ours else theirs[key]
    return merged


def merge_value(
    base: Value | None, ours: Value, theirs: Value, greater: Callable[[Value, Value], Value]
) -> Value:
    """The value that one side changed; `greater` of the two if both did."""
    if theirs in (ours, base):
        return ours
    return theirs if ours == base else greater(ours, theirs)


def merge_versions(base: Iterable[str], ours: Iterable[str], theirs: Iterable[str]) -> set[str]:
    """The versions of one text that either side added to a base, without those that either deleted.

    Where the sides chose different versions of the base, these are left.
    """
    before, left, right = {*base}, {*ours}, {*theirs}
    return (left & right) | ((left ^ right) - before) or left | right


def greater_record(one: MergeRecord, other: MergeRecord) -> MergeRecord:
    """That of two changed texts of one record which is taken."""
    return max(one, other, key=lambda record: (record.rank, record.text, record.blank))


def deleted_ids(*versions: Sequence[MergeRecord]) -> set[str]:
    """The ids of one record of the base of which a side has no record."""
    base, *sides = (Counter(record.id for record in version if record.id) for version in versions)
    return {name for name, count in base.items() if count == 1 and not all(name in side for side in sides)}


def _numbered(records: Sequence[MergeRecord]) -> dict[NumberedKey, MergeRecord]:
    """The records by key and how many of the same key are greater, or equal and before it."""
    equal: dict[str, list[int]] = {}
    for at, record in enumerate(records):
        equal.setdefault(record.key, []).append(at)
    keys: list[NumberedKey] = [("", 0)] * len(records)
    for key, places in equal.items():
        if len(places) > 1:
            places.sort(key=lambda at: (records[at].rank, records[at].text), reverse=True)
        for number, at in enumerate(places):
            keys[at] = key, number
    return dict(zip(keys, records, strict=True))


def _without_copies(
    base: Mapping[NumberedKey, MergeRecord], merged: Mapping[NumberedKey, MergeRecord]
) -> dict[NumberedKey, MergeRecord]:
    """The records without the added copies of records of the base of which one was deleted."""
    deleted = {key for key, _ in base.keys() - merged.keys()}
    return {name: record for name, record in merged.items() if name in base or name[0] not in deleted}


def _places(
    place: Mapping[NumberedKey, int], side: Mapping[NumberedKey, MergeRecord]
) -> dict[NumberedKey, int]:
    """For each record that a side added, the place in the base of the record before it; -1 for none."""
    places, latest = {}, -1
    for key in side:
        if key in place:
            latest = place[key]
        else:
            places[key] = latest
    return places
