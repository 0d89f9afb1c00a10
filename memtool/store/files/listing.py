"""Snapshots of a tree: all regular files with their stats, and what could not be read."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator

from memtool.core.records.document import FileStat, TreeListing
from memtool.core.records.tree_snapshot import PackedFiles, TreeSnapshot, pack_stat
from memtool.store.files.path_guard import LinkedFolder
from memtool.store.files.posix import error_reason, kind_name, stat_of


def list_tree(
    root: str,
    enters: Callable[[str], bool],
    full_stats: dict[str, os.stat_result] | None = None,
    within: Iterable[str] = ("",),
    linked: LinkedFolder | None = None,
) -> TreeListing:
    """The files of `snapshot_tree` by path."""
    return snapshot_tree(root, enters, full_stats, within, linked).listing()


def snapshot_tree(
    root: str,
    enters: Callable[[str], bool],
    full_stats: dict[str, os.stat_result] | None = None,
    within: Iterable[str] = ("",),
    linked: LinkedFolder | None = None,
) -> TreeSnapshot:
    """All regular files below `root`, unordered; a folder is entered if `enters(its path)`.

    `within` are the folders to begin in. Names that begin with a dot and installed packages are skipped;
    links are not followed, save for `linked`. Never raises: the result names what cannot be listed, so that
    it does not count as empty. `full_stats` is filled with the full stat result of each file and each
    entered folder.
    """
    at_ns = time.time_ns()
    packed: dict[str, PackedFiles] = {}
    unreadable: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    passed: list[str] = []
    folders = list(within)
    while folders:
        folder = folders.pop()
        prefix = f"{folder}/" if folder else ""
        names: list[str] = []
        stats: list[bytes] = []
        try:
            with _entries(_real_folder(root, folder, linked)) as entries:
                for entry in entries:
                    name = entry.name
                    if name[0] == ".":
                        continue
                    try:
                        info = entry.stat(follow_symlinks=False)
                        if linked is not None and prefix + name == linked.name and stat.S_ISLNK(info.st_mode):
                            info = os.stat(linked.target)
                    except FileNotFoundError:
                        continue
                    except OSError as error:
                        unreadable.append((prefix + name, error_reason(error)))
                        continue
                    mode = info.st_mode
                    if stat.S_ISREG(mode):
                        names.append(name)
                        stats.append(pack_stat(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino))
                    elif not stat.S_ISDIR(mode):
                        skipped.append((prefix + name, kind_name(mode)))
                        continue
                    elif not is_package_folder(name) and enters(prefix + name):
                        folders.append(prefix + name)
                    else:
                        passed.append(prefix + name)
                        continue
                    if full_stats is not None:
                        full_stats[prefix + name] = info
        except FileNotFoundError:
            if not folder:
                unreadable.append(("", "the folder does not exist"))
            continue
        except OSError as error:
            unreadable.append((folder, error_reason(error)))
            continue
        packed[folder] = PackedFiles.of(names, stats)
    return TreeSnapshot(at_ns, packed, tuple(unreadable), tuple(skipped), tuple(passed))


@contextlib.contextmanager
def _entries(folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """The entries of a folder. By its handle their stats take a tenth less time than by its path."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with os.scandir(handle) as entries:
            yield entries
    finally:
        os.close(handle)


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


def list_excluded(
    root: str, snapshot: TreeListing, max_folders: int, visible: Callable[[TreeListing], TreeListing]
) -> TreeListing | None:
    """The `visible` listing of the folders that a snapshot did not enter; see `Workspace.unlisted_files`."""
    within = [path for path in snapshot.excluded if not is_package_folder(path)]
    count = len(within)

    def enters(_: str) -> bool:
        nonlocal count
        count += 1
        return count <= max_folders

    unlisted = visible(list_tree(root, enters, within=within))
    links = (path for path, _ in (*snapshot.skipped, *unlisted.skipped))
    if count > max_folders or any(os.path.isdir(os.path.join(root, path)) for path in links):
        return None
    return unlisted
