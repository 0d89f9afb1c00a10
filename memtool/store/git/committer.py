"""Commit memtool's changes to git separately from what the user has staged."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from memtool.core.history.file_effects import FileEffect, net_effects
from memtool.core.history.journal import CommitStep, Permitted, touched_paths, without_content
from memtool.errors import MemtoolError
from memtool.store.files import private
from memtool.store.files.posix import error_reason
from memtool.store.git.plumbing import GitError, GitPlumbing, identity, run_git, safe_path
from memtool.store.git.repository import UnsafeRepository, find_repository
from memtool.store.handle import handle_path
from memtool.store.root import PRIVATE_FOLDER

_INDEX = "git-index"
"""The index of the commit that is being made, in the private folder."""
_PAUSE = 1.0
"""Seconds between two commits of one process, which limits the number of commits of bulk commands."""
_OPERATION_FILES = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
)
_MAX_TITLE = 100
_MAX_LISTED = 200


class GitCommitter:
    """Commits a workspace's changes to the repository that contains it; failures are only reported."""

    def __init__(self, root: str, environment: Mapping[str, str], report: Callable[[str], None]) -> None:
        self._root = root
        self._environment = environment
        self._report = report
        self._pending: list[CommitStep] = []
        self._commands: dict[str, None] = {}
        self._at: datetime | None = None
        self._last_flush = 0.0
        self._reported: set[str] = set()

    @property
    def is_pending(self) -> bool:
        """Whether there are uncommitted changes."""
        return bool(self._pending)

    def record(self, steps: Iterable[CommitStep], command: str, at: datetime) -> None:
        """Record the steps of a commit to the tree for the next flush."""
        self._pending += (without_content(step) for step in steps if not isinstance(step, Permitted))
        self._commands[command] = None
        self._at = at

    def flush(self, resolve: Callable[[str], str], *, last: bool = False) -> None:
        """Commit the recorded changes, under the workspace's lock; unless `last`, at most once per pause.

        `resolve` resolves a path's links. Failures of git or the disk are reported, not raised.
        """
        if not self._pending or (
            not last and self._last_flush and time.monotonic() - self._last_flush < _PAUSE
        ):
            return
        pending, command, at = self._pending, ", ".join(self._commands), self._at
        self._pending, self._commands, self._at = [], {}, None
        try:
            places = {path: resolve(path) for step in pending for path in touched_paths(step)}
            changes = [effect.with_paths(places) for effect in net_effects(pending)]
            self._commit([*places.values()], changes, command, at)
        except (GitError, UnsafeRepository, MemtoolError) as error:
            self._report_once(f"nothing was committed to git: {error}")
        except OSError as error:
            self._report_once(f"nothing was committed to git: {error_reason(error)}")
        self._last_flush = time.monotonic()

    def _report_once(self, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._report(text)

    def _commit(
        self, paths: Sequence[str], changes: Sequence[FileEffect], command: str, at: datetime | None
    ) -> None:
        program = shutil.which("git", path=safe_path(self._environment, self._root))
        if program is None:
            raise GitError("there is no git on the PATH")
        environment = {**self._environment, "PATH": safe_path(self._environment, self._root)}

        def ask(*words: str) -> str:
            return os.fsdecode(run_git(program, self._root, environment, words)).removesuffix("\n")

        repository = find_repository(self._root, ask)
        for name in _OPERATION_FILES:
            if os.path.lexists(os.path.join(repository.folder, name)):
                raise GitError("the repository is in the middle of a merge, a rebase or a bisection")
        with private.opened(self._root) as folder:
            path = handle_path(folder, os.path.join(self._root, PRIVATE_FOLDER))
            git = GitPlumbing(program, environment, repository, os.path.join(path, _INDEX), folder)
            _remove_index(folder)
            try:
                self._commit_with_index(git, paths, changes, command, at)
            finally:
                _remove_index(folder)

    def _commit_with_index(
        self,
        git: GitPlumbing,
        paths: Sequence[str],
        changes: Sequence[FileEffect],
        command: str,
        at: datetime | None,
    ) -> None:
        old = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", may_fail=True)
        git.text("read-tree", *([old] if old else ["--empty"]))
        names, filtered = git.committable(paths)
        if filtered:
            reason_text = ".gitattributes gives it a filter, and memtool runs none"
            self._report_once(f"{filtered[0]} was not committed to git: {reason_text}")
        before = git.entries([*names.values()])
        staged = git.entries([*names.values()], user_index=True)
        for path, name in [*names.items()]:
            if staged.get(name) != before.get(name):  # part of a commit that the user is preparing
                del names[path]
                advice = "what is staged of it waits for a commit of yours, or for git reset"
                self._report_once(f"{name} was not committed to git: {advice}")
        new = git.current_entries([*names.values()])
        if not names or {name: before.get(name) for name in new} == new:
            return
        git.update(new)
        tree = git.text("write-tree")
        files = [change.with_paths(names) for change in changes if not names.keys().isdisjoint(change.paths)]
        parents = ["-p", old] if old else []
        author = identity(git, at)
        commit = git.text(
            "commit-tree", tree, *parents, stdin=_message(command, files), extra_environment=author
        )
        git.text(
            "update-ref",
            "-m",
            f"memtool {command}",
            "HEAD",
            commit,
            old or "0" * len(commit),
            extra_environment=author,
        )
        try:
            git.update(new, user_index=True)
        except GitError as error:
            self._report_once(
                f"git's index was not brought in line with the commit; git reset does it ({error})"
            )


def _remove_index(folder: int) -> None:
    for name in (_INDEX, f"{_INDEX}.lock"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)


def _message(command: str, files: Sequence[FileEffect]) -> str:
    """The commit message: the command and a summary of its changes, then each file."""
    name = f"memtool {command}".strip()
    title = f"{name}: {', '.join(map(_summary, files[:2]))}"
    if len(files) > 2 or len(title) > _MAX_TITLE:
        title = f"{name}: {len(files)} file{'' if len(files) == 1 else 's'}"
    rows = [f"{_path(effect)}{_line_counts(effect)}\n" for effect in files[:_MAX_LISTED]]
    more = f"and {len(files) - _MAX_LISTED} more\n" if len(files) > _MAX_LISTED else ""
    return f"{title}\n\n{''.join(rows)}{more}"


def _summary(effect: FileEffect) -> str:
    count = effect.added_lines or effect.removed_lines
    lines = f"{count} line{'' if count == 1 else 's'}"
    return f"{lines} {'in' if effect.added_lines else 'out of'} {_path(effect)}" if count else _path(effect)


def _line_counts(effect: FileEffect) -> str:
    return (
        f" +{effect.added_lines} -{effect.removed_lines}"
        if effect.added_lines or effect.removed_lines
        else ""
    )


def _path(effect: FileEffect) -> str:
    return f"{effect.before} -> {effect.after}" if effect.is_moved else effect.path
