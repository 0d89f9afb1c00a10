"""The ids of the hooks' events that were recorded last.

A hook that a watcher does not answer in time handles its event itself, and the watcher may still be at work:
whoever comes second finds the id here. The file is read and written under the lock. It is written after the
commit, so that of a process that is killed between the two an event may be recorded twice, and never lost.
"""

from __future__ import annotations

from collections.abc import Callable

from memtool.errors import MemtoolError
from memtool.store.files import derived

NAME = "recorded-events"
_MOST = 256
"""Ids in the file, the newest last."""


class AlreadyRecorded(Exception):
    """Another process has recorded the event; nothing was written."""


def check(root: str, event_id: str) -> None:
    """Raise AlreadyRecorded if the event is among the last that were recorded; "" is none."""
    if event_id and event_id in _ids(root):
        raise AlreadyRecorded


def add(root: str, event_id: str, report: Callable[[str], None]) -> None:
    """Record that an event was recorded; what fails is reported, since the commit is done."""
    if not event_id:
        return
    ids = [*_ids(root), event_id][-_MOST:]
    try:
        derived.write(root, NAME, "".join(f"{line}\n" for line in ids).encode())
    except MemtoolError as error:
        report(f"a hook event may be recorded twice: {error}")


def recorded(root: str) -> frozenset[str]:
    """The ids of the events that were recorded last."""
    return frozenset(_ids(root))


def _ids(root: str) -> list[str]:
    return (derived.read(root, NAME) or b"").decode("utf-8", "replace").splitlines()
