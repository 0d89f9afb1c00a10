"""Reading a turn file: a current turn, an upgraded one, one of a newer version, or unreadable."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.history.upgrade import Newer, Unreadable, Upgraded, upgrade
from memtool.core.records.turn import Turn
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text


class Current(Struct, frozen=True):
    """A turn of the current version, in canonical form."""

    turn: Turn


Outcome = Current | Upgraded | Newer | Unreadable


def read_turn(content: bytes) -> Outcome:
    """Read the bytes of a turn file. Never raises."""
    try:
        record = json_text.load(content)
    except json_text.NotJson as error:
        return Unreadable(str(error))
    if turn_format.fault(record) is None:
        return Current(turn_format.read(record))
    return upgrade(record)
