"""Reading a turn file: a current turn, an upgraded one, one of a newer version, or unreadable."""

from __future__ import annotations

from msgspec import Struct

from memtool.core.history.upgrade import NewerTurn, UnreadableTurn, UpgradedTurn, upgrade_turn
from memtool.core.records.turn import CONCURRENT, Turn
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text


class CurrentTurn(Struct, frozen=True):
    """A turn of the current version, in canonical form."""

    turn: Turn


TurnFileContent = CurrentTurn | UpgradedTurn | NewerTurn | UnreadableTurn


def read_turn(content: bytes) -> TurnFileContent:
    """Read the bytes of a turn file. The format can parse each turn that is returned. Never raises."""
    try:
        record = json_text.load(content)
    except json_text.InvalidJson as error:
        return UnreadableTurn(str(error))
    if turn_format.invalid_reason(record) is None:
        return CurrentTurn(turn_format.from_record(record))
    result = upgrade_turn(record)
    if isinstance(result, UpgradedTurn) and CONCURRENT in result.turn.more:  # kept by the upgrade as it was
        reason = turn_format.invalid_reason(turn_format.record(result.turn))
        return UnreadableTurn(reason) if reason else result
    return result
