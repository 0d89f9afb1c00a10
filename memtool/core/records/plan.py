"""What a verb intends to do to the tree: a tuple of changes, applied in order by `store`."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct


class Create(Struct, frozen=True):
    """A new file. If something is there already, the whole plan is refused.

    It is private, unless it takes the place of another: then it may be read by whoever may read that one.
    """

    path: PurePosixPath
    text: str
    like: PurePosixPath | None = None


class Append(Struct, frozen=True):
    """Text added at the end of a file that exists.

    It carries no etag: an appended record is right whatever else was added meanwhile, by an editor or by
    `printf >>`. A file that ends in the middle of a line gets its newline first, and a file whose lines end
    in CR LF gets lines that do.
    """

    path: PurePosixPath
    text: str


class Replace(Struct, frozen=True):
    """A file's whole new text, in place of the text whose etag was read."""

    path: PurePosixPath
    text: str
    etag: str


class Move(Struct, frozen=True):
    """A file under a new name; never onto something that exists."""

    path: PurePosixPath
    target: PurePosixPath
    etag: str


class Remove(Struct, frozen=True):
    """A file taken away, if it is still the text whose etag was read."""

    path: PurePosixPath
    etag: str


class MoveTree(Struct, frozen=True):
    """Whatever stands at a path under a new name, a folder with all it holds; never onto something.

    It is moved unread, so it carries no etag. A link is moved itself, not what it leads to.
    """

    path: PurePosixPath
    target: PurePosixPath


class RemoveTree(Struct, frozen=True):
    """Whatever stands at a path taken away, a folder with all it holds: wholly or not at all.

    It goes unread, so it carries no etag. A link goes itself, not what it leads to.
    """

    path: PurePosixPath


class Secure(Struct, frozen=True):
    """What other users of the machine may do with a file, or write into a folder, taken from them.

    `.` is the root. It touches no byte, and so carries no etag.
    """

    path: PurePosixPath


class Permit(Struct, frozen=True):
    """What may be done with a file or folder, as it was before it was secured: `mode` in place of `expect`.

    One that has another mode by then is left as it is.
    """

    path: PurePosixPath
    mode: int
    expect: int


Change = Create | Append | Replace | Move | Remove | MoveTree | RemoveTree | Secure | Permit
Plan = tuple[Change, ...]
