"""Hits in transcripts: messages that answer, and the replies to them, as they are read from the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.turn import ASSISTANT, USER
from memtool.index.database import decode_path, encode_path

if TYPE_CHECKING:
    import apsw

HIT_COLUMNS = (
    "t.etag, t.folder, t.name, m.number, m.speaker, coalesce(m.name, ''), t.seq, t.created_at, t.day, t.grp"
)
"""The columns of a hit, in the order of `TranscriptHit`, which has its score after the speaker's name."""


class TranscriptHit(Struct, frozen=True):
    """A message that answers: message `number` (from 0) of a turn, whose file had this etag when it was read.

    Of a file that is no turn, `seq` is None, and its whole text is one message.
    """

    etag: str
    folder: str
    name: str
    number: int
    speaker: str
    speaker_name: str
    score: float
    seq: int | None
    created_at: str
    day: str
    group: str
    has_term: bool = True
    """Whether it contains a term of the query, and not only messages around it."""
    reply: TranscriptHit | None = None
    """The first message with which an assistant replies to this one, where replies are asked for."""

    @property
    def path(self) -> str:
        """The file's path, relative to the root."""
        return f"{self.folder}/{self.name}"


def read_replies(db: apsw.Connection, hits: Sequence[TranscriptHit]) -> list[TranscriptHit]:
    """The hits, each of a user with the first message of an assistant after it.

    That is in the same turn or in the next of its session.
    """
    places = [number for number, hit in enumerate(hits) if hit.speaker == USER and hit.seq is not None]
    values: list[Any] = []
    for place in places:
        hit = hits[place]
        values += place, hit.seq, encode_path(hit.group), hit.number
        values += encode_path(hit.folder), encode_path(hit.name)
    if not places:
        return [*hits]
    rows: Any = db.execute(
        "WITH hit(place, seq, grp, number, folder, name) AS"  # noqa: S608
        f" (VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * len(places))})"
        f" SELECT hit.place, {HIT_COLUMNS} FROM hit JOIN message m ON m.id = (SELECT m.id"
        " FROM turn t JOIN message m ON m.turn = t.id"
        " WHERE t.seq IN (hit.seq, hit.seq + 1) AND t.grp = hit.grp"
        " AND (t.seq > hit.seq OR m.number > hit.number) AND m.speaker != 'tool' AND (t.session, t.owner)"
        " = (SELECT session, owner FROM turn WHERE folder = hit.folder AND name = hit.name)"
        " ORDER BY t.seq, m.number LIMIT 1) JOIN turn t ON t.id = m.turn",
        values,
    )
    replies = {place: read_hit(row, 0.0) for place, *row in rows}
    return [
        replace(hit, reply=reply)
        if (reply := replies.get(place)) is not None and reply.speaker == ASSISTANT
        else hit
        for place, hit in enumerate(hits)
    ]


def read_hit(row: Sequence[Any], score: float, *, has_term: bool = True) -> TranscriptHit:
    """A row of the columns `HIT_COLUMNS` as a hit."""
    etag, folder, name, number, speaker, called, seq, created_at, day, group = row
    return TranscriptHit(
        etag,
        decode_path(folder),
        decode_path(name),
        number,
        speaker,
        called,
        score,
        seq,
        created_at,
        day,
        group,
        has_term=has_term,
    )
