"""A turn file as the index of transcripts takes it."""

from __future__ import annotations

from memtool.core.spoken import spoken
from memtool.core.turn import Turn
from memtool.core.upgrade import Upgraded
from memtool.index.engine import Stamp
from memtool.index.transcripts import TurnRecord
from memtool.transcripts.foreign import Origin
from memtool.verbs.turn_file import Current, read_turn


def record_of(folder: str, name: str, stamp: Stamp, group: str, content: bytes) -> TurnRecord:
    """A turn file as the index takes it; one that is no turn is found by its text as it stands."""
    match read_turn(content):
        case Current(turn) | Upgraded(turn):
            return TurnRecord(
                folder,
                name,
                stamp,
                group,
                turn.seq,
                turn.created_at,
                turn.at.date().isoformat(),
                origin_of(turn),
                tuple((one.role, spoken(one)) for one in turn.messages),
            )
        case _:
            return TurnRecord(
                folder, name, stamp, group, speeches=(("", content.decode("utf-8", "replace")),)
            )


def origin_of(turn: Turn) -> str | None:
    """Where an imported turn is from, as one text; None for a turn of our own."""
    source = turn.more.get("source")
    if not isinstance(source, dict):
        return None
    return Origin(*(str(source.get(key, "")) for key in ("agent", "session", "id"))).key
