"""Paths of open folders, for programs and system calls that take no handle."""

from __future__ import annotations

import os


def handle_path(handle: int, shown: str) -> str:
    """A path of an open folder that leads to it whatever is put in its place; `shown` if there is none.

    Linux has such paths, for this process and those that inherit the handle.
    """
    path = f"/proc/self/fd/{handle}"
    return path if os.path.isdir(path) else shown
