"""The condition of a watcher: whether one answers, and what one that died left behind. Only looks."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from memtool.store.root import PRIVATE_FOLDER
from memtool.watch.client import SOCKET
from memtool.watch.daemon import PID_FILE, is_alive, pid_of


@dataclass(frozen=True, slots=True)
class Condition:
    """`running` is the process that answers, `silent` one that does not; `left` is what a dead one left."""

    running: int | None
    silent: int | None
    left: tuple[str, ...]


def condition(root: str) -> Condition:
    """How the watcher of a workspace is."""
    running = pid_of(root)
    if running is not None:
        return Condition(running, None, ())
    pid = _pid(os.path.join(root, PRIVATE_FOLDER, PID_FILE))
    silent = pid if pid is not None and is_alive(pid) else None
    left = [name for name in (PID_FILE, SOCKET) if _is_there(root, name)]
    return Condition(None, silent, () if silent else tuple(f"{PRIVATE_FOLDER}/{name}" for name in left))


def _pid(path: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read(32))
    except (OSError, ValueError):
        return None


def _is_there(root: str, name: str) -> bool:
    try:
        mode = os.lstat(os.path.join(root, PRIVATE_FOLDER, name)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISSOCK(mode)
