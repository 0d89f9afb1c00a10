"""The seal: proof that an index folder is as this user's memtool left it.

An index holds pickles, and a pickle can run anything when it is read. A workspace from elsewhere could bring
a crafted index, so no file of one is opened unless its seal, made with a key that no workspace holds, fits.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat

from memtool.core.integrity import sign, verify
from memtool.index.engine import BrokenIndex

NAME = "seal"
_LONGEST = 1 << 20  # bytes of a seal that are read
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK

FileStats = dict[str, list[int]]
"""Inode, size, mtime and ctime of each file of a folder, by name."""


def seal(folder: str, key: bytes) -> None:
    """Seal every file of the folder as it is now, once its content has reached the disk.

    The last step of a commit: until it is done the old seal fits the old files, or none fits. Raises
    OSError.
    """
    files = _file_stats(folder)
    sealed = _sealed_stats(folder, key) or {}
    for name, file_stat in files.items():
        if sealed.get(name) != file_stat:
            _sync(os.path.join(folder, name))
    temporary = os.path.join(folder, f".{NAME}.new")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    with open(os.open(temporary, _NEW, 0o600), "wb") as file:
        file.write(sign(json.dumps(files).encode(), key))
    os.replace(temporary, os.path.join(folder, NAME))


def is_sealed(folder: str, key: bytes) -> bool:
    """Whether every sealed file is there, untouched, and no other file could pass for part of the index.

    Files of a segment that no sealed table of contents names are accepted: a writer at work, or one that was
    killed, leaves such, and nothing ever opens them.
    """
    sealed = _sealed_stats(folder, key)
    if sealed is None:
        return False
    try:
        files = _file_stats(folder)
    except OSError:
        return False
    if any(files.get(name) != file_stat for name, file_stat in sealed.items()):
        return False
    stems = {name.split(".")[0] for name in sealed}
    return not any(
        name not in sealed and (name.endswith(".toc") or name.split(".")[0] in stems) for name in files
    )


def clear(folder: str) -> None:
    """Delete what is in the folder: the files and links in it, never what a link leads to.

    Of the folders inside only those of an interrupted writer (`*.tmp`) go, with their files. Raises
    BrokenIndex when something else is in it, or when the disk refuses.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                elif entry.name.endswith(".tmp"):
                    with os.scandir(entry.path) as files:
                        for file in files:
                            os.unlink(file.path)
                    os.rmdir(entry.path)
                else:
                    raise BrokenIndex(f"contains an unknown folder, {entry.name} (remove that folder first)")
    except OSError as error:
        raise BrokenIndex(f"cannot be deleted: {error.strerror} (correct this problem first)") from error


def drop_unfinished(folder: str) -> None:
    """Delete tables of contents that killed writers have not put in place, which Whoosh never deletes.

    Under the index's lock. Raises OSError.
    """
    for name in os.listdir(folder):
        if ".toc." in name:
            os.unlink(os.path.join(folder, name))


def _file_stats(folder: str) -> FileStats:
    """The stats of the folder's files; a link or a device gets one that no file has."""
    stats: FileStats = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in {NAME, f".{NAME}.new"} or entry.is_dir(follow_symlinks=False):
                continue
            info = entry.stat(follow_symlinks=False)
            regular = stat.S_ISREG(info.st_mode)
            stats[entry.name] = (
                [info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns] if regular else [-1]
            )
    return stats


def _sealed_stats(folder: str, key: bytes) -> FileStats | None:
    """The stats that the folder's seal proves; None where there is no seal or it does not fit the key."""
    try:
        with open(os.open(os.path.join(folder, NAME), _READ), "rb") as file:
            content = verify(file.read(_LONGEST), key)
        sealed = None if content is None else json.loads(content)
    except (OSError, ValueError, RecursionError):
        return None
    return sealed if isinstance(sealed, dict) else None


def _sync(path: str) -> None:
    handle = os.open(path, _READ)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
