"""The condition of a watcher: whether one answers, and what one that died left behind. Only looks."""

from __future__ import annotations

import os
import stat

from msgspec import Struct

from memtool import __version__
from memtool.serve.watch.client import SOCKET, reply
from memtool.serve.watch.daemon import PID_FILE, holder
from memtool.store.root import PRIVATE_FOLDER

_PATIENCE = 2.0
"""Seconds that a watcher has to answer in."""


class Condition(Struct, frozen=True):
    """`running` is the process that answers, `busy` one that does not, `other` one of another version.

    `left` is what a dead one left.
    """

    running: int | None = None
    busy: int | None = None
    other: int | None = None
    left: tuple[str, ...] = ()


def condition(root: str) -> Condition:
    """How the watcher of a workspace is. Whoever holds its lock is one, whatever it answers."""
    said = reply(root, {"ask": "status"}, _PATIENCE)
    if said is not None and said.get("version") == __version__:
        return Condition(running=said.get("pid"))
    pid = holder(root)
    if pid is not None:
        return Condition(busy=pid) if said is None else Condition(other=pid)
    left = [name for name in (PID_FILE, SOCKET) if _is_there(root, name)]
    return Condition(left=tuple(f"{PRIVATE_FOLDER}/{name}" for name in left))


def _is_there(root: str, name: str) -> bool:
    try:
        mode = os.lstat(os.path.join(root, PRIVATE_FOLDER, name)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISSOCK(mode)
