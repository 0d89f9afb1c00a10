"""Find the git repository of a workspace and check that it is safe to write to."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple


class UnsafeRepository(Exception):
    """There is no repository, or one that must not be written to; the message says why."""


class GitRepository(NamedTuple):
    """A repository: its work tree, its git folder, and the workspace's path in the work tree."""

    top: str
    folder: str
    prefix: str

    def contains(self, path: str) -> bool:
        """Whether a path of the workspace belongs to this repository and not to a nested one."""
        steps = (self.prefix + path).split("/")
        depth = len([step for step in self.prefix.split("/") if step])
        for count in range(depth + 1, len(steps)):
            if os.path.lexists(os.path.join(self.top, *steps[:count], ".git")):
                return False
        return ".git" not in steps


def enclosing_work_tree(folder: str) -> str | None:
    """The nearest folder with a `.git`, from this one upward; None if there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def find_repository(root: str, run_git: Callable[..., str]) -> GitRepository:
    """The repository that contains a workspace; `run_git` runs a git command there. Raises UnsafeRepository.

    A copied tree may have a `.git` that refers to another repository of the user by a link, a file or shared
    references; such a repository is refused.
    """
    top = enclosing_work_tree(root)
    if top is None:
        raise UnsafeRepository(f"{root} lies in no git repository; git init makes one")
    entry = os.path.join(top, ".git")
    options = ("--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
    rows = run_git("rev-parse", *options).split("\n")
    if len(rows) != 3:
        raise UnsafeRepository(f"{top} has a name that git and memtool cannot talk about")
    work_tree, folder, common = (os.path.realpath(row) for row in rows)
    if work_tree != top:
        raise UnsafeRepository(f"{entry} is a repository whose work tree is elsewhere")
    if os.path.islink(entry):
        raise UnsafeRepository(f"{entry} is a link")
    if os.path.isdir(entry):
        is_own = folder == common == entry
    elif common != folder:  # a linked work tree: its folder is in the main repository
        is_own = os.path.dirname(folder) == os.path.join(common, "worktrees") and _refers_back(folder, entry)
    else:  # a submodule: its folder is elsewhere and names this work tree
        is_own = _is_submodule_of(folder, top, run_git)
    if not is_own:
        raise UnsafeRepository(f"{entry} leads to a repository that is another's")
    for name in _written_paths(folder, common):
        if os.path.islink(name):
            raise UnsafeRepository(f"{name} is a link")
    return GitRepository(top, folder, f"{root[len(top) :].strip('/')}/".lstrip("/"))


def _is_submodule_of(folder: str, top: str, run_git: Callable[..., str]) -> bool:
    path = os.path.join(folder, "config")
    tree = run_git("config", "--file", path, "--no-includes", "--default", "", "--get", "core.worktree")
    return bool(tree) and os.path.realpath(os.path.join(folder, tree)) == top


def _refers_back(folder: str, entry: str) -> bool:
    try:
        with open(os.path.join(folder, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
            return os.path.realpath(file.read(4096).strip()) == entry
    except OSError:
        return False


def _written_paths(folder: str, common: str) -> list[str]:
    """The files that a commit writes to, with their folders."""
    try:
        with open(os.path.join(folder, "HEAD"), encoding="utf-8", errors="surrogateescape") as file:
            head = file.read(4096).strip()
    except OSError as error:
        raise UnsafeRepository(f"{folder} has no HEAD that can be read") from error
    names = [os.path.join(folder, name) for name in ("HEAD", "index", "logs", "logs/HEAD")]
    branch = head.removeprefix("ref: ") if head.startswith("ref: ") else ""
    if ".." in branch.split("/"):
        raise UnsafeRepository(f"{folder} has a HEAD that leads elsewhere")
    for start in (branch, f"logs/{branch}") if branch else ():
        steps = start.split("/")
        names += [os.path.join(common, *steps[: count + 1]) for count in range(len(steps))]
    return [*names, os.path.join(common, "objects"), os.path.join(common, "packed-refs")]
