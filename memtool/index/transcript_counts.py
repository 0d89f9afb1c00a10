"""How many turns an index of transcripts holds of each day, and how many messages and bytes they are."""

from __future__ import annotations

from memtool.index.engine import breaking
from memtool.index.transcripts import Transcripts


def by_day(index: Transcripts) -> list[tuple[str, int, int, int]]:
    """For each day: its name (empty where no turn says one), turns, messages, and bytes of their files."""
    with breaking():
        rows = index.db.execute(
            "SELECT coalesce(day, ''), count(*), sum(messages), sum(size) FROM turn "
            "WHERE seq IS NOT NULL GROUP BY day ORDER BY day"
        )
        return [(str(day), int(turns), int(messages), int(size)) for day, turns, messages, size in rows]
