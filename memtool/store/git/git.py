"""Git: what memtool changed becomes a commit of its own, beside whatever the user has staged."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from memtool.core.history.effect import Effect, effects
from memtool.core.history.journal import Permitted, Step, touched, without_content
from memtool.errors import MemtoolError
from memtool.store.files import private
from memtool.store.files.posix import reason
from memtool.store.git.git_place import NotOurs, found
from memtool.store.git.git_run import GitFailed, GitRun, identity, run, safe_path

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
        self._pending: list[Step] = []
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
        self._pending += (without_content(step) for step in steps if not isinstance(step, Permitted))
        self._commands[command] = None
        self._at = at

    def flush(self, place: Callable[[str], str], *, last: bool = False) -> None:
        """Commit what was changed, under the workspace's lock; unless `last`, not soon after the last time.

        `place` says where a path really leads. Never raises for what git or the disk refuse.
        """
        if not self._pending or (not last and self._last and time.monotonic() - self._last < _PAUSE):
            return
        pending, command, at = self._pending, ", ".join(self._commands), self._at
        self._pending, self._commands, self._at = [], {}, None
        try:
            places = {path: place(path) for step in pending for path in touched(step)}
            told = [one.renamed(places) for one in effects(pending)]
            self._commit([*places.values()], told, command, at)
        except (GitFailed, NotOurs, MemtoolError) as error:
            self._tell(f"nothing was committed to git: {error}")
        except OSError as error:
            self._tell(f"nothing was committed to git: {reason(error)}")
        self._last = time.monotonic()

    def _tell(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._say(text)

    def _commit(
        self, paths: Sequence[str], told: Sequence[Effect], command: str, at: datetime | None
    ) -> None:
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
            self._on_index(GitRun(program, environment, repository, index), paths, told, command, at)
        finally:
            _cleared(index)

    def _on_index(
        self, git: GitRun, paths: Sequence[str], told: Sequence[Effect], command: str, at: datetime | None
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
        files = [one.renamed(names) for one in told if not names.keys().isdisjoint(one.names)]
        parents = ["-p", old] if old else []
        signed = identity(git, at)
        made = git.text("commit-tree", tree, *parents, given=_message(command, files), more=signed)
        git.text("update-ref", "-m", f"memtool {command}", "HEAD", made, old or "0" * len(made), more=signed)
        try:
            git.update(new, user=True)
        except GitFailed as error:
            self._tell(f"git's index was not brought in line with the commit; git reset does it ({error})")


def _cleared(index: str) -> None:
    for name in (index, f"{index}.lock"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _message(command: str, files: Sequence[Effect]) -> str:
    """What a commit says: the command and what it changed, then each file."""
    name = f"memtool {command}".strip()
    title = f"{name}: {', '.join(map(_said, files[:2]))}"
    if len(files) > 2 or len(title) > _TITLE:
        title = f"{name}: {len(files)} file{'' if len(files) == 1 else 's'}"
    rows = [f"{_path(one)}{_counted(one)}\n" for one in files[:_LISTED]]
    more = f"and {len(files) - _LISTED} more\n" if len(files) > _LISTED else ""
    return f"{title}\n\n{''.join(rows)}{more}"


def _said(one: Effect) -> str:
    count = one.new or one.gone
    lines = f"{count} line{'' if count == 1 else 's'}"
    return f"{lines} {'in' if one.new else 'out of'} {_path(one)}" if count else _path(one)


def _counted(one: Effect) -> str:
    return f" +{one.new} -{one.gone}" if one.new or one.gone else ""


def _path(one: Effect) -> str:
    return f"{one.before} -> {one.after}" if one.is_moved else one.path
