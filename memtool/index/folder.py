"""Folders that are opened once, so that a link that is put in their place later leads nowhere."""

from __future__ import annotations

import os
from typing import Self

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW


class OpenFolder:
    """An open folder; `shown` is the path at which it was opened."""

    def __init__(self, handle: int, shown: str) -> None:
        self.shown = shown
        self._handle = handle
        self._path = f"/proc/self/fd/{handle}"
        if not os.path.isdir(self._path):  # not Linux: users compare `is_in_place` before and after
            self._path = shown

    @classmethod
    def open(cls, path: str, *, make: bool = False) -> Self:
        """Open a folder, made (0700) where missing if `make`.

        Raises OSError: ELOOP or ENOTDIR where it, or the folder that it lies in, is a link or no folder.
        """
        outer_path, name = os.path.split(path)
        outer = os.open(outer_path, _FLAGS)
        try:
            if make and not os.path.lexists(path):
                os.mkdir(name, 0o700, dir_fd=outer)
            return cls(os.open(name, _FLAGS, dir_fd=outer), path)
        finally:
            os.close(outer)

    @property
    def path(self) -> str:
        """A path for the files in it, until `close`: by the handle where the system has such paths."""
        if self._handle < 0:
            raise ValueError(f"{self.shown} is closed")
        return self._path

    def is_in_place(self) -> bool:
        """Whether the folder is still at its path, and no link is on the last two steps to it."""
        try:
            found = self.open(self.shown)
        except OSError:
            return False
        try:
            return os.path.samestat(os.fstat(self._handle), os.fstat(found._handle))
        finally:
            found.close()

    def close(self) -> None:
        """Close the folder; closing twice is fine."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
