"""episodes: the arcs of sessions, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.turn import moment_of
from memtool.errors import Unreadable
from memtool.formats import episode
from memtool.formats.episode import Arc
from memtool.store.workspace import Workspace


class Episode(Struct, frozen=True):
    """An episode: where it lies, of which day, what it says of itself, and its summary."""

    path: PurePosixPath
    day: date | None
    arc: Arc
    text: str


def episodes(workspace: Workspace, notices: list[str], *, of: str = "") -> Iterator[Episode]:
    """Every arc, the newest first; what cannot be read is named in `notices`.

    Of one day the session that ended last comes first. With `of` only those with this in their file's name.
    """
    folder = workspace.layout.folder("episode")
    found = workspace.disk.folder(folder)
    located = ((name, workspace.located(str(folder / name))) for name in (found.files if found else ()))
    days: dict[date | None, list[str]] = {}
    for name, at in located:
        if at is not None and at.role == "episode" and of in name:
            days.setdefault(at.day, []).append(name)
    for day in sorted(days, key=lambda one: one or date.min, reverse=True):
        read = [_read(workspace, folder / name, day, notices) for name in sorted(days[day])]
        yield from sorted((one for one in read if one is not None), key=_ended, reverse=True)


def _read(workspace: Workspace, path: PurePosixPath, day: date | None, notices: list[str]) -> Episode | None:
    try:
        document = workspace.read(path)
    except Unreadable as error:
        notices.append(str(error))
        return None
    if document is None:
        return None
    page = episode.parse(document.text)
    return Episode(path, day, episode.arc(page), page.body.strip())


def _ended(one: Episode) -> tuple[float, str]:
    moment = moment_of(one.arc.ended)
    return moment.timestamp() if moment else 0.0, str(one.path)
