"""Elsewhere: whether what no listed file is called lies beside them, in a folder that holds no memory."""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePosixPath

from memtool.core.notes.names import name_key
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.lint.fault import Fault
from memtool.verbs.lint.files import Files

_MOST = 2000
"""Folders to look into for a name; where there are more, nobody says that it is not there."""


class Elsewhere:
    """What lies in one workspace outside of the folders that hold memory."""

    def __init__(self, workspace: Workspace, files: Files) -> None:
        self._workspace = workspace
        self._files = files
        self._unlisted = {path for path, _ in files.listing.unreadable}
        self._known: dict[str, bool] = {"": True}

    def may_hold(self, fault: Fault) -> bool:
        """Whether there may be a file that a link without a target means."""
        if not fault.name and any(path.rstrip("/") in self._files.whole for path in fault.tried):
            return True  # a folder
        if any(self._is_there(path) or self._is_there(f"{path}.md") for path in fault.tried):
            return True
        if not fault.name or self._names is None:
            return bool(fault.name)
        return not self._names.isdisjoint({name_key(fault.name), name_key(f"{fault.name}.md")})

    def _is_there(self, path: str) -> bool:
        parent, _, name = path.rstrip("/").rpartition("/")
        if parent and not self._is_known(parent):
            return self._stands(path)
        return name.startswith(".") and self._stands(path)

    def _is_known(self, folder: str) -> bool:
        """Whether all that lies in a folder is listed, or the folder is not there."""
        found = self._known.get(folder)
        if found is None:
            above = folder.rpartition("/")[0]
            is_listed = folder in self._files.whole and folder not in self._unlisted
            found = is_listed or (self._is_known(above) and not self._stands(folder))
            self._known[folder] = found
        return found

    def _stands(self, path: str) -> bool:
        """Whether something is at a path, or nobody may say."""
        try:
            return self._workspace.disk.stat(PurePosixPath(path)) is not None
        except MemtoolError:
            return True

    @cached_property
    def _names(self) -> frozenset[str] | None:
        """The names of all files outside, as links compare them; None where not all can be known."""
        if self._unlisted:
            return None
        listing = self._workspace.outside(self._files.listing, _MOST)
        if listing is None or listing.unreadable:
            return None
        return frozenset(name_key(path.rpartition("/")[2]) for path in listing.files)
