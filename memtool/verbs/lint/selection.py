"""Selection: which problems are asked for: by code, by file, and not where the settings pass over them."""

from __future__ import annotations

from memtool.core.lint.codes import chosen
from memtool.store.files import globs
from memtool.store.workspace import Workspace
from memtool.verbs.lint.wanted import Wanted

_SETTING = "lint.per_file"


class Selection:
    """What is asked of one run. Raises BadUsage for codes and globs in the settings that are none."""

    def __init__(self, workspace: Workspace, wanted: Wanted) -> None:
        self._codes = wanted.codes
        self._paths = wanted.paths
        layout = workspace.layout
        self._below = f"{layout.groups}/{wanted.group}/" if wanted.group else ""
        self._besides = f"{layout.groups}/" if wanted.group == "" and layout.groups else ""
        self._per_file = [
            (globs.matcher([glob], _SETTING), chosen(codes, f'{_SETTING} "{glob}"'))
            for glob, codes in workspace.settings[_SETTING].items()
        ]

    def has(self, path: str) -> bool:
        """Whether a file or folder is among those that are asked for."""
        return self.may_read(path) and (
            not self._paths
            or any(not one or path == one or path.startswith(f"{one}/") for one in self._paths)
        )

    def may_read(self, path: str) -> bool:
        """Whether a file lies in the memory of the group that is asked for."""
        return path.startswith(self._below) and not (self._besides and path.startswith(self._besides))

    def keeps(self, path: str, code: str) -> bool:
        """Whether a problem of such a code is asked for, of a file that is."""
        if code not in self._codes or not self.has(path):
            return False
        return not any(code in codes and is_meant(path) for is_meant, codes in self._per_file)
