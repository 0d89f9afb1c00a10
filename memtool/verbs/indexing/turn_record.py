"""Turn files as the index of transcripts takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from memtool.core.history.upgrade import Upgraded
from memtool.core.records.message_text import spoken
from memtool.core.records.turn import Message, Turn
from memtool.errors import Unreadable
from memtool.index.engine import Stamp
from memtool.index.freshness import is_racy
from memtool.index.transcripts.transcripts import Speech, TurnRecord
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turn_look import Look
from memtool.verbs.indexing.turn_view import TurnView
from memtool.verbs.turns.turn_file import Current, read_turn


def records(
    workspace: Workspace,
    found: Look,
    view: TurnView,
    progress: Callable[[int, int], None] | None,
    same: dict[int, Stamp] | None = None,
) -> Iterator[TurnRecord]:
    """The turns that must be read, one by one; of what is as it was, the new stamp in `same`.

    What cannot be read is counted in the view and named, and its folder is looked at again the next time.
    """
    done, count = 0, found.count
    for folder, files in found.read.items():
        group = _group(workspace, folder)
        for name, stat, content in workspace.disk.files(PurePosixPath(folder), files):
            done += 1
            if progress is not None:
                progress(done, count)
            if isinstance(content, Unreadable) or stat is None:
                view.notices.append(str(content))
                view.unread += 1
                found.folders.pop(folder, None)
                continue
            stamp = Stamp.of(stat, found.at_ns, etag_of(content))
            known = files[name]
            if same is not None and known is not None and known.stamp.etag == stamp.etag:
                if not is_racy(stat, found.at_ns):  # else it would be as doubtful as before
                    same[known.id] = stamp
                continue
            yield record_of(folder, name, stamp, group, content)


def _group(workspace: Workspace, folder: str) -> str:
    layout = workspace.layout
    parts = PurePosixPath(folder).parts
    return parts[1] if layout.groups is not None and parts[:1] == (layout.groups,) else ""


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
                session_of(turn),
                tuple(Speech(one.role, spoken(one), name_of(one)) for one in turn.messages),
            )
        case _:
            return TurnRecord(
                folder, name, stamp, group, speeches=(Speech("", content.decode("utf-8", "replace")),)
            )


def session_of(turn: Turn) -> str:
    """The session that a turn is of, as it says itself or its source does; empty where neither does."""
    source = turn.more.get("source")
    found = turn.more.get("session") or (source.get("session") if isinstance(source, dict) else None)
    return found if isinstance(found, str) else ""


def name_of(message: Message) -> str:
    """Who spoke, where the message says so beside its role."""
    name = message.more.get("name")
    return name if isinstance(name, str) else ""


def origin_of(turn: Turn) -> str | None:
    """Where an imported turn is from, as one text; None for a turn of our own."""
    source = turn.more.get("source")
    if not isinstance(source, dict):
        return None
    from memtool.transcripts.foreign import Origin

    return Origin(*(str(source.get(key, "")) for key in ("agent", "session", "id"))).key
