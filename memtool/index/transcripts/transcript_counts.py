"""How many turns an index of transcripts holds, when they were, and how many messages and bytes they are."""

from __future__ import annotations

from memtool.index.engine import breaking
from memtool.index.transcripts.transcripts import Transcripts, named


def by_folder(index: Transcripts) -> list[tuple[str, int, int, int]]:
    """For each folder: its path, how many turns it has, their messages, and the bytes of their files."""
    with breaking():
        rows = index.db.execute(
            "SELECT folder, count(*), sum(messages), sum(size) FROM turn "
            "WHERE seq IS NOT NULL GROUP BY folder ORDER BY folder"
        )
        return [(named(path), int(turns), int(messages), int(size)) for path, turns, messages, size in rows]


def by_turn(index: Transcripts) -> list[tuple[str, str, int, int]]:
    """For each turn: the path of its folder, when it was, its messages, and the bytes of its file."""
    with breaking():
        rows = index.db.execute("SELECT folder, created_at, messages, size FROM turn WHERE seq IS NOT NULL")
        return [(named(path), str(at or ""), int(count), int(size)) for path, at, count, size in rows]
