"""A document: the text of one file of the tree, and the etag that proves which text it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec import Struct


class Document(Struct, frozen=True):
    """One file as it was read. `path` is relative to the root; `etag` is a hash of the file's bytes.

    Bytes that are not UTF-8 stand in `text` as lone surrogates (`surrogateescape`), so writing the text
    back gives the same bytes.
    """

    path: PurePosixPath
    text: str
    etag: str


class Chunk(Struct, frozen=True):
    """A span of a document: lines `first` to `last` (counted from 1, both included).

    `trail` holds the headings it stands under, outermost first; `text` is the span's text with its heading
    line if the heading opens it.
    """

    first: int
    last: int
    trail: tuple[str, ...]
    text: str


class Stat(NamedTuple):
    """What the file system says of a file without reading it: bytes, nanoseconds, inode number.

    The change time cannot be set by a program, so with it a same-size edit under a restored modification
    time is still seen.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Listing(Struct, frozen=True):
    """The regular files found under a root, by path, and what could not be looked at.

    `unreadable` names files and folders that refused to be listed, `skipped` what is there and is no regular
    file of the tree (a link out of it, a pipe, a socket), each with the reason. A folder that is unreadable
    is never an empty one. `passed` are the folders into which nobody looked.
    """

    at_ns: int
    """The real clock's nanoseconds just before the first look: what changed later may or may not be in it."""
    files: dict[str, Stat]
    unreadable: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    passed: tuple[str, ...] = ()


class Folder(Struct, frozen=True):
    """The names in one folder, sorted: folders with their stats, regular files, a count of others."""

    path: PurePosixPath
    stat: Stat
    folders: Mapping[str, Stat]
    files: tuple[str, ...]
    others: int = 0


class Standing(NamedTuple):
    """What stands at a path: `file`, `folder` or `other` (a pipe, a socket, a device); and its bytes.

    The bytes of a folder are what the file system says of the folder itself.
    """

    kind: str
    size: int
