"""episodes: the arcs of sessions, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from memtool.errors import Unreadable
from memtool.formats import frontmatter
from memtool.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Episode:
    """One arc: where it lies, of which day, session and owner, what it was about, and its text.

    An owner is empty where the arc names none. `extractive`: it was made of the session's own sentences.
    """

    path: PurePosixPath
    day: date | None
    session: str
    themes: tuple[str, ...]
    text: str
    owner: str = ""
    extractive: bool = False


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
        page = frontmatter.page(document.text)
        keys = frontmatter.keys(page.meta)
        themes = keys.get("primary_themes")
        named = tuple(map(str, themes)) if isinstance(themes, list) else ()
        session = keys.get("session_id")
        owner, extractive = str(keys.get("owner") or ""), keys.get("extractive") is True
        text = page.body.strip()
        yield Episode(folder / name, located.day, str(session or ""), named, text, owner, extractive)
