"""Folders that other programs synchronise between machines, and whether they leave `.memtool` alone.

What is in `.memtool` belongs to one machine: indexes, locks, the journal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import BadUsage, MemtoolError, Unwritable
from memtool.store.external.external_file import read_file, write_file
from memtool.store.files import globs
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER

_SYNCTHING, _DROPBOX = "Syncthing", "Dropbox"
_MARKERS = {_SYNCTHING: ".stfolder", _DROPBOX: ".dropbox.cache"}
"""What a program has in a folder that it synchronises."""
_MAC_FOLDERS = ("Library/Mobile Documents", "Library/CloudStorage")
"""Where macOS keeps the folders of iCloud, and of other programs."""
_IGNORE_FILE = ".stignore"
_ATTRIBUTE = "user.com.dropbox.ignored"
_SPECIAL = "*?[]{}\\"
"""Characters with a meaning in a pattern of Syncthing."""
_PREFIXES = ("(?i)", "(?d)")


class SyncFolder(Struct, frozen=True):
    """A folder that a program synchronises, and the path in it of the private folder of a workspace.

    `is_ignored` is None where that cannot be found out, or not be changed.
    """

    program: str
    path: str
    inner: str
    is_ignored: bool | None

    @property
    def pattern(self) -> str:
        """The line of Syncthing's ignore file that names the private folder."""
        return "/" + "".join(f"\\{char}" if char in _SPECIAL else char for char in self.inner)

    @property
    def ignore_file(self) -> str:
        """The path of Syncthing's ignore file."""
        return os.path.join(self.path, _IGNORE_FILE)


def sync_folders(root: str) -> Iterator[SyncFolder]:
    """The folders that contain a workspace, or are one, and that a program synchronises; outermost last."""
    private = os.path.join(root, PRIVATE_FOLDER)
    folder = root
    while True:
        inner = os.path.relpath(private, folder).replace(os.sep, "/")
        for program, marker in _MARKERS.items():
            if os.path.lexists(os.path.join(folder, marker)):
                is_ignored = _is_attributed(private) if program == _DROPBOX else _has_pattern(folder, inner)
                yield SyncFolder(program, folder, inner, is_ignored)
        parent = os.path.dirname(folder)
        if os.path.relpath(parent, os.path.dirname(os.path.dirname(parent))) in _MAC_FOLDERS:
            yield SyncFolder("macOS", folder, inner, None)
        if parent == folder:
            return
        folder = parent


def ignore_private_folder(folder: SyncFolder, now: datetime) -> None:
    """Have a program leave out the private folder of a workspace. Raises Unwritable, StaleWrite.

    For Syncthing, a line is added before the user's, because the first line that matches decides; for
    Dropbox, the private folder gets an attribute.
    """
    if folder.program == _DROPBOX:
        try:
            os.setxattr(os.path.join(folder.path, folder.inner), _ATTRIBUTE, b"1", follow_symlinks=False)
        except OSError as error:
            reason = f"{folder.inner} cannot be excluded from Dropbox: {error_reason(error)}"
            raise Unwritable(reason) from error
        return
    if os.path.islink(folder.ignore_file) or "\n" in folder.inner:
        reason = (
            "it is a link"
            if "\n" not in folder.inner
            else f"the path of {PRIVATE_FOLDER} contains a line break"
        )
        raise Unwritable(f"{folder.ignore_file} was not changed, because {reason}")
    before = read_file(folder.ignore_file)
    lines = (before.text or "").splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if not line.startswith("#escape")), len(lines))
    if first and not lines[first - 1].endswith("\n"):
        lines[first - 1] += "\n"
    write_file(
        before, "".join([*lines[:first], f"{folder.pattern}\n", *lines[first:]]), now, with_backup=False
    )


def _is_attributed(private: str) -> bool | None:
    """Whether a folder has the attribute with which Dropbox leaves it out; None where it cannot be read."""
    if not hasattr(os, "getxattr"):
        return None
    try:
        return os.getxattr(private, _ATTRIBUTE, follow_symlinks=False) not in {b"", b"0"}
    except OSError:
        return False


def _has_pattern(folder: str, inner: str) -> bool:
    """Whether Syncthing's ignore file, or one that it includes, names a path; the first match decides."""
    return _first_match(folder, _IGNORE_FILE, inner, ()) or False


def _first_match(folder: str, name: str, inner: str, including: Sequence[str]) -> bool | None:
    try:
        text = read_file(os.path.join(folder, name)).text or ""
    except MemtoolError:
        return None
    paths = [inner, *map(str, PurePosixPath(inner).parents)][:-1]
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#include ") and name not in including:
            found = _first_match(folder, line.partition(" ")[2].strip(), inner, (*including, name))
            if found is not None:
                return found
        elif line and not line.startswith(("#", "//")):
            pattern, is_excepted = line, False
            while pattern.startswith(("!", *_PREFIXES)):
                is_excepted |= pattern[0] == "!"
                pattern = pattern[1 if pattern[0] == "!" else len(_PREFIXES[0]) :]
            if _matches(pattern, paths):
                return not is_excepted
    return None


def _matches(pattern: str, paths: Sequence[str]) -> bool:
    if "/" in pattern and not pattern.startswith("/"):
        pattern = f"**/{pattern}"  # unlike in git, it need not begin at the root
    try:
        matches = globs.matcher([pattern], _IGNORE_FILE)
    except BadUsage:
        return False
    return any(map(matches, paths))
