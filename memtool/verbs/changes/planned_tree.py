"""A tree with planned changes: the files of a workspace as they will be after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from memtool.core.records.document import Document, etag_of
from memtool.core.records.migration import MigrationStep
from memtool.core.records.plan import Append, Create, Move, Plan, Remove, Replace
from memtool.errors import MemtoolError
from memtool.store.files.listing import list_tree
from memtool.store.files.posix import encode
from memtool.store.root import marker_test
from memtool.store.workspace import Workspace

ROOT = PurePosixPath(".")
WAITING_FOLDER = PurePosixPath(".memtool-moving")
"""The folder of files that wait while a tree is moved to another layout."""


class PlannedTree:
    """The files of a workspace, read through the planned changes; `unread` lists what could not be read.

    Plans made on it can be committed change by change, because an etag depends on the text alone.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.unread: list[str] = []
        self.skipped: dict[str, str] = {}
        """Paths that `files` skipped because they are not regular files, with their kind, such as a link."""
        self._changed: dict[PurePosixPath, Document | PurePosixPath | None] = {}
        """The content of each changed path: a document, the path of the file moved there, or None."""

    def copy(self) -> PlannedTree:
        """Return a copy to be changed independently; both share the list `unread`."""
        other = PlannedTree(self.workspace)
        other.unread = self.unread
        other._changed = {**self._changed}
        return other

    def read(self, path: PurePosixPath) -> Document | None:
        """Return the document at a path; None if there is none. Raises UnreadableFile, OutsideWorkspace."""
        if path not in self._changed:
            return self.workspace.read(path)
        changed = self._changed[path]
        if isinstance(changed, PurePosixPath):
            document = self.workspace.read(changed)
            return Document(path, document.text, document.etag) if document else None
        return changed

    def try_read(self, path: PurePosixPath) -> Document | None:
        """Return the document at a path; None if it does not exist or is unreadable."""
        try:
            return self.read(path)
        except MemtoolError as error:
            self.unread.append(str(error))
            return None

    def try_read_text(self, path: PurePosixPath) -> str | None:
        """Return the text at a path; None as `try_read`."""
        document = self.try_read(path)
        return document.text if document else None

    def exists(self, path: PurePosixPath) -> bool:
        """Whether a path exists, folders included; a path that cannot be accessed counts as existing."""
        try:
            return self.stat(path) is not None
        except MemtoolError:
            return True

    def stat(self, path: PurePosixPath) -> object | None:
        """Return None if nothing exists at a path, else something. Raises as `Disk.stat`."""
        return self._changed[path] if path in self._changed else self.workspace.disk.stat(path)

    def names(self, folder: PurePosixPath) -> list[str]:
        """Return the regular files of a folder, sorted, without links and hidden files."""
        try:
            if folder == ROOT:
                file_names = {*list_tree(self.workspace.root, lambda _: False).files}
            else:
                listed = self.workspace.disk.list_folder(folder)
                file_names = {*listed.files} if listed else set()
        except MemtoolError as error:
            self.unread.append(str(error))
            file_names = set()
        for path, document in self._changed.items():
            if path.parent == folder:
                (file_names.add if document else file_names.discard)(path.name)
        return sorted(file_names)

    def folders(self, folder: PurePosixPath) -> list[str]:
        """Return the folders in a folder, sorted."""
        try:
            listed = self.workspace.disk.list_folder(folder)
        except MemtoolError as error:
            self.unread.append(str(error))
            return []
        return sorted(listed.folders) if listed else []

    def below(self, folder: PurePosixPath, depth: int = 4) -> list[PurePosixPath]:
        """Return the files of a folder and of its subfolders down to a depth, sorted within each folder."""
        files = [folder / name for name in self.names(folder)]
        for name in self.folders(folder) if depth else ():
            files += self.below(folder / name, depth - 1)
        return files

    def files(self, enters: Callable[[str], bool]) -> list[str]:
        """Return every file below the root, sorted; `enters` decides which folders are listed."""
        listed = list_tree(self.workspace.root, enters)
        self.unread += [
            f"{path or 'the workspace root'} could not be listed: {why}" for path, why in listed.unreadable
        ]
        self.skipped = dict(listed.skipped)
        paths = {*listed.files}
        for path, document in self._changed.items():
            if not any(step.startswith(".") for step in path.parts):
                (paths.add if document else paths.discard)(str(path))
        return sorted(paths)

    def marker_test(self, enters: Callable[[str], bool]) -> Callable[[str], bool]:
        """Return `store.root.marker_test` for the tree with its changes; `enters` as for `files`."""
        on_disk = marker_test(self.workspace.root)
        paths = [PurePosixPath(path).parts for path in self.files(enters)]
        changed = [path.parts for path in self._changed]

        def exists(marker: str) -> bool:
            steps, is_folder = PurePosixPath(marker).parts, marker.endswith("/")

            def has_marker(path: tuple[str, ...]) -> bool:
                is_as_deep = len(path) > len(steps) if is_folder else len(path) == len(steps)
                return is_as_deep and all(map(fnmatchcase, path, steps))

            return any(map(has_marker, paths)) if any(map(has_marker, changed)) else on_disk(marker)

        return exists

    def final_etags(self) -> dict[PurePosixPath, str | None]:
        """Return every changed path with the etag of its final content; None if it is removed."""
        etags: dict[PurePosixPath, str | None] = {}
        for path in self._changed:
            document = self.read(path)
            etags[path] = document.etag if document else None
        return etags

    def apply_steps(self, steps: Iterable[MigrationStep]) -> list[MigrationStep]:
        """Apply each step before the next one is planned, and return all of them."""
        applied = []
        for step in steps:
            self.apply(step.plan)
            applied.append(step)
        return applied

    def apply(self, plan: Plan) -> None:
        """Apply the changes of a plan."""
        for change in plan:
            match change:
                case Create(path, text) | Replace(path, text):
                    self._put(path, text)
                case Append(path, text):
                    document = self.read(path)
                    before = document.text if document else ""
                    self._put(path, before + ("\n" if before and not before.endswith("\n") else "") + text)
                case Move(path, target, etag):
                    moved = self._changed.get(path, path)
                    if isinstance(moved, Document):
                        moved = Document(target, moved.text, etag)
                    self._changed[target] = moved
                    self._changed[path] = None
                case Remove(path):
                    self._changed[path] = None

    def _put(self, path: PurePosixPath, text: str) -> None:
        self._changed[path] = Document(path, text, etag_of(encode(text)))
