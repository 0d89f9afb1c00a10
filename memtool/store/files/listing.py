"""Snapshots of a tree: all regular files with their stats, and what could not be read."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable

from memtool.core.records.document import FileStat, TreeListing
from memtool.store.files.path_guard import LinkedFolder
from memtool.store.files.posix import error_reason, kind_name, stat_of


def list_tree(
    root: str,
    enters: Callable[[str], bool],
    full_stats: dict[str, os.stat_result] | None = None,
    within: Iterable[str] = ("",),
    linked: LinkedFolder | None = None,
) -> TreeListing:
    """All regular files below `root`, unordered; a folder is entered if `enters(its path)`.

    `within` are the folders to begin in. Names that begin with a dot and installed packages are skipped;
    links are not followed, save for `linked`. Never raises: the result names what cannot be listed, so that
    it does not count as empty. `full_stats` is filled with the full stat result of each file and each
    entered folder.
    """
    at_ns = time.time_ns()
    files: dict[str, FileStat] = {}
    unreadable: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    passed: list[str] = []
    folders = list(within)
    while folders:
        folder = folders.pop()
        try:
            entries = os.scandir(_real_folder(root, folder, linked))
        except FileNotFoundError:
            if not folder:
                unreadable.append(("", "the folder does not exist"))
            continue
        except OSError as error:
            unreadable.append((folder, error_reason(error)))
            continue
        prefix = f"{folder}/" if folder else ""
        with entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                path = prefix + name
                try:
                    info = entry.stat(follow_symlinks=False)
                    if linked is not None and path == linked.name and stat.S_ISLNK(info.st_mode):
                        info = os.stat(linked.target)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    unreadable.append((path, error_reason(error)))
                    continue
                mode = info.st_mode
                if stat.S_ISREG(mode):
                    files[path] = stat_of(info)
                elif not stat.S_ISDIR(mode):
                    skipped.append((path, kind_name(mode)))
                    continue
                elif not is_package_folder(path) and enters(path):
                    folders.append(path)
                else:
                    passed.append(path)
                    continue
                if full_stats is not None:
                    full_stats[path] = info
    return TreeListing(at_ns, files, tuple(unreadable), tuple(skipped), tuple(passed))


def _real_folder(root: str, folder: str, linked: LinkedFolder | None) -> str:
    """Where a folder is; below a link, in its allowed target, even if the link was replaced meanwhile."""
    if linked is not None and f"{folder}/".startswith(f"{linked.name}/"):
        return os.path.join(linked.target, folder[len(linked.name) + 1 :])
    return os.path.join(root, folder)


def is_package_folder(folder: str) -> bool:
    """Whether a folder has packages installed by a package manager, which are not memory."""
    return folder.rpartition("/")[2] == "node_modules"


def list_paths(root: str, paths: Iterable[str]) -> TreeListing:
    """A snapshot of these paths; links are not followed. Never raises."""
    at_ns = time.time_ns()
    files: dict[str, FileStat] = {}
    unreadable: list[tuple[str, str]] = []
    for path in paths:
        try:
            info = os.lstat(os.path.join(root, path))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            unreadable.append((path, error_reason(error)))
            continue
        if stat.S_ISREG(info.st_mode):
            files[path] = stat_of(info)
    return TreeListing(at_ns, files, tuple(unreadable))
