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
from memtool.formats.syntax.frontmatter import MarkdownFile
from memtool.store.workspace import Workspace

_RECENT = 50
"""The newest episodes by name: that of the session that ended last is among them, resumed or not."""


class StoredEpisode(Struct, frozen=True):
    """A stored episode: its path, the day in it, its header, the summary, and the file as it was read."""

    path: PurePosixPath
    day: date | None
    header: EpisodeMetadata
    text: str
    file: MarkdownFile
    etag: str

    @property
    def last_day(self) -> date | None:
        """The day on which the session ended: a session that was resumed keeps the file of its first end."""
        ended = parse_moment(self.header.ended)
        return ended.date() if ended and (self.day is None or ended.date() > self.day) else self.day


def list_episodes(
    workspace: Workspace, notices: list[str], *, name_part: str = ""
) -> Iterator[StoredEpisode]:
    """Every episode, newest first; files that cannot be read are named in `notices`.

    The session that ended last comes first, among the newest by name; of older ones, that of the later day.
    `name_part` limits them to file names that contain it.
    """
    root = workspace.layout.folder("episode")
    folder = workspace.disk.list_folder(root)
    days: dict[date | None, list[str]] = {}
    for name in folder.files if folder else ():
        place = workspace.role_of(str(root / name))
        if place is not None and place.role == "episode" and name_part in name:
            days.setdefault(place.day, []).append(name)
    recent: list[StoredEpisode] = []
    newest_first = iter(sorted(days, key=lambda day: day or date.min, reverse=True))
    for day in newest_first:
        recent += _read_day(workspace, root, day, days[day], notices)
        if len(recent) >= _RECENT:
            break
    yield from sorted(recent, key=_end_of, reverse=True)
    for day in newest_first:
        yield from sorted(_read_day(workspace, root, day, days[day], notices), key=_end_of, reverse=True)


def ended_since(workspace: Workspace, path: PurePosixPath, since: date) -> bool:
    """Whether the session of an episode ended on this day or later."""
    stored = _read(workspace, path, None, [])
    return stored is not None and stored.last_day is not None and stored.last_day >= since


def _read_day(
    workspace: Workspace, root: PurePosixPath, day: date | None, names: list[str], notices: list[str]
) -> list[StoredEpisode]:
    read = (_read(workspace, root / name, day, notices) for name in sorted(names))
    return [stored for stored in read if stored is not None]


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
    header = episode.metadata(parsed)
    return StoredEpisode(path, day, header, parsed.body.strip(), parsed, document.etag)


def _end_of(stored: StoredEpisode) -> tuple[date, float, str]:
    ended = parse_moment(stored.header.ended)
    return stored.last_day or date.min, ended.timestamp() if ended else 0.0, str(stored.path)
