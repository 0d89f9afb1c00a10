"""stats: count files, entries and bytes by role and day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, tzinfo
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.tokens import estimate_tokens
from memtool.core.history.memory_counts import MemoryCount, MemoryCounts
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.errors import MemtoolError
from memtool.formats.entry_dates import entry_days
from memtool.store.files.listing import list_tree
from memtool.store.files.posix import encode
from memtool.verbs.history.turn_counts import count_turns
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.history import history_groups

_TURN = "turn"


class WorkspaceStats(Struct, frozen=True):
    """The counts by role and day in the order of the layout, and a sentence for each unreadable file."""

    counts: MemoryCounts
    unread: tuple[str, ...]


def stats(
    turn_index: TurnSync,
    zone: tzinfo = UTC,
    progress: Callable[[int, int], None] | None = None,
    scope: Scope = WHOLE_WORKSPACE,
) -> WorkspaceStats:
    """Count every file with a role. A file belongs to the day in its path, an entry to its own day, if any.

    What the owners of the scope may not see is not counted.

    Days are those of the zone, also for turns, whose folders are named for days in UTC. Turns are counted
    from the index if it is fresh, and otherwise read. Nothing is written.
    """
    workspace = turn_index.workspace.seen_by(scope.owners)
    layout = workspace.layout
    turns = {str(layout.folder(_TURN, group=group)) for group in history_groups(workspace)}
    files_listed = list_tree(
        workspace.root,
        lambda folder: folder not in turns and layout.can_contain_roles(folder),
        linked=workspace.disk.linked,
    )
    unread = [
        f"{path or 'the workspace root'} could not be listed: {why}" for path, why in files_listed.unreadable
    ]
    counts: dict[tuple[str, date | None], MemoryCount] = {}
    for path in sorted(files_listed.files):
        located = workspace.role_of(path)
        if located is None or located.role == _TURN:
            continue
        try:
            content = workspace.disk.read_shown(PurePosixPath(path))
        except MemtoolError as error:
            unread.append(str(error))
            continue
        if content is not None:
            text = content.decode("utf-8", "surrogateescape")
            for day, count in _count_file(located.place.format, located.role, located.day, text, zone):
                key = (located.role, day)
                counts[key] = counts.get(key, MemoryCount()) + count
    for day, count in count_turns(turn_index, zone, unread, progress, scope).items():
        counts[_TURN, day] = count
    role_order = [place.role for place in layout.places]
    rows = sorted(counts, key=lambda key: (role_order.index(key[0]), key[1] or date.min))
    return WorkspaceStats({key: counts[key] for key in rows}, tuple(dict.fromkeys(unread)))


def _count_file(
    form: str, role: str, day: date | None, text: str, zone: tzinfo
) -> Iterator[tuple[date | None, MemoryCount]]:
    """Yield the count of a file, and one for each day of its dated entries."""
    entries_by_day = Counter(entry_days(form, role, text, zone))
    undated = entries_by_day.pop(None, 0)
    yield day, MemoryCount(1, len(encode(text)), undated, estimate_tokens(text))
    for entry_day, number in entries_by_day.items():
        yield day or entry_day, MemoryCount(entries=number)
