"""Git's plumbing, so called that nothing a repository names is run: no hook, filter, editor or transport."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from memtool.store.git.git_place import Repository

_PATIENCE = 30.0
_LOCKED, _PAUSE = 1.0, 0.05
"""Seconds that another git command on the user's index is waited for, and between two looks."""
_LOCK = "index.lock': File exists"
"""What git says of an index that another command holds; the lock itself may be gone by then."""
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
_WHO = ("AUTHOR", "COMMITTER")
_KEPT = (
    "PATH",
    "HOME",
    "XDG_CONFIG_HOME",
    *(f"GIT_{who}_{what}" for who in _WHO for what in ("NAME", "EMAIL")),
)
_AT_ONCE = 500
"""Names that one command line takes."""
_NO_FILTER = {b"unspecified", b"unset"}


class GitFailed(Exception):
    """A git command that did not do what it was asked; the text says why."""


class Entry(NamedTuple):
    """A file as an index has it."""

    mode: str
    blob: str


def safe_path(environment: Mapping[str, str], root: str) -> str:
    """The folders in which a program is looked for: absolute ones outside the workspace."""
    inside = root.rstrip("/") + "/"
    kept = [
        one
        for one in environment.get("PATH", os.defpath).split(os.pathsep)
        if os.path.isabs(one) and not f"{os.path.realpath(one)}/".startswith(inside)
    ]
    return os.pathsep.join(kept) or os.defpath


def run(
    program: str,
    folder: str,
    environment: Mapping[str, str],
    words: Sequence[str],
    given: bytes = b"",
    more: Mapping[str, str] | None = None,
    fine: Sequence[int] = (0,),
) -> bytes:
    """What a git command prints. Raises GitFailed where it fails."""
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    kept = {name: environment[name] for name in _KEPT if environment.get(name)}
    try:
        done = subprocess.run(
            [program, "--no-pager", *settings, *words],
            input=given,
            capture_output=True,
            cwd=folder,
            env={**kept, **_ENVIRONMENT, **(more or {})},
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git {words[0]} gave no answer within {_PATIENCE:g} s") from error
    if done.returncode not in fine:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
        why = lines[0].removeprefix("fatal: ").removeprefix("error: ")
        raise GitFailed(f"git {words[0]}: {why}")
    return done.stdout


class GitRun:
    """Git commands for one commit, in one repository, on an index of our own."""

    def __init__(
        self, program: str, environment: Mapping[str, str], repository: Repository, index: str
    ) -> None:
        self._program = program
        self._environment = environment
        self._repository = repository
        self._index = index

    def _run(
        self,
        *words: str,
        given: bytes = b"",
        more: Mapping[str, str] | None = None,
        fine: Sequence[int] = (0,),
        user: bool = False,
    ) -> bytes:
        where = {"GIT_DIR": self._repository.folder, "GIT_WORK_TREE": self._repository.top}
        index = {} if user else {"GIT_INDEX_FILE": self._index}
        more = {**where, **index, **(more or {})}
        return run(self._program, self._repository.top, self._environment, words, given, more, fine)

    def text(
        self, *words: str, given: str = "", more: Mapping[str, str] | None = None, no: bool = False
    ) -> str:
        """What a command prints on its line; with `no`, it may also say nothing and exit with 1."""
        content = given.encode("utf-8", "replace")
        return os.fsdecode(self._run(*words, given=content, more=more, fine=(0, 1) if no else (0,))).strip()

    def ours(self, paths: Iterable[str]) -> tuple[dict[str, str], list[str]]:
        """The paths that may be committed, each with its name in the repository; and those with a filter.

        Not what git ignores or another repository holds, and nothing that a filter would change on its way:
        none is run, and unfiltered it could be what nobody but the user shall read.
        """
        names = {path: self._repository.prefix + path for path in paths if self._repository.holds(path)}
        if not names:
            return {}, []
        given = b"".join(b"./" + os.fsencode(name) + b"\0" for name in names.values())
        rows = self._run("check-ignore", "-z", "--stdin", given=given, fine=(0, 1)).split(b"\0")
        ignored = {row.removeprefix(b"./") for row in rows}
        given = b"".join(os.fsencode(name) + b"\0" for name in names.values())
        said = self._run("check-attr", "-z", "--stdin", "filter", given=given).split(b"\0")
        told = zip(said[::3], said[2::3], strict=False)
        filtered = {name for name, value in told if value not in _NO_FILTER}
        kept = {path: name for path, name in names.items() if os.fsencode(name) not in ignored | filtered}
        return kept, sorted(map(os.fsdecode, filtered - ignored))

    def entries(self, names: Sequence[str], *, user: bool = False) -> dict[str, Entry]:
        """The files under these names, as our index has them, or the user's; one in conflict has no blob."""
        found: dict[str, Entry] = {}
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            asked = ("--literal-pathspecs", "ls-files", "-s", "-z", "--full-name", "--", *some)
            for row in self._run(*asked, user=user).split(b"\0"):
                if row:
                    facts, _, name = row.partition(b"\t")
                    mode, blob, stage = facts.decode().split()
                    found[os.fsdecode(name)] = Entry(mode, blob if stage == "0" else "")
        return found

    def entries_now(self, names: Sequence[str]) -> dict[str, Entry | None]:
        """The files as they are; None for one that is gone. Their blobs are in the repository then."""
        there: dict[str, str] = {}
        for name in names:
            full = os.path.join(self._repository.top, name)
            if os.path.isfile(full) and not os.path.islink(full):
                there[name] = "100755" if os.access(full, os.X_OK) else "100644"
        given = b"".join(os.fsencode(f"./{name}" if name[0] == '"' else name) + b"\n" for name in there)
        blobs = self._run("hash-object", "-w", "--no-filters", "--stdin-paths", given=given).decode().split()
        made = {name: Entry(mode, blob) for (name, mode), blob in zip(there.items(), blobs, strict=True)}
        return {name: made.get(name) for name in names}

    def update(self, entries: Mapping[str, Entry | None], *, user: bool = False) -> None:
        """Put files into our index, or into the user's, once whoever has that locked is done."""
        end = time.monotonic() + _LOCKED
        while True:
            try:
                self._run("update-index", "-z", "--index-info", given=b"".join(_rows(entries)), user=user)
                return
            except GitFailed as error:
                if not user or _LOCK not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(_PAUSE)


def _rows(entries: Mapping[str, Entry | None]) -> Iterator[bytes]:
    size = max((len(one.blob) for one in entries.values() if one), default=40)
    for name, one in entries.items():
        row = f"{one.mode} {one.blob}\t{name}" if one else f"0 {'0' * size}\t{name}"
        yield os.fsencode(row) + b"\0"


def identity(git: GitRun, at: datetime | None) -> dict[str, str]:
    """Who commits: whoever the user's git says, else memtool; and when."""
    when = f"{int(at.timestamp())} +0000" if at else ""
    dates = {f"GIT_{who}_DATE": when for who in _WHO} if when else {}
    try:
        for who in _WHO:
            git.text("var", f"GIT_{who}_IDENT")
    except GitFailed:
        names = {f"GIT_{who}_NAME": "memtool" for who in _WHO}
        return {**dates, **names, **{f"GIT_{who}_EMAIL": "memtool@localhost" for who in _WHO}}
    return dates
