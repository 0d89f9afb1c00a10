"""Files of other programs, outside of every workspace: read whole, replaced whole, the old text kept.

Each is reached through the same disk as a workspace's, opened on its own folder. What a link leads to is
meant, for people keep their settings elsewhere and link them.
"""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import StaleWrite, Unreadable
from memtool.store.files.disk import Disk
from memtool.store.root import make_root

_MOST = 4_000_000


class Outer(Struct, frozen=True):
    """A file of another program's: its path as it was named, its text, and its etag; None for none there."""

    path: str
    text: str | None
    etag: str | None = None


def look(path: str) -> Outer:
    """What is at a path. Raises Unreadable for what is no text file, or is far too large for settings."""
    folder, name = _place(path)
    if not os.path.isdir(folder):
        return Outer(path, None)
    try:
        document = Disk(folder).read(name)
    except Unreadable as error:
        raise Unreadable(f"{folder}/{error}") from error
    if document is None:
        return Outer(path, None)
    if len(document.text) > _MOST or "\0" in document.text:
        raise Unreadable(f"{path} is no file of settings; look at it, nothing was written")
    try:
        document.text.encode()
    except UnicodeEncodeError as error:
        raise Unreadable(f"{path} is not UTF-8 text; mend it first, nothing was written") from error
    return Outer(path, document.text, document.etag)


def write(before: Outer, text: str | None, now: datetime, *, keeps: bool = True) -> str | None:
    """Give a file its new text, or take it away for None; the path of the old one's copy, if it `keeps` one.

    The copy is there before the new text is in its place, which it takes at once or not at all. A folder goes
    with its last file. Raises StaleWrite where the file is not what it was, Unwritable.
    """
    folder, name = _place(before.path)
    if before.text is None or before.etag is None:
        if text is not None:
            make_root(folder)
            Disk(folder).create(name, text)
        return None
    disk = Disk(folder)
    kept = os.path.join(folder, str(_kept(disk, name, before.text, now))) if keeps else None
    if text is not None:
        disk.replace(name, text, before.etag)
    else:
        disk.remove(name, before.etag)
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    return kept


def _kept(disk: Disk, name: PurePosixPath, text: str, now: datetime) -> PurePosixPath:
    """A copy beside the file, under a name that says when it was made."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 100):
        more = f"-{number}" if number > 1 else ""
        copy = PurePosixPath(f"{name}.{stamp}{more}.memtool-backup")
        if disk.stat(copy) is None:
            disk.create(copy, text)
            return copy
    raise StaleWrite(name)


def _place(path: str) -> tuple[str, PurePosixPath]:
    """The real folder of a file, and the file's name in it."""
    real = os.path.realpath(path)
    return os.path.dirname(real), PurePosixPath(os.path.basename(real))
