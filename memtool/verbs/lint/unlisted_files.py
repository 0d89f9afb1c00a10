"""The files of a workspace outside the folders that hold memory, to which a link may lead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePosixPath

from memtool.core.notes.link_resolver import name_key
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.lint.checked_files import CheckedFiles

_MOST_FOLDERS = 2000
"""Most folders searched for a name; if there are more, a link is not reported as broken."""


class UnlistedFiles:
    """The files of a workspace outside the folders that hold memory."""

    def __init__(self, workspace: Workspace, files: CheckedFiles) -> None:
        self._workspace = workspace
        self._files = files
        self._unlisted = {path for path, _ in files.listing.unreadable}
        self._listed_folders: dict[str, bool] = {"": True}

    def may_hold(self, tried: Sequence[str], name: str) -> bool:
        """Whether the target of a broken link may exist outside the listed files.

        `tried` are the paths that it was looked for at; `name` is empty if the link names a path.
        """
        if not name and any(path.rstrip("/") in self._files.stats for path in tried):
            return True  # a folder
        if any(self._may_exist_unlisted(path) or self._may_exist_unlisted(f"{path}.md") for path in tried):
            return True
        if not name or self._names is None:
            return bool(name)
        return not self._names.isdisjoint({name_key(name), name_key(f"{name}.md")})

    def _may_exist_unlisted(self, path: str) -> bool:
        parent, _, name = path.rstrip("/").rpartition("/")
        if parent and not self._is_fully_listed(parent):
            return self._may_exist(path)
        return name.startswith(".") and self._may_exist(path)

    def _is_fully_listed(self, folder: str) -> bool:
        """Whether the contents of a folder are listed, or the folder does not exist."""
        is_known = self._listed_folders.get(folder)
        if is_known is None:
            parent = folder.rpartition("/")[0]
            is_listed = folder in self._files.stats and folder not in self._unlisted
            is_known = is_listed or (self._is_fully_listed(parent) and not self._may_exist(folder))
            self._listed_folders[folder] = is_known
        return is_known

    def _may_exist(self, path: str) -> bool:
        """Whether a path exists, or cannot be accessed."""
        try:
            return self._workspace.disk.stat(PurePosixPath(path)) is not None
        except MemtoolError:
            return True

    @cached_property
    def _names(self) -> frozenset[str] | None:
        """The names of all unlisted files as links compare them; None if they cannot all be listed."""
        if self._unlisted:
            return None
        listing = self._workspace.unlisted_files(self._files.listing, _MOST_FOLDERS)
        if listing is None or listing.unreadable:
            return None
        return frozenset(name_key(path.rpartition("/")[2]) for path in listing.files)
