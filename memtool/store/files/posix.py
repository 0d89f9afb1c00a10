"""Operating system primitives for reading and writing the tree."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of `signal`, which imports enum
import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import PurePath, PurePosixPath
from typing import BinaryIO

from memtool.core.digest import blake2b
from memtool.core.records.document import FileStat, PathEntry
from memtool.core.text.regex import regex

_OTHER_SURROGATES = "[\ud800-\udc7f\udd00-\udfff]"


def encode(text: str) -> bytes:
    """Encode to UTF-8; bytes that were not UTF-8 when read are restored.

    Other lone surrogates, which JSON can contain, become U+FFFD.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return regex(_OTHER_SURROGATES).sub("\ufffd", text).encode("utf-8", "surrogateescape")


def write_all(handle: int, content: bytes, write: Callable[[int, memoryview], int] = os.write) -> None:
    """Write all bytes, with as many calls of `write` as needed. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[write(handle, view) :]


@contextlib.contextmanager
def without_alarm() -> Iterator[None]:
    """Hold back the handler of SIGALRM for the length of the block: a time limit that ends meanwhile ends
    after it.

    A mask would hold the signal back from this thread only: another one would receive it, and the handler
    would still run here.
    """
    handler = _signal.getsignal(_signal.SIGALRM)
    is_late = False

    def note(*_: object) -> None:
        nonlocal is_late
        is_late = True

    is_held = callable(handler)
    if is_held:
        try:
            _signal.signal(_signal.SIGALRM, note)  # raises for an alarm just before
        except ValueError:  # handlers run in the main thread alone, and this is another
            is_held = False
    try:
        yield
    finally:
        if is_held:
            _signal.signal(_signal.SIGALRM, handler)
        if is_late:
            handler(_signal.SIGALRM, None)


_MAX_APPENDED = 1 << 16
"""Bytes that other programs append while a command runs, at most."""

TAIL_BYTES = 4096
"""Bytes at the end of a file that are read before appending, to find its line end."""


def bytes_to_append(ending: bytes, text: str) -> bytes:
    """The bytes to write to append a text to a file.

    `ending` are the file's last bytes, at most `TAIL_BYTES`. A file without a final newline gets one first;
    new lines end in CR LF if the file's do.
    """
    content = encode(text) if not ending or ending.endswith(b"\n") else b"\n" + encode(text)
    if ending[: ending.rfind(b"\n") + 1].endswith(b"\r\n"):  # written by an editor with CR LF
        content = content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return content


def appended_since(content: bytes, etag: str) -> bytes | None:
    """The whole lines that were appended to a file since it had this etag; None if it changed otherwise.

    Looks at the last `_MAX_APPENDED` bytes.
    """
    first = content.find(b"\n", max(0, len(content) - _MAX_APPENDED)) + 1
    if not first:
        return None
    digest = blake2b(content[:first], digest_size=16)
    while True:
        if digest.hexdigest() == etag:
            return content[first:]
        end = content.find(b"\n", first) + 1
        if not end:
            return None
        digest.update(content[first:end])
        first = end


def exists(name: str, folder: int) -> bool:
    """Whether a name exists in an open folder, including a dangling link."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_same_file(source: PurePath, target: PurePath, old: int, folder: int) -> bool:
    """Whether two names that differ in case are the same file, on a case-insensitive file system.

    `old` and `folder` are their open folders.
    """
    if source == target or str(source).casefold() != str(target).casefold():
        return False
    source_stat = os.stat(source.name, dir_fd=old, follow_symlinks=False)
    target_stat = os.stat(target.name, dir_fd=folder, follow_symlinks=False)
    return os.path.samestat(source_stat, target_stat) and source_stat.st_nlink == 1


def relocated_link(root: str, source: PurePosixPath, place: PurePosixPath) -> str | None:
    """The text of a relative link moved to another folder that keeps its target; None if unchanged."""
    path = os.path.join(root, str(source))
    if source.parent == place.parent or not os.path.islink(path) or os.path.isabs(os.readlink(path)):
        return None
    return os.path.relpath(os.path.realpath(path), os.path.join(root, str(place.parent)))


def stat_of(info: os.stat_result) -> FileStat:
    """The part of a stat result that identifies a state of a file."""
    return FileStat(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)


def entry_kind_of(info: os.stat_result) -> PathEntry | None:
    """The kind and size in a stat result; None for a link."""
    if stat.S_ISLNK(info.st_mode):
        return None
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
    return PathEntry(kinds.get(stat.S_IFMT(info.st_mode), "other"), info.st_size)


def error_reason(error: OSError) -> str:
    """The system's description of an error, in lower case for messages."""
    return (error.strerror or str(error)).lower()


def kind_name(mode: int) -> str:
    """The name of a kind of file that is not regular, for messages."""
    for test, name in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a symbolic link"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if test(mode):
            return name
    return "a device"


def numbered_lines(file: BinaryIO, longest: int = 1_000_000) -> Iterator[tuple[int, str]]:
    """The lines of an open file with their numbers (from 1), each cut at `longest` bytes."""
    number, is_line_start = 1, True
    while raw := file.readline(longest):
        if is_line_start:
            yield number, raw.rstrip(b"\r\n").decode("utf-8", "replace")
        is_line_start = raw.endswith(b"\n")
        number += is_line_start
