"""stats: how much of everything there is, and how it grew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, tzinfo
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.tokens import estimate
from memtool.core.history.count import Count, Counts
from memtool.errors import MemtoolError
from memtool.formats.entries import entries
from memtool.store.files.listing import listing
from memtool.store.files.posix import encode
from memtool.verbs.history.turn_counts import turn_counts
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.history import groups

_TURN = "turn"


class Stats(Struct, frozen=True):
    """The counts by role and day, in the order of the layout; and what could not be read, a sentence each."""

    counts: Counts
    unread: tuple[str, ...]


def stats(shelf: TurnSync, zone: tzinfo = UTC, progress: Callable[[int, int], None] | None = None) -> Stats:
    """Count every file with a role. A file is of the day that its path names, an entry of its own, if any.

    Days are those of the zone, also for turns, whose folders are of days in UTC. Turns are told by the index
    where it is fresh, and else read. Nothing is written.
    """
    workspace = shelf.workspace
    layout = workspace.layout
    turns = {str(layout.folder(_TURN, group=group)) for group in groups(workspace)}
    seen = listing(workspace.root, lambda folder: folder not in turns and layout.enters(folder))
    unread = [f"{path or 'the root'} could not be listed: {why}" for path, why in seen.unreadable]
    found: dict[tuple[str, date | None], Count] = {}
    for path in sorted(seen.files):
        located = workspace.located(path)
        if located is None or located.role == _TURN:
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            unread.append(str(error))
            continue
        if document is not None:
            for day, count in _counted(located.place.format, located.role, located.day, document.text, zone):
                key = (located.role, day)
                found[key] = found.get(key, Count()) + count
    for day, count in turn_counts(shelf, zone, unread, progress).items():
        found[_TURN, day] = count
    order = [place.role for place in layout.places]
    rows = sorted(found, key=lambda key: (order.index(key[0]), key[1] or date.min))
    return Stats({key: found[key] for key in rows}, tuple(dict.fromkeys(unread)))


def _counted(
    form: str, role: str, day: date | None, text: str, zone: tzinfo
) -> Iterator[tuple[date | None, Count]]:
    """What one file comes to: itself, and each entry that has a day of its own."""
    days = Counter(entries(form, role, text, zone))
    own = days.pop(None, 0)
    yield day, Count(1, len(encode(text)), own, estimate(text))
    for entry_day, number in days.items():
        yield day or entry_day, Count(entries=number)
