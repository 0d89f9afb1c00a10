"""Plans: the changes that a verb intends, which `store` applies in order."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct


class Create(Struct, frozen=True):
    """Create a file. If the path exists, the whole plan is refused.

    The file is private, unless it replaces another (`like`), whose permissions it gets.
    """

    path: PurePosixPath
    text: str
    like: PurePosixPath | None = None


class Append(Struct, frozen=True):
    """Append text to an existing file.

    It has no etag, because an appended record stays correct whatever else was appended meanwhile, by an
    editor or by `printf >>`. A file without a final newline gets one first; a file with CR LF line ends gets
    such lines.
    """

    path: PurePosixPath
    text: str


class Replace(Struct, frozen=True):
    """Replace the whole text of a file, if its etag is still the one that was read."""

    path: PurePosixPath
    text: str
    etag: str


class Move(Struct, frozen=True):
    """Move a file to a new name that does not exist."""

    path: PurePosixPath
    target: PurePosixPath
    etag: str


class Remove(Struct, frozen=True):
    """Remove a file, if its etag is still the one that was read."""

    path: PurePosixPath
    etag: str


class MoveTree(Struct, frozen=True):
    """Move a file, or a folder with all its content, to a new name that does not exist.

    It is moved unread and so has no etag. A link is moved itself, not its target.
    """

    path: PurePosixPath
    target: PurePosixPath


class RemoveTree(Struct, frozen=True):
    """Remove a file, or a folder with all its content: completely or not at all.

    It is removed unread and so has no etag. A link is removed itself, not its target.
    """

    path: PurePosixPath


class Secure(Struct, frozen=True):
    """Remove the permissions of other users on a file, or to write into a folder.

    `.` is the root. It changes no content and so has no etag.
    """

    path: PurePosixPath


class Permit(Struct, frozen=True):
    """Restore the permissions of a file or folder from before `Secure`: `mode` instead of `expect`.

    Nothing changes if its mode is no longer `expect`.
    """

    path: PurePosixPath
    mode: int
    expect: int


Change = Create | Append | Replace | Move | Remove | MoveTree | RemoveTree | Secure | Permit
Plan = tuple[Change, ...]


def changed_paths(change: Change) -> tuple[PurePosixPath, ...]:
    """The paths that a change writes to."""
    return (change.path, change.target) if isinstance(change, Move | MoveTree) else (change.path,)
