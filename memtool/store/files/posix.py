"""Small steps on the operating system that the door is made of."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import PurePath, PurePosixPath
from typing import BinaryIO

from memtool.core.records.document import Standing, Stat

_NOT_OURS = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def encode(text: str) -> bytes:
    """UTF-8, with bytes that were not UTF-8 when read given back as they were.

    Half a surrogate pair from elsewhere (JSON can carry one) has no bytes and becomes U+FFFD.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return _NOT_OURS.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def write_all(handle: int, content: bytes) -> None:
    """Every byte, however many calls it takes. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def append_all(handle: int, content: bytes, size: int) -> None:
    """Every byte at the end of a file that had `size` bytes, or none. Raises OSError.

    What was written before the disk refused is taken back, unless somebody wrote behind it meanwhile.
    """
    written = 0
    try:
        while written < len(content):
            written += os.write(handle, memoryview(content)[written:])
    except OSError:
        if written and os.fstat(handle).st_size == size + written:
            os.ftruncate(handle, size)
        raise


TAIL = 4096
"""Bytes at the end of a file that are looked at before it is added to: room for a line without an end."""


def ended(ending: bytes, text: str) -> bytes:
    """What is written to add a text to a file; `ending` are its last bytes, `TAIL` of them at most.

    A file that ends in the middle of a line gets its newline first; where lines end in CR LF, so do new ones.
    """
    content = encode(text) if not ending or ending.endswith(b"\n") else b"\n" + encode(text)
    if ending[: ending.rfind(b"\n") + 1].endswith(b"\r\n"):  # the file of an editor that ends lines so
        content = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return content


def anonymous_file(folder: int, mode: int) -> int | None:
    """A new file in an open folder that has no name yet, so that a crash leaves nothing; None where the
    system knows no such thing. `/proc/self/fd/<it>` can be linked to a name."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(".", os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, mode, dir_fd=folder)
    except OSError as error:
        if error.errno in {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL}:
            return None
        raise


def exists(name: str, folder: int) -> bool:
    """Whether a name stands in an open folder, a dangling link included."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_other_case(source: PurePath, target: PurePath, old: int, folder: int) -> bool:
    """Whether two names are one and the same in a folder of a disk that tells no capitals from others.

    `old` and `folder` are the open folders that they are in.
    """
    if source == target or str(source).casefold() != str(target).casefold():
        return False
    one = os.stat(source.name, dir_fd=old, follow_symlinks=False)
    other = os.stat(target.name, dir_fd=folder, follow_symlinks=False)
    return os.path.samestat(one, other) and one.st_nlink == 1


def fsync_folder(path: str) -> None:
    """Make the names in a folder durable."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def moved_link(root: str, source: PurePosixPath, place: PurePosixPath) -> str | None:
    """What a relative link has to say at another place to lead where it did; None where nothing changes."""
    path = os.path.join(root, str(source))
    if source.parent == place.parent or not os.path.islink(path) or os.path.isabs(os.readlink(path)):
        return None
    return os.path.relpath(os.path.realpath(path), os.path.join(root, str(place.parent)))


def remove_all(folder: int, ending: str) -> None:
    """Remove what is in an open folder under hidden names with this ending, as far as the system lets us.

    No link is followed, not even one that is put there meanwhile.
    """
    import shutil

    for name in os.listdir(folder):
        if name.startswith(".") and name.endswith(ending):
            shutil.rmtree(name, ignore_errors=True, dir_fd=folder)


def stat_of(info: os.stat_result) -> Stat:
    """The part of a stat result that tells one state of a file from another."""
    return Stat(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)


def standing_of(info: os.stat_result) -> Standing | None:
    """What a stat result tells of; None for a link."""
    if stat.S_ISLNK(info.st_mode):
        return None
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
    return Standing(kinds.get(stat.S_IFMT(info.st_mode), "other"), info.st_size)


def reason(error: OSError) -> str:
    """The system's words for an error, as they stand in a message."""
    return (error.strerror or str(error)).lower()


def kind(mode: int) -> str:
    """What a thing that is no regular file is called in a message."""
    for test, name in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a link"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if test(mode):
            return name
    return "a device"


def numbered_lines(file: BinaryIO, longest: int = 1_000_000) -> Iterator[tuple[int, str]]:
    """The lines of an open file with their numbers (from 1), each cut at `longest` bytes."""
    number, whole = 1, True
    while raw := file.readline(longest):
        if whole:
            yield number, raw.rstrip(b"\r\n").decode("utf-8", "replace")
        whole = raw.endswith(b"\n")
        number += whole
