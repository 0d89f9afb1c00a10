"""Files too large for the index: read through, line by line, at every search."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from pathlib import PurePosixPath

from memtool.core.records.document import Chunk
from memtool.core.search.query import Query
from memtool.core.text.terms import tokens
from memtool.core.text.text import search_fold
from memtool.errors import MemtoolError
from memtool.index.engine import Record, Stamp
from memtool.store.workspace import Workspace

_MOST = 2_000
"""Lines of one file that are ranked: those that hold most of the words, the first of equals."""
_LONGEST = 800


def records(workspace: Workspace, paths: Sequence[str], query: Query, notices: list[str]) -> list[Record]:
    """Of each large file, the lines that can answer a query, ready to be ranked like any other document.

    Memory stays bounded however long the file; a file that cannot be read is named in `notices`.
    """
    wanted = sorted(tokens(search_fold(query.text)))
    found: list[Record] = []
    for path in paths:
        located = workspace.located(path)
        if located is None:
            continue
        notices.append(f"{path} is too large for the index (search.max_file_bytes) and was read through")
        try:
            chunks = _chunks(workspace, path, wanted)
        except MemtoolError as error:
            notices.append(str(error))
            continue
        stamp = Stamp(0, 0, 0, 0, 0, "")
        role, group = located.role, located.group or ""
        found.append(Record(path, stamp, chunks, role=role, group=group, day=located.day))
    return found


def _chunks(workspace: Workspace, path: str, wanted: Sequence[str]) -> tuple[Chunk, ...]:
    best: list[tuple[int, int, str]] = []
    for number, line in workspace.disk.lines(PurePosixPath(path)):
        folded = search_fold(line)
        held = sum(word in folded for word in wanted)
        if held:
            entry = (held, -number, line[:_LONGEST])
            if len(best) < _MOST:
                heapq.heappush(best, entry)
            elif entry > best[0]:
                heapq.heapreplace(best, entry)
    return tuple(Chunk(-minus, -minus, (), line) for _, minus, line in sorted(best, key=lambda one: -one[1]))
