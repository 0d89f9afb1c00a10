"""Documents and listings: the text of files with their etags, and what the file system says of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec import Struct

from memtool.core.digest import blake2b


def etag_of(content: bytes) -> str:
    """The hash of a file's content: equal etags mean equal bytes (BLAKE2b, 128 bits)."""
    return blake2b(content, digest_size=16).hexdigest()


class Document(Struct, frozen=True):
    """A file as it was read. `path` is relative to the root; `etag` is a hash of the file's bytes.

    Bytes that are not UTF-8 are lone surrogates in `text` (`surrogateescape`), so that writing the text back
    gives the same bytes.
    """

    path: PurePosixPath
    text: str
    etag: str


class Chunk(Struct, frozen=True):
    """A span of a document: lines `first` to `last` (counted from 1, both included).

    `trail` holds the headings above it, outermost first; `text` is the text of the span, with its heading
    line if the span begins with it. `owner` is whose all of it is, as a tag; "" for everybody's.
    """

    first: int
    last: int
    trail: tuple[str, ...]
    text: str
    owner: str = ""


class FileStat(NamedTuple):
    """The metadata of a file: size in bytes, times in nanoseconds, inode number.

    Programs cannot set the change time, so it reveals an edit of the same size with a restored modification
    time.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class TreeListing(Struct, frozen=True):
    """The regular files under a root, by path, and everything that is not listed.

    `unreadable` names files and folders that could not be listed, `skipped` those that are not regular files
    of the tree (a link out of it, a pipe, a socket), each with the reason. An unreadable folder never counts
    as an empty one. `excluded` are the folders that were left out.
    """

    at_ns: int
    """The time just before the listing began, in nanoseconds; later changes may or may not be in it."""
    files: dict[str, FileStat]
    unreadable: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    excluded: tuple[str, ...] = ()


class FolderListing(Struct, frozen=True):
    """A folder: its folders with metadata and its regular files, sorted, and a count of other entries."""

    path: PurePosixPath
    stat: FileStat
    folders: Mapping[str, FileStat]
    files: tuple[str, ...]
    others: int = 0


class PathEntry(Struct, frozen=True):
    """The kind of entry at a path: `file`, `folder` or `other` (a pipe, a socket, a device); and its size.

    The size of a folder is that of its own entry in the file system.
    """

    kind: str
    size: int
