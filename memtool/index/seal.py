"""The seal: proof that an index folder is as this user's memtool left it.

An index holds pickles, and a pickle can run anything when it is read. A workspace from elsewhere could bring
a crafted index, so no file of one is opened unless its seal, made with a key that no workspace holds, fits.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from typing import Any

from memtool.index import lock
from memtool.index.engine import BrokenIndex, breaking

NAME = "seal"
_LONGEST = 1 << 20  # bytes of a seal that are read


def seal(folder: str, key: bytes) -> None:
    """Seal every file of the folder as it is now; what it says has reached the disk first.

    The last step of a commit: until it is done the old seal fits the old files, or none fits. Raises
    OSError.
    """
    files = _facts(folder)
    known = _read(folder)
    old = known["files"] if known else {}
    for name, fact in files.items():
        if old.get(name) != fact:
            _sync(os.path.join(folder, name))
    temporary = os.path.join(folder, f".{NAME}.new")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
        file.write(json.dumps({"files": files, "mac": _mac(files, key)}).encode())
    os.replace(temporary, os.path.join(folder, NAME))


def is_sealed(folder: str, key: bytes) -> bool:
    """Whether every sealed file is there, untouched, and no other file could pass for part of the index.

    Files of a segment that no sealed table of contents knows are let pass: a writer at work, or one that
    was killed, leaves such, and nothing ever opens them.
    """
    known = _read(folder)
    if known is None:
        return False
    import hmac

    files = known["files"]
    if not hmac.compare_digest(known["mac"], _mac(files, key)):
        return False
    try:
        found = _facts(folder)
    except OSError:
        return False
    if any(found.get(name) != fact for name, fact in files.items()):
        return False
    stems = {name.split(".")[0] for name in files}
    return not any(
        name not in files and (name.endswith(".toc") or name.split(".")[0] in stems) for name in found
    )


def is_plain_folder(folder: str) -> bool:
    """Whether the folder is there and is no link."""
    try:
        return stat.S_ISDIR(os.lstat(folder).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def clear(folder: str) -> None:
    """Delete what is in the folder: the files and links in it, never what a link leads to.

    Of the folders inside only those of an interrupted writer (`*.tmp`) go, with their files. Raises
    BrokenIndex when the folder is a link, when something else is in it, or when the disk refuses.
    """
    if not is_plain_folder(folder):
        raise BrokenIndex(f"at {folder} is not a folder")
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                elif entry.name.endswith(".tmp"):
                    with os.scandir(entry.path) as inner:
                        for file in inner:
                            os.unlink(file.path)
                    os.rmdir(entry.path)
                else:
                    raise BrokenIndex(f"has a folder in it that is not its own: {entry.path}")
    except OSError as error:
        raise BrokenIndex(f"at {folder} cannot be cleared: {error.strerror}") from error


@contextlib.contextmanager
def started_over(folder: str, key: bytes) -> Iterator[bool]:
    """An emptied folder, made where it is missing, to put an index into; sealed then.

    Given is whether there was anything. Raises BrokenIndex.
    """
    with breaking():
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)
        was_there = is_plain_folder(folder) and bool(os.listdir(folder))
        clear(folder)  # before it is looked into: it may hold a stranger's files
        yield was_there
        seal(folder, key)


def discard(folder: str, wait: float) -> None:
    """Throw away the index in `folder`, whatever it is. Raises IndexBusy, BrokenIndex."""
    with lock.held(folder, wait):
        clear(folder)


def _facts(folder: str) -> dict[str, list[int]]:
    """What the system knows of each file in the folder; of a link or a device, what no file matches."""
    facts = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in {NAME, f".{NAME}.new"} or entry.is_dir(follow_symlinks=False):
                continue
            info = entry.stat(follow_symlinks=False)
            regular = stat.S_ISREG(info.st_mode)
            facts[entry.name] = (
                [info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns] if regular else [-1]
            )
    return facts


def _mac(files: dict[str, list[int]], key: bytes) -> str:
    import hmac

    return hmac.digest(key, json.dumps(files, sort_keys=True).encode(), "sha256").hex()


def _read(folder: str) -> dict[str, Any] | None:
    """The seal as written, unproven; none if it is not one."""
    try:
        handle = os.open(os.path.join(folder, NAME), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            known = json.loads(file.read(_LONGEST))
        files, mac = known["files"], known["mac"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if not (isinstance(files, dict) and isinstance(mac, str) and mac.isascii()):
        return None
    return {"files": files, "mac": mac}


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
