"""The files of a place of the layout."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from memtool.core.records.document import Document
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats.ownership import visible_lines
from memtool.layouts.layout import Place
from memtool.store.workspace import Workspace


def place_paths(
    workspace: Workspace, place: Place, group: str | None, missed: list[str]
) -> list[PurePosixPath]:
    """The paths of a place's files: its one path, or those in its folder that match its pattern, sorted."""
    layout = workspace.layout
    top = PurePosixPath(layout.groups or "", group) if group is not None else PurePosixPath()
    if not place.template.slots:
        return [top / place.template.pattern]
    folder = top / place.template.pattern.partition("{")[0].rpartition("/")[0]
    try:
        listed = workspace.disk.list_folder(
            workspace.disk.resolve(folder)
        )  # which may be a link inside the root
    except (UnreadableFile, OutsideWorkspace) as error:
        missed.append(f"{error}; skipped")
        return []
    if listed is not None and listed.others:
        missed.append(f"symbolic links and special files skipped in {folder}: {listed.others}")
    files = [folder / name for name in listed.files] if listed is not None else []
    return [path for path in files if (located := layout.locate(path)) and located.place is place]


def place_documents(
    workspace: Workspace, place: Place, group: str | None
) -> Iterator[Document | UnreadableFile]:
    """The documents of a place's files, in the order of `place_paths`; fast for hundreds.

    A file that cannot be read is its error. Raises UnreadableFile, OutsideWorkspace.
    """
    paths = place_paths(workspace, place, group, [])
    if place.template.slots:
        yield from workspace.disk.read_documents(paths)
    else:  # which may be a link inside the root
        yield from (document for path in paths if (document := workspace.read(path)) is not None)


def read_visible(
    workspace: Workspace, path: PurePosixPath, missed: list[str], owners: Collection[str] = ()
) -> Document | None:
    """A document without the lines of other users than `owners`; None where all of it is another's."""
    try:
        document = workspace.read(path)
    except (UnreadableFile, OutsideWorkspace) as error:
        missed.append(str(error))
        return None
    if document is None or not owners:
        return document
    located = workspace.role_of(str(path))
    lines = visible_lines(document.text, located.role if located else "", owners)
    text = "\n".join(line for line, is_shown in lines if is_shown)
    return Document(document.path, text, document.etag) if text else None
