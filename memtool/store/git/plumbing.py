"""Run git's plumbing commands without the repository's hooks, filters, editors or transports."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memtool.store.git.repository import GitRepository

_TIMEOUT = 30.0
_LOCK_TIMEOUT, _PAUSE = 1.0, 0.05
"""Seconds to wait for another git command that locks the user's index, and between two attempts."""
_LOCKED_MESSAGE = "index.lock': File exists"
"""Git's message for a locked index; the lock itself may be released by then."""
_SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.editor": "false",
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.splitIndex": "false",
    "credential.helper": "",
    "commit.gpgSign": "false",
    "diff.external": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
    "user.useConfigOnly": "true",
}
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "false",
    "GIT_EDITOR": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
_PERSONS = ("AUTHOR", "COMMITTER")
_INHERITED = (
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    *(f"GIT_{who}_{what}" for who in _PERSONS for what in ("NAME", "EMAIL")),
)
_MAX_ARGUMENTS = 500
"""Largest number of names on one command line."""
_NO_FILTER = {b"unspecified", b"unset"}


class GitError(Exception):
    """A git command failed; the message says why."""


class GitIndexEntry(NamedTuple):
    """A file's entry in a git index."""

    mode: str
    blob: str


def safe_path(environment: Mapping[str, str], root: str) -> str:
    """The PATH to search for programs: only absolute folders outside the workspace."""
    inside = root.rstrip("/") + "/"
    folders = [
        folder
        for folder in environment.get("PATH", os.defpath).split(os.pathsep)
        if os.path.isabs(folder) and not f"{os.path.realpath(folder)}/".startswith(inside)
    ]
    return os.pathsep.join(folders) or os.defpath


def run_git(
    program: str,
    folder: str,
    environment: Mapping[str, str],
    words: Sequence[str],
    stdin: bytes = b"",
    extra_environment: Mapping[str, str] | None = None,
    exit_codes: Sequence[int] = (0,),
    handles: Sequence[int] = (),
) -> bytes:
    """The output of a git command, which inherits the handles. Raises GitError."""
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    inherited = {name: environment[name] for name in _INHERITED if environment.get(name)}
    try:
        done = subprocess.run(
            [program, "--no-pager", *settings, *words],
            input=stdin,
            capture_output=True,
            cwd=folder,
            env={**inherited, **_ENVIRONMENT, **(extra_environment or {})},
            timeout=_TIMEOUT,
            pass_fds=handles,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git {words[0]} gave no answer within {_TIMEOUT:g} s") from error
    if done.returncode not in exit_codes:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
        message = lines[0].removeprefix("fatal: ").removeprefix("error: ")
        raise GitError(f"git {words[0]}: {message}")
    return done.stdout


class GitPlumbing:
    """Git commands for one commit in a repository, on a separate index in the open folder `index_folder`."""

    def __init__(
        self,
        program: str,
        environment: Mapping[str, str],
        repository: GitRepository,
        index: str,
        index_folder: int,
    ) -> None:
        self._program = program
        self._environment = environment
        self._repository = repository
        self._index = index
        self._index_folder = index_folder

    def _run(
        self,
        *words: str,
        stdin: bytes = b"",
        extra_environment: Mapping[str, str] | None = None,
        exit_codes: Sequence[int] = (0,),
        user_index: bool = False,
    ) -> bytes:
        where = {"GIT_DIR": self._repository.folder, "GIT_WORK_TREE": self._repository.top}
        index = {} if user_index else {"GIT_INDEX_FILE": self._index}
        extra_environment = {**where, **index, **(extra_environment or {})}
        return run_git(
            self._program,
            self._repository.top,
            self._environment,
            words,
            stdin,
            extra_environment,
            exit_codes,
            () if user_index else (self._index_folder,),
        )

    def text(
        self,
        *words: str,
        stdin: str = "",
        extra_environment: Mapping[str, str] | None = None,
        may_fail: bool = False,
    ) -> str:
        """A command's output without its newline; with `may_fail`, exit code 1 without output is accepted."""
        content = stdin.encode("utf-8", "replace")
        return os.fsdecode(
            self._run(
                *words,
                stdin=content,
                extra_environment=extra_environment,
                exit_codes=(0, 1) if may_fail else (0,),
            )
        ).strip()

    def committable(self, paths: Iterable[str]) -> tuple[dict[str, str], list[str]]:
        """The paths that may be committed, with their names in the repository, and the names with a filter.

        Excluded are ignored files, files of nested repositories, and files with a filter: filters are not
        run, and a filter may be what encrypts the content.
        """
        names = {path: self._repository.prefix + path for path in paths if self._repository.contains(path)}
        if not names:
            return {}, []
        given = b"".join(b"./" + os.fsencode(name) + b"\0" for name in names.values())
        rows = self._run("check-ignore", "-z", "--stdin", stdin=given, exit_codes=(0, 1)).split(b"\0")
        ignored = {row.removeprefix(b"./") for row in rows}
        given = b"".join(os.fsencode(name) + b"\0" for name in names.values())
        fields = self._run("check-attr", "-z", "--stdin", "filter", stdin=given).split(b"\0")
        values = zip(fields[::3], fields[2::3], strict=False)
        filtered = {name for name, value in values if value not in _NO_FILTER}
        committable = {
            path: name for path, name in names.items() if os.fsencode(name) not in ignored | filtered
        }
        return committable, sorted(map(os.fsdecode, filtered - ignored))

    def entries(self, names: Sequence[str], *, user_index: bool = False) -> dict[str, GitIndexEntry]:
        """The entries of these names in the separate index, or the user's; one in conflict has no blob."""
        by_name: dict[str, GitIndexEntry] = {}
        for start in range(0, len(names), _MAX_ARGUMENTS):
            some = names[start : start + _MAX_ARGUMENTS]
            arguments = ("--literal-pathspecs", "ls-files", "-s", "-z", "--full-name", "--", *some)
            for row in self._run(*arguments, user_index=user_index).split(b"\0"):
                if row:
                    details, _, name = row.partition(b"\t")
                    mode, blob, stage = details.decode().split()
                    by_name[os.fsdecode(name)] = GitIndexEntry(mode, blob if stage == "0" else "")
        return by_name

    def current_entries(self, names: Sequence[str]) -> dict[str, GitIndexEntry | None]:
        """Entries of the current files, None for a missing one; writes their blobs to the repository."""
        modes: dict[str, str] = {}
        for name in names:
            full = os.path.join(self._repository.top, name)
            if os.path.isfile(full) and not os.path.islink(full):
                modes[name] = "100755" if os.access(full, os.X_OK) else "100644"
        given = b"".join(os.fsencode(f"./{name}" if name[0] == '"' else name) + b"\n" for name in modes)
        blobs = self._run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=given).decode().split()
        by_name = {
            name: GitIndexEntry(mode, blob) for (name, mode), blob in zip(modes.items(), blobs, strict=True)
        }
        return {name: by_name.get(name) for name in names}

    def update(self, entries: Mapping[str, GitIndexEntry | None], *, user_index: bool = False) -> None:
        """Update entries in the separate index, or in the user's after waiting for its lock."""
        end = time.monotonic() + _LOCK_TIMEOUT
        while True:
            try:
                self._run(
                    "update-index",
                    "-z",
                    "--index-info",
                    stdin=b"".join(_index_lines(entries)),
                    user_index=user_index,
                )
                return
            except GitError as error:
                if not user_index or _LOCKED_MESSAGE not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(_PAUSE)


def _index_lines(entries: Mapping[str, GitIndexEntry | None]) -> Iterator[bytes]:
    size = max((len(entry.blob) for entry in entries.values() if entry), default=40)
    for name, entry in entries.items():
        row = f"{entry.mode} {entry.blob}\t{name}" if entry else f"0 {'0' * size}\t{name}"
        yield os.fsencode(row) + b"\0"


def identity(git: GitPlumbing, at: datetime | None) -> dict[str, str]:
    """The environment for a commit's author and date: git's configured user, else memtool."""
    when = f"{int(at.timestamp())} +0000" if at else ""
    dates = {f"GIT_{who}_DATE": when for who in _PERSONS} if when else {}
    try:
        for who in _PERSONS:
            git.text("var", f"GIT_{who}_IDENT")
    except GitError:
        names = {f"GIT_{who}_NAME": "memtool" for who in _PERSONS}
        return {**dates, **names, **{f"GIT_{who}_EMAIL": "memtool@localhost" for who in _PERSONS}}
    return dates
