"""Commit memtool's changes to git separately from what the user has staged."""

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
"""Seconds between two commits of one process, which limits the number of commits of bulk commands."""
_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply")
_TITLE = 100
_LISTED = 200


class Git:
    """Commits a workspace's changes to the repository that contains it; failures are only reported."""

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
        """Whether there are uncommitted changes."""
        return bool(self._pending)

    def changed(self, steps: Iterable[Step], command: str, at: datetime) -> None:
        """Record the steps of a commit to the tree for the next flush."""
        self._pending += (without_content(step) for step in steps if not isinstance(step, Permitted))
        self._commands[command] = None
        self._at = at

    def flush(self, place: Callable[[str], str], *, last: bool = False) -> None:
        """Commit the recorded changes, under the workspace's lock; unless `last`, at most once per pause.

        `place` resolves a path's links. Failures of git or the disk are reported, not raised.
        """
        if not self._pending or (not last and self._last and time.monotonic() - self._last < _PAUSE):
            return
        pending, command, at = self._pending, ", ".join(self._commands), self._at
        self._pending, self._commands, self._at = [], {}, None
        try:
            places = {path: place(path) for step in pending for path in touched(step)}
            changes = [effect.renamed(places) for effect in effects(pending)]
            self._commit([*places.values()], changes, command, at)
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
        self, paths: Sequence[str], changes: Sequence[Effect], command: str, at: datetime | None
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
            self._on_index(GitRun(program, environment, repository, index), paths, changes, command, at)
        finally:
            _cleared(index)

    def _on_index(
        self, git: GitRun, paths: Sequence[str], changes: Sequence[Effect], command: str, at: datetime | None
    ) -> None:
        old = git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", no=True)
        git.text("read-tree", *([old] if old else ["--empty"]))
        names, filtered = git.ours(paths)
        if filtered:
            reason_text = ".gitattributes gives it a filter, and memtool runs none"
            self._tell(f"{filtered[0]} was not committed to git: {reason_text}")
        before = git.entries([*names.values()])
        staged = git.entries([*names.values()], user=True)
        for path, name in [*names.items()]:
            if staged.get(name) != before.get(name):  # part of a commit that the user is preparing
                del names[path]
                advice = "what is staged of it waits for a commit of yours, or for git reset"
                self._tell(f"{name} was not committed to git: {advice}")
        new = git.entries_now([*names.values()])
        if not names or {name: before.get(name) for name in new} == new:
            return
        git.update(new)
        tree = git.text("write-tree")
        files = [change.renamed(names) for change in changes if not names.keys().isdisjoint(change.names)]
        parents = ["-p", old] if old else []
        author = identity(git, at)
        commit = git.text("commit-tree", tree, *parents, given=_message(command, files), more=author)
        git.text(
            "update-ref", "-m", f"memtool {command}", "HEAD", commit, old or "0" * len(commit), more=author
        )
        try:
            git.update(new, user=True)
        except GitFailed as error:
            self._tell(f"git's index was not brought in line with the commit; git reset does it ({error})")


def _cleared(index: str) -> None:
    for name in (index, f"{index}.lock"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _message(command: str, files: Sequence[Effect]) -> str:
    """The commit message: the command and a summary of its changes, then each file."""
    name = f"memtool {command}".strip()
    title = f"{name}: {', '.join(map(_said, files[:2]))}"
    if len(files) > 2 or len(title) > _TITLE:
        title = f"{name}: {len(files)} file{'' if len(files) == 1 else 's'}"
    rows = [f"{_path(effect)}{_counted(effect)}\n" for effect in files[:_LISTED]]
    more = f"and {len(files) - _LISTED} more\n" if len(files) > _LISTED else ""
    return f"{title}\n\n{''.join(rows)}{more}"


def _said(effect: Effect) -> str:
    count = effect.new or effect.gone
    lines = f"{count} line{'' if count == 1 else 's'}"
    return f"{lines} {'in' if effect.new else 'out of'} {_path(effect)}" if count else _path(effect)


def _counted(effect: Effect) -> str:
    return f" +{effect.new} -{effect.gone}" if effect.new or effect.gone else ""


def _path(effect: Effect) -> str:
    return f"{effect.before} -> {effect.after}" if effect.is_moved else effect.path
