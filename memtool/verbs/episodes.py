"""episodes: the arcs of sessions, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from memtool.errors import Unreadable
from memtool.formats import episode
from memtool.formats.episode import Arc
from memtool.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode: where it lies, of which day, what it says of itself, and its summary."""

    path: PurePosixPath
    day: date | None
    arc: Arc
    text: str


def episodes(workspace: Workspace, notices: list[str]) -> Iterator[Episode]:
    """Every arc, the newest first; what cannot be read is named in `notices`."""
    folder = workspace.layout.folder("episode")
    found = workspace.disk.folder(folder)
    for name in sorted(found.files if found else (), reverse=True):
        located = workspace.located(str(folder / name))
        if located is None or located.role != "episode":
            continue
        try:
            document = workspace.read(folder / name)
        except Unreadable as error:
            notices.append(str(error))
            continue
        if document is None:
            continue
        page = episode.parse(document.text)
        yield Episode(folder / name, located.day, episode.arc(page), page.body.strip())
