"""Remove what could still hold forgotten words: derived files, copies, and files that dead writers left."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator

from memtool.store.files import derived, private
from memtool.store.files.posix import error_reason
from memtool.store.files.tree_checks import TEMPORARY_SUFFIXES
from memtool.store.handle import handle_path
from memtool.store.root import PRIVATE_FOLDER

_CACHES = ("known-files", "lint", "vectors", "told.json", "prompts.json")
"""Derived files that are made again when they are needed, and the prompts of turns that have not ended."""
_LOGS = ("log", "watch.log")
_BACKUPS = "backups"
_OTHERS = frozenset(
    {"journal", "index", "transcripts", "facts", ".gitignore", "lock", *_CACHES, *_LOGS, _BACKUPS}
)
"""What is treated by name, and not by what it holds."""
_MOST_BYTES = 1 << 28


def remove_temporaries(root: str, folders: Iterable[str]) -> list[str]:
    """Remove the temporary files of dead writers in these folders; call it under the lock.

    Returns a sentence for each that could not be removed.
    """
    left: list[str] = []
    for folder in {"", PRIVATE_FOLDER, *folders}:
        try:
            names = os.listdir(os.path.join(root, folder))
        except OSError:
            continue
        for name in names:
            if not (name.startswith(".") and name.endswith(TEMPORARY_SUFFIXES)):
                continue
            try:
                _remove(os.path.join(root, folder, name))
            except OSError as error:
                path = os.path.join(folder, name)
                left.append(f"the temporary file {path} cannot be removed: {error_reason(error)}")
    return left


def remove_derived(root: str, holds: Callable[[str], bool]) -> list[str]:
    """Remove caches, and the backups, queued files and lines of logs whose text `holds` accepts.

    Indexes and the journal are left to those that own them. Returns the paths that could not be cleaned.
    """
    try:
        with private.opened(root, make=False) as handle:
            folder = handle_path(handle, private.folder(root))
            return [*_remove_derived(root, folder, holds)]
    except FileNotFoundError:
        return []


def _remove_derived(root: str, folder: str, holds: Callable[[str], bool]) -> Iterator[str]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        try:
            if name in _CACHES:
                _remove(path)
            elif name in _LOGS:
                _clean_log(root, name, holds)
            elif name == _BACKUPS:
                for backup in sorted(os.listdir(path)):
                    if any(_holds(file, holds) for file in _files(os.path.join(path, backup))):
                        _remove(os.path.join(path, backup))
            elif name not in _OTHERS and not name.endswith(".lock"):
                for file in [*_files(path)]:
                    if _holds(file, holds):
                        os.unlink(file)
        except OSError as error:
            yield (
                f"{PRIVATE_FOLDER}/{name} may still contain the forgotten text: {error_reason(error)}; "
                "check it by hand"
            )


def _clean_log(root: str, name: str, holds: Callable[[str], bool]) -> None:
    content = derived.read(root, name, _MOST_BYTES)
    if content is None:
        return
    lines = content.split(b"\n")
    kept = [line for line in lines if not holds(line.decode("utf-8", "surrogateescape"))]
    if kept != lines:
        derived.write(root, name, b"\n".join(kept))


def _holds(path: str, holds: Callable[[str], bool]) -> bool:
    """Whether a regular file holds something, or is too large to tell."""
    info = os.lstat(path)
    if not stat.S_ISREG(info.st_mode):
        return False
    if info.st_size > _MOST_BYTES:
        return True
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        return holds(f"{os.path.basename(path)}\n" + file.read().decode("utf-8", "surrogateescape"))


def _files(path: str) -> Iterable[str]:
    """A file, or all files below a folder; links are not followed."""
    if not os.path.isdir(path) or os.path.islink(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]


def _remove(path: str) -> None:
    """Remove a file or a link, or a folder with its files; links are not followed."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
