"""Git: what memtool changed becomes a commit of its own, beside whatever the user has staged."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from memtool.core.journal import Moved, Permitted, Step, lines_of, touched
from memtool.errors import MemtoolError
from memtool.store import private
from memtool.store.git_place import NotOurs, found
from memtool.store.git_run import GitFailed, GitRun, identity, run, safe_path
from memtool.store.posix import reason

_PAUSE = 1.0
"""Seconds between two commits of one process, so that thousands of changes are not thousands of commits."""
_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply")
_TITLE = 100
_LISTED = 200


class Git:
    """Commits of one workspace to the repository it lies in; one that cannot be made is only told of."""

    def __init__(self, root: str, environment: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._root = root
        self._environment = environment
        self._say = say
        self._pending: dict[str, list[int]] = {}
        self._commands: dict[str, None] = {}
        self._at: datetime | None = None
        self._last = 0.0
        self._said: set[str] = set()

    @property
    def is_pending(self) -> bool:
        """Whether something was changed that is not committed yet."""
        return bool(self._pending)

    def changed(self, steps: Iterable[Step], command: str, at: datetime) -> None:
        """Put down what a commit to the tree did, for the next flush."""
        for step in steps:
            if isinstance(step, Permitted):
                continue
            gone, new = lines_of(step)
            for path in touched(step):
                counts = self._pending.setdefault(path, [0, 0])
                if not isinstance(step, Moved):
                    counts[0] += gone
                    counts[1] += new
        self._commands[command] = None
        self._at = at

    def flush(self, place: Callable[[str], str], *, last: bool = False) -> None:
        """Commit what was changed, under the workspace's lock; unless `last`, not soon after the last time.

        `place` says where a path really leads. Never raises for what git or the disk refuse.
        """
        if not self._pending or (not last and self._last and time.monotonic() - self._last < _PAUSE):
            return
        pending, command, at = self._pending, ", ".join(self._commands), self._at
        self._pending, self._commands, self._at = {}, {}, None
        try:
            self._commit({place(path): counts for path, counts in pending.items()}, command, at)
        except (GitFailed, NotOurs, MemtoolError) as error:
            self._tell(f"nothing was committed to git: {error}")
        except OSError as error:
            self._tell(f"nothing was committed to git: {reason(error)}")
        self._last = time.monotonic()

    def _tell(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    def _commit(self, paths: Mapping[str, Sequence[int]], command: str, at: datetime | None) -> None:
        program = shutil.which("git", path=safe_path(self._environment, self._root))
        if program is None:
            raise GitFailed("there is no git on the PATH")
        environment = {**self._environment, "PATH": safe_path(self._environment, self._root)}

        def ask(*words: str) -> str:
            return os.fsdecode(run(program, self._root, environment, words)).removesuffix("\n")

        repository = found(self._root, ask)
        for name in _BUSY:
            if os.path.lexists(os.path.join(repository.folder, name)):
                raise GitFailed("the repository is in the middle of a merge, a rebase or a bisection")
        index = os.path.join(private.make(self._root), "git-index")
        _cleared(index)
        try:
            self._on_index(GitRun(program, environment, repository, index), paths, command, at)
        finally:
            _cleared(index)

    def _on_index(
        self, git: GitRun, paths: Mapping[str, Sequence[int]], command: str, at: datetime | None
    ) -> None:
        old = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", no=True)
        git.text("read-tree", *([old] if old else ["--empty"]))
        names, filtered = git.ours(paths)
        if filtered:
            why = ".gitattributes gives it a filter, and memtool runs none"
            self._tell(f"{filtered[0]} was not committed to git: {why}")
        before = git.entries([*names.values()])
        staged = git.entries([*names.values()], user=True)
        for path, name in [*names.items()]:
            if staged.get(name) != before.get(name):  # half of what a commit of the user's is to be
                del names[path]
                how = "what is staged of it waits for a commit of yours, or for git reset"
                self._tell(f"{name} was not committed to git: {how}")
        new = git.entries_now([*names.values()])
        if not names or {name: before.get(name) for name in new} == new:
            return
        git.update(new)
        tree = git.text("write-tree")
        counts = {name: paths[path] for path, name in names.items()}
        parents = ["-p", old] if old else []
        signed = identity(git, at)
        made = git.text("commit-tree", tree, *parents, given=_message(command, counts), more=signed)
        git.text("update-ref", "-m", f"memtool {command}", "HEAD", made, old or "0" * len(made), more=signed)
        try:
            git.update(new, user=True)
        except GitFailed as error:
            self._tell(f"git's index was not brought in line with the commit; git reset does it ({error})")


def _cleared(index: str) -> None:
    for name in (index, f"{index}.lock"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _message(command: str, paths: Mapping[str, Sequence[int]]) -> str:
    """What a commit says: the command and what it changed, then each file."""
    name = f"memtool {command}".strip()
    title = f"{name}: {', '.join(_said(path, *counts) for path, counts in [*paths.items()][:2])}"
    if len(paths) > 2 or len(title) > _TITLE:
        title = f"{name}: {len(paths)} file{'' if len(paths) == 1 else 's'}"
    rows = [f"{path} +{new} -{gone}\n" for path, (gone, new) in [*paths.items()][:_LISTED]]
    more = f"and {len(paths) - _LISTED} more\n" if len(paths) > _LISTED else ""
    return f"{title}\n\n{''.join(rows)}{more}"


def _said(path: str, gone: int, new: int) -> str:
    count = new or gone
    lines = f"{count} line{'' if count == 1 else 's'}"
    return f"{lines} {'in' if new else 'out of'} {path}" if count else path
