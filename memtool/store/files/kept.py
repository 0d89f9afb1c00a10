"""Kept: what a command has found out and wants to find again, a file under `.memtool/` that may be lost.

A workspace from elsewhere could bring such a file and lie with it, so it counts only under a seal made with
the user's own key, which no workspace holds.
"""

from __future__ import annotations

import contextlib
import os
import stat

from memtool.errors import MemtoolError
from memtool.store.files import private

_MOST = 1 << 28


def load(root: str, folder: str, key: bytes) -> bytes | None:
    """What was kept last; None where there is nothing, or something that this user's memtool did not keep."""
    import hmac

    try:
        path = os.path.join(private.folder(root), folder, "kept")
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return None
            content = file.read(_MOST)
    except (OSError, MemtoolError):
        return None
    seal, content = content[:32], content[32:]
    return content if hmac.compare_digest(seal, hmac.digest(key, content, "sha256")) else None


def save(root: str, folder: str, content: bytes, key: bytes) -> bool:
    """Keep a content, whole or not at all; whether it could be. Never raises: it is only a loss of time."""
    import hmac

    try:
        inner = os.path.join(private.make(root), folder)
        with contextlib.suppress(FileExistsError):
            os.mkdir(inner, 0o700)
        if not stat.S_ISDIR(os.lstat(inner).st_mode):
            return False
        temporary = os.path.join(inner, f"new.{os.getpid()}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(hmac.digest(key, content, "sha256") + content)
        os.replace(temporary, os.path.join(inner, "kept"))
    except (OSError, MemtoolError):
        return False
    return True
