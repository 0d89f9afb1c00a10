"""The queue: what a hook could not record because another writer held the lock, one signed file an event.

Hooks add files without the lock. Its next holder records them, oldest first, and removes each in the commit
that records it. A file that this user's memtool did not write here is never followed; it is set aside.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import time
from pathlib import PurePosixPath

from memtool.errors import MemtoolError, UnreadableFile, Unwritable
from memtool.store.files import derived, private
from memtool.store.files.disk import Disk
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER

QUEUE_FOLDER = PurePosixPath(PRIVATE_FOLDER, "queue")
ASIDE_FOLDER = PurePosixPath(PRIVATE_FOLDER, "queue.aside")
"""The folder of files that cannot be recorded; no command reads it."""
MAX_EVENTS = 1_000
MAX_BYTES = 16_000_000
"""Bytes of all files; a new event that would exceed it is refused, and the older ones stay."""
MAX_EVENT_BYTES = 2_000_000
_TIME_DIGITS = 20


def waiting_events(root: str) -> list[str]:
    """The names of the events that wait, the oldest first: one look at a folder that most trees lack."""
    return sorted(filter(_is_event, _names(root, QUEUE_FOLDER)))


def waiting_notice(root: str) -> str | None:
    """What a search says that does not read the events that wait; None where none does."""
    count = len(waiting_events(root))
    if not count:
        return None
    from memtool.core.records.health import count_noun

    verbs = ("has", "was") if count == 1 else ("have", "were")
    events = count_noun(count, "hook event")
    return f"{events} {verbs[0]} not been recorded yet and {verbs[1]} not searched"


def other_files(root: str) -> list[str]:
    """The paths of files that are not recorded: those set aside, and what no memtool put into the queue."""
    strange = [QUEUE_FOLDER / name for name in _names(root, QUEUE_FOLDER) if not _is_event(name)]
    return sorted(map(str, [*strange, *(ASIDE_FOLDER / name for name in _names(root, ASIDE_FOLDER))]))


def add(disk: Disk, signed: bytes, event: str) -> None:
    """Write and sync a signed event, unless it waits already: a hook asks a watcher, and may give up on it.

    `event` identifies it: hexadecimal, the same for the same event. Raises Unwritable, also where the queue
    is full.
    """
    waiting, now = waiting_events(disk.root), time.time_ns()
    if any(name.endswith(f"-{event}") for name in waiting):
        return
    if len(signed) > MAX_EVENT_BYTES:
        raise Unwritable(
            f"the hook event is {len(signed)} bytes long, but the limit is {MAX_EVENT_BYTES} bytes"
        )
    if len(waiting) >= MAX_EVENTS or len(signed) + _size(disk.root) > MAX_BYTES:
        raise Unwritable(
            f"{QUEUE_FOLDER} is full; its {len(waiting)} hook events are waiting for the next command that "
            "writes to the workspace"
        )
    path = QUEUE_FOLDER / f"{now:0{_TIME_DIGITS}}-{event}"
    is_new = not os.path.lexists(os.path.join(disk.root, str(QUEUE_FOLDER)))
    try:
        with (
            private.opened(disk.root, derived.UNFINISHED) as source,
            private.opened(disk.root, QUEUE_FOLDER.name) as folder,
        ):
            _write(disk, path, signed, source, folder)
        if is_new:
            with private.opened(disk.root) as folder:
                disk.step("fsync folder", QUEUE_FOLDER)
                os.fsync(folder)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error_reason(error)}") from error


def _write(disk: Disk, path: PurePosixPath, signed: bytes, source: int, folder: int) -> None:
    """Write a file in an open folder, synced, and rename it into another. Raises OSError.

    The lock of the temporary file says that its writer lives: the next writer removes what it can lock.
    """
    disk.step("create", path)
    temporary, handle = derived.create_temporary(source)
    try:
        disk.write_and_sync(handle, path, signed)
        disk.step("rename", path)
        os.rename(temporary, path.name, src_dir_fd=source, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=source)
        raise
    finally:
        os.close(handle)
    disk.step("fsync folder", path)
    os.fsync(folder)


def load(disk: Disk, name: str) -> bytes | None:
    """The bytes of an event's file; None where it is larger than an event.

    Raises UnreadableFile for what is no regular file or cannot be read. A link is not followed.
    """
    path = QUEUE_FOLDER / name
    if disk.link_text(path) is not None:
        raise UnreadableFile(f"{path} is a link, not a file")
    info = disk.stat(path)
    return disk.read_bytes(path) if info and info.size <= MAX_EVENT_BYTES else None


def set_aside(disk: Disk, name: str) -> PurePosixPath:
    """Move a file out of the queue, to a free name, and return its new path.

    Raises StaleWrite, Unwritable, and OutsideWorkspace for a link in place of the folder.
    """
    numbered = (ASIDE_FOLDER / f"{name}-{number}" for number in itertools.count(2))
    names = itertools.chain((ASIDE_FOLDER / name,), numbered)
    target = next(path for path in names if not disk.path_exists(path))
    disk.move_tree(QUEUE_FOLDER / name, target)
    return target


def _names(root: str, folder: PurePosixPath) -> list[str]:
    """The names in a folder; none where it is missing or no folder."""
    if not os.path.lexists(os.path.join(root, str(folder))):
        return []  # as in most trees: an eighth of the time of opening it
    try:
        with private.opened(root, folder.name, make=False) as handle:
            return os.listdir(handle)
    except (OSError, MemtoolError):
        return []


def _is_event(name: str) -> bool:
    moment, _, event = name.partition("-")
    return len(moment) == _TIME_DIGITS and (moment + event).isalnum() and moment.isdigit() and name.isascii()


def _size(root: str) -> int:
    """Bytes of all files in the queue."""
    total = 0
    try:
        with private.opened(root, QUEUE_FOLDER.name, make=False) as handle:
            for name in os.listdir(handle):
                info = os.stat(name, dir_fd=handle, follow_symlinks=False)
                total += info.st_size if stat.S_ISREG(info.st_mode) else 0
    except OSError:  # the lock's holder may empty it meanwhile
        return total
    return total
