"""episodes: read the summaries of sessions, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.turn import parse_moment
from memtool.errors import UnreadableFile
from memtool.formats import episode
from memtool.formats.episode import EpisodeMetadata
from memtool.store.workspace import Workspace


class StoredEpisode(Struct, frozen=True):
    """A stored episode: its path, its day, its header and the summary."""

    path: PurePosixPath
    day: date | None
    header: EpisodeMetadata
    text: str


def list_episodes(
    workspace: Workspace, notices: list[str], *, name_part: str = ""
) -> Iterator[StoredEpisode]:
    """Every episode, newest first; files that cannot be read are named in `notices`.

    Within a day the session that ended last comes first. `name_part` limits them to file names that contain
    it.
    """
    root = workspace.layout.folder("episode")
    folder = workspace.disk.list_folder(root)
    days: dict[date | None, list[str]] = {}
    for name in folder.files if folder else ():
        place = workspace.role_of(str(root / name))
        if place is not None and place.role == "episode" and name_part in name:
            days.setdefault(place.day, []).append(name)
    for day in sorted(days, key=lambda day: day or date.min, reverse=True):
        read = [_read(workspace, root / name, day, notices) for name in sorted(days[day])]
        yield from sorted((stored for stored in read if stored is not None), key=_end_of, reverse=True)


def _read(
    workspace: Workspace, path: PurePosixPath, day: date | None, notices: list[str]
) -> StoredEpisode | None:
    try:
        document = workspace.read(path)
    except UnreadableFile as error:
        notices.append(str(error))
        return None
    if document is None:
        return None
    parsed = episode.parse(document.text)
    return StoredEpisode(path, day, episode.metadata(parsed), parsed.body.strip())


def _end_of(stored: StoredEpisode) -> tuple[float, str]:
    ended = parse_moment(stored.header.ended)
    return ended.timestamp() if ended else 0.0, str(stored.path)
