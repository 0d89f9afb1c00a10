"""Files of other programs outside all workspaces: read as a whole, replaced as a whole, with a backup.

Each is accessed through a `Disk` on its folder. Links are followed, since people keep their settings
elsewhere and link to them.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import StaleWrite, UnreadableFile
from memtool.store.files.disk import Disk
from memtool.store.root import make_root

_MAX_CHARS = 4_000_000


class ExternalFile(Struct, frozen=True):
    """A file of another program: its path as given, its text, and its etag; None if it does not exist."""

    path: str
    text: str | None
    etag: str | None = None


def read_file(path: str, most: int = _MAX_CHARS) -> ExternalFile:
    """Read the file at a path, up to `most` characters. Raises UnreadableFile for a longer or binary file."""
    folder, name = _real_path(path)
    if not os.path.isdir(folder):
        return ExternalFile(path, None)
    try:
        document = Disk(folder).read(name)
    except UnreadableFile as error:
        raise UnreadableFile(f"{folder}/{error}") from error
    if document is None:
        return ExternalFile(path, None)
    if len(document.text) > most or "\0" in document.text:
        raise UnreadableFile(f"{path} is too large or contains NUL bytes, so nothing was written")
    try:
        document.text.encode()
    except UnicodeEncodeError as error:
        raise UnreadableFile(
            f"{path} is not UTF-8 text, so nothing was written; convert it to UTF-8 first"
        ) from error
    return ExternalFile(path, document.text, document.etag)


def write_file(
    before: ExternalFile, text: str | None, now: datetime, *, with_backup: bool = True, folders: int = 1
) -> str | None:
    """Write a file's new text, or remove it for None; returns the path of the backup if `with_backup`.

    The backup is written before the atomic replacement. A folder is removed with its last file, and so is the
    one above it, if `folders` is 2. Raises StaleWrite if the file has changed, Unwritable.
    """
    folder, name = _real_path(before.path)
    if before.text is None or before.etag is None:
        if text is not None:
            make_root(folder)
            Disk(folder).create(name, text)
        return None
    disk = Disk(folder)
    backup = os.path.join(folder, str(_create_backup(disk, name, before.text, now))) if with_backup else None
    if text is not None:
        disk.replace(name, text, before.etag)
    else:
        disk.remove(name, before.etag)
        with contextlib.suppress(OSError):
            for _ in range(folders):
                os.rmdir(folder)
                folder = os.path.dirname(folder)
    return backup


def backups(path: str) -> Iterator[ExternalFile]:
    """The readable backups of a file, the newest first."""
    folder, name = _real_path(path)
    pattern = re.compile(rf"{re.escape(str(name))}\.(\d{{8}}T\d{{6}}Z)(?:-(\d+))?\.memtool-backup")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    matches = [match for found in names if (match := pattern.fullmatch(found))]
    for match in sorted(matches, key=lambda match: (match[1], int(match[2] or 1)), reverse=True):
        with contextlib.suppress(UnreadableFile):
            yield read_file(os.path.join(folder, match[0]))


def _create_backup(disk: Disk, name: PurePosixPath, text: str, now: datetime) -> PurePosixPath:
    """Create a backup beside the file, with the time in its name."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 100):
        more = f"-{number}" if number > 1 else ""
        copy = PurePosixPath(f"{name}.{stamp}{more}.memtool-backup")
        if disk.stat(copy) is None:
            disk.create(copy, text)
            return copy
    raise StaleWrite(name)


def _real_path(path: str) -> tuple[str, PurePosixPath]:
    """The real folder of a file, and the file's name in it."""
    real = os.path.realpath(path)
    return os.path.dirname(real), PurePosixPath(os.path.basename(real))
