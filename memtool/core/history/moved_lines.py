"""Lines that later commits moved to another file, such as the entries of a session that has ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memtool.core.history.journal import (
    BLANK_LINES,
    Appended,
    CommitRecord,
    Created,
    Moved,
    Removed,
    Replaced,
    line_digest,
    removed_text,
    touched_paths,
)

_NOWHERE = ""
Origin = tuple[str, str]
"""A path, and the id of the commit that wrote lines there."""
Place = tuple[str, str]
"""A path, and the digest of a line there."""


class LaterMoves(NamedTuple):
    """What later commits, which are not undone, did with the lines that some commits wrote.

    `moved` are the digests of the lines by the path where they are now, if all lines of a commit left its
    file for others. `split` are the commits of which only some lines did, or whose lines took the place of
    older ones, and `removed` those of which a line was removed.
    """

    moved: dict[Origin, dict[str, set[str]]]
    split: set[Origin]
    removed: set[Origin]


def later_moves(
    titles: Mapping[str, Collection[str]],
    records: Sequence[CommitRecord],
    newest_first: Iterable[CommitRecord],
) -> LaterMoves:
    """Follow the lines that these commits wrote to the paths of `titles` through the later commits.

    A line moved if the commit that removed it wrote an equal line to another file. The digests of `titles`
    are of lines that stay where the commit made the file. Blank lines do not count.
    """
    lines_of = {
        (path, record.id): digests
        for path, title in titles.items()
        for record in records
        if (digests := _written(path, record, title))
    }
    moves = LaterMoves({}, set(), set())
    if not lines_of:
        return moves
    places: dict[Place, list[Origin]] = {}
    own_ids = {record.id for record in records}
    for record in reversed([*_effective(newest_first, set(own_ids))]):
        if record.id not in own_ids:
            _follow(record, places)
        for origin in ((path, record.id) for path in titles):
            for digest in lines_of.get(origin, ()):
                places.setdefault((origin[0], digest), []).append(origin)
    additions = {(path, record.id) for path, _ in lines_of for record in records if _only_adds(path, record)}
    for origin, digests in lines_of.items():
        now = {place for place, origins in places.items() if origin in origins}
        elsewhere = {place for place in now if place[0] not in {origin[0], _NOWHERE}}
        if any(path == _NOWHERE for path, _ in now):
            moves.removed.add(origin)
        if elsewhere and (len(elsewhere) < len(digests) or origin not in additions):
            moves.split.add(origin)
        elif elsewhere:
            moves.moved[origin] = {
                path: {digest for other, digest in elsewhere if other == path} for path, _ in elsewhere
            }
    return moves


def without_lines(content: bytes | None, digests: Collection[str]) -> bytes | None:
    """The content without the lines with these digests; None unless it has each of them once."""
    lines = [(line, line_digest(line)) for line in (content or b"").splitlines(keepends=True)]
    if sorted(digest for _, digest in lines if digest in digests) != sorted(digests):
        return None
    return b"".join(line for line, digest in lines if digest not in digests)


def _written(path: str, record: CommitRecord, title: Collection[str]) -> set[str]:
    """The digests of the new lines of a commit in a file, without those of the title of a new file."""
    return {
        mark.digest
        for step in record.steps
        if isinstance(step, Created | Appended | Replaced) and step.path == path
        if step.written and step.written.is_whole
        for mark in step.written.new
        if mark.digest not in BLANK_LINES and not (isinstance(step, Created) and mark.digest in title)
    }


def _only_adds(path: str, record: CommitRecord) -> bool:
    """Whether a commit did no more to a file than add lines."""
    for step in record.steps:
        if path not in touched_paths(step) or isinstance(step, Created | Appended):
            continue
        removed = removed_text(step) if isinstance(step, Replaced) else None
        if removed is None or removed.strip():
            return False
    return True


def _effective(newest_first: Iterable[CommitRecord], remaining: set[str]) -> Iterator[CommitRecord]:
    """The commits down to the last of `remaining`, without undos and what these undid."""
    undone = set[str]()
    for record in newest_first:
        if record.id in remaining:
            remaining.remove(record.id)
            yield record
        elif record.run in undone or record.undoes:
            undone.update(record.undoes if record.done and record.run not in undone else ())
        else:
            yield record
        if not remaining:
            return


def _follow(record: CommitRecord, places: dict[Place, list[Origin]]) -> None:
    """Update the places of lines by what a commit did."""
    targets: dict[str, str] = {}
    for step in record.steps:
        if isinstance(step, Created | Appended | Replaced) and step.written:
            for mark in step.written.new:
                is_same = targets.get(mark.digest, step.path) == step.path
                targets[mark.digest] = step.path if is_same else _NOWHERE
    for step in record.steps:
        here = [place for place in places if place[0] == step.path]
        match step:
            case Replaced():
                gone = {*map(line_digest, (removed_text(step) or b"").splitlines(keepends=True))}
                new = {place: targets.get(place[1], _NOWHERE) for place in here if place[1] in gone}
            case Moved(target=target):
                new = {
                    place: target if all(origin[0] != step.path for origin in places[place]) else _NOWHERE
                    for place in here
                }
            case Removed():
                new = dict.fromkeys(here, _NOWHERE)
            case _:
                continue
        for place, path in new.items():
            origins = places.pop(place)
            places.setdefault((path, place[1]), []).extend(origins)
