"""The intent record: what an unfinished transaction does to the tree, and what takes it back.

It is written and synced before the first change, and removed after the last. It is signed with the user's key
and names the workspace's root: a tree from elsewhere cannot make memtool change files by a record it brings.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import PurePosixPath
from time import time_ns

import msgspec
from msgspec import Struct

from memtool.core.integrity import sign, verify
from memtool.errors import OutsideWorkspace, Unwritable
from memtool.store.files import private
from memtool.store.files.disk import Disk
from memtool.store.files.posix import error_reason, write_all
from memtool.store.files.staging import INTENT_PATH, STAGING_FOLDER

_NEW = INTENT_PATH.with_name("intent-new")
_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_VERSION = 1


class PendingCreate(Struct, frozen=True, tag="create"):
    """A new file, put in place from its staged name. `made` is the first folder that is created for it."""

    path: str
    etag: str
    staged: str
    made: str | None


class PendingAppend(Struct, frozen=True, tag="append"):
    """Bytes that are appended to a file of `size` bytes; `tail` is the etag of its last bytes."""

    path: str
    size: int
    tail: str
    added: bytes


class PendingReplace(Struct, frozen=True, tag="replace"):
    """A file that is exchanged with a staged one; the etags are those of its content before and after."""

    path: str
    before: str
    after: str
    staged: str


class PendingMove(Struct, frozen=True, tag="move"):
    """A file or folder that is renamed. `etag` is empty for what is moved unread; `link` is a link's text."""

    path: str
    target: str
    etag: str
    link: str | None
    made: str | None


class PendingRemove(Struct, frozen=True, tag="remove"):
    """A file or folder that is renamed to `kept`, and removed there at the end."""

    path: str
    kept: str


class PendingMode(Struct, frozen=True, tag="mode"):
    """A mode that is changed."""

    path: str
    before: int
    after: int


PendingChange = PendingCreate | PendingAppend | PendingReplace | PendingMove | PendingRemove | PendingMode


class Intent(Struct, frozen=True):
    """A transaction: its changes in order, and the end of the journal before it.

    `boot` identifies the run of the operating system in which it was written; empty if that is unknown.
    `journal` is a file of the journal with its size.
    """

    root: str
    boot: str
    changes: tuple[PendingChange, ...]
    journal: tuple[str, int] | None
    version: int = _VERSION


def save_intent(disk: Disk, intent: Intent, key: bytes, *, sync: bool = True) -> None:
    """Write the record, and sync it unless it is for a stop of this process alone. Raises Unwritable.

    The folder is not synced: file systems write a rename before the changes that follow it.
    """
    content = sign(msgspec.json.encode(intent), key)
    try:
        with disk.open_for_writing(_NEW) as (place, folder):
            disk.step("create", place)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
            handle = os.open(place.name, flags, 0o600, dir_fd=folder)
            try:
                if sync:
                    disk.write_and_sync(handle, place, content)
                else:
                    disk.step("write", place)
                    write_all(handle, content, disk.write)
            finally:
                os.close(handle)
            disk.step("rename", INTENT_PATH)
            os.rename(place.name, INTENT_PATH.name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        disk.drop([_NEW])
        raise


def is_empty(disk: Disk) -> bool:
    """Whether the record has no content: a power failure took that of one that was not synced.

    Its transaction was a single rename, which is done or not done. Raises UnreadableFile.
    """
    return disk.read_bytes(INTENT_PATH) == b""


def load_intent(disk: Disk, key: bytes | None) -> Intent | None:
    """The record of an unfinished transaction; None for one that this user's memtool did not write here.

    Raises UnreadableFile.
    """
    signed = disk.read_bytes(INTENT_PATH)
    content = verify(signed, key) if signed is not None and key is not None else None
    if content is None:
        return None
    try:
        intent = msgspec.json.decode(content, type=Intent)
    except msgspec.MsgspecError:
        return None
    return intent if intent.root == disk.root and intent.version == _VERSION else None


def remove_intent(disk: Disk) -> None:
    """Remove the record: the transaction is complete. Raises Unwritable."""
    try:
        with disk.open_for_writing(INTENT_PATH) as (place, folder):
            disk.step("unlink", place)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(place.name, dir_fd=folder)
    except OutsideWorkspace as error:
        raise Unwritable(str(error)) from error


def set_staging_aside(disk: Disk) -> PurePosixPath:
    """Rename the staging folder, whose record cannot be trusted; returns its new path. Raises Unwritable."""
    target = STAGING_FOLDER.with_name(f"{STAGING_FOLDER.name}.untrusted-{time_ns()}")
    try:
        with private.opened(disk.root, make=False) as folder:
            os.rename(STAGING_FOLDER.name, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        raise Unwritable(f"{STAGING_FOLDER} cannot be renamed: {error_reason(error)}") from error
    return target


def boot_id() -> str:
    """What identifies the present run of the operating system; empty if that is unknown."""
    try:
        with open(_BOOT_ID, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""
