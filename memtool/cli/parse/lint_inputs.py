"""What lint is given: paths as the shell has them, an unsaved text, codes, and a baseline's file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.lint.baseline import Baseline, parse, render, taken
from memtool.core.lint.code import SEVERITIES
from memtool.core.lint.codes import BY_NAME, chosen
from memtool.core.lint.problem import Problem
from memtool.errors import BadUsage, OutsideWorkspace, Unwritable


def chosen_codes(
    session: Session, select: Iterable[str], ignore: Iterable[str], severity: str
) -> frozenset[str]:
    """The codes that are asked for: selected, not ignored, and at least so bad. Raises BadUsage."""
    settings = session.workspace.settings
    selected = chosen(select, "--select") or chosen(settings["lint.select"], "lint.select")
    ignored = chosen(ignore, "--ignore") | chosen(settings["lint.ignore"], "lint.ignore")
    told = SEVERITIES[: SEVERITIES.index(severity) + 1]
    bad_enough = {name for name, code in BY_NAME.items() if code.severity in told}
    return frozenset((selected or frozenset(BY_NAME)) & bad_enough - ignored)


def places(session: Session, paths: Sequence[str], group: str | None) -> tuple[str, ...]:
    """The files and folders that are named, from the root. Raises BadUsage, OutsideWorkspace."""
    found = tuple(_place(session, path) for path in paths)
    groups = session.workspace.layout.groups
    for path in found:
        if group and not f"{path}/".startswith(f"{groups}/{group}/"):
            raise OutsideWorkspace(f"{path or 'the root'} is not of group {group!r}")
        if not os.path.lexists(os.path.join(session.workspace.root, path)):
            raise BadUsage(f"{path} is not there")
    return found


def contents(session: Session, stands_for: str | None) -> dict[str, bytes]:
    """What stdin holds, by the path it stands for; one that is no file's where none is named."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage("no text was given: pipe it in")
    path = _place(session, stands_for) if stands_for else "-"
    if not path or os.path.isdir(os.path.join(session.workspace.root, path)):
        raise BadUsage("--path names a folder, and stdin is a file's text")
    return {path: sys.stdin.buffer.read()}


def _place(session: Session, path: str) -> str:
    """A path from the root; where its folder is a link, that is followed, and the name itself is not."""
    root = session.workspace.root
    whole = os.path.normpath(os.path.join(os.getcwd(), path))
    folder, name = os.path.split(whole)
    real = os.path.join(os.path.realpath(folder), name)
    if real != root and not real.startswith(root.rstrip("/") + "/"):
        real = os.path.realpath(whole)
    found = os.path.relpath(real, root)
    if found == ".." or found.startswith("../"):
        raise OutsideWorkspace(f"{path} is outside the workspace {root}")
    return "" if found == "." else found


class BaselineFile:
    """The file of the problems that are known: the one that is named, else that of the settings."""

    def __init__(self, session: Session, named: str | None) -> None:
        self._session = session
        own = session.workspace.settings["lint.baseline"]
        self._is_named = named is not None
        self._name = named or own
        root = session.workspace.root
        self._file = os.path.realpath(named) if named else os.path.join(root, own) if own else ""
        inside = os.path.relpath(self._file, root) if self._file else ".."
        self._inside = None if inside.startswith("..") else PurePosixPath(inside)

    def read(self) -> Baseline | None:
        """What it knows; None where there is none. Raises BadUsage, Unreadable, Newer."""
        if not self._file:
            return None
        text = self._text()
        if text is None:
            if self._is_named:
                raise BadUsage(f"{self._name} is not there; --write-baseline makes it")
            self._session.notice(f"the baseline {self._name} is not there; --write-baseline makes it")
            return None
        return parse(text, self._name)

    def write(self, problems: Sequence[Problem]) -> None:
        """Put down that all these are known. Raises BadUsage, Unwritable, OutsideWorkspace."""
        session = self._session
        if not self._file:
            raise BadUsage("name the file with --baseline FILE, or with lint.baseline in the settings")
        text = render(taken(problems))
        if self._inside is not None:
            from memtool.verbs.lint.known import put_down

            session.show_plan(put_down(session.workspace, self._inside, text))
        elif session.workspace.writes:
            self._replace(text)
        if session.json and not session.dry_run:
            output.put_json({"baseline": self._name, "problems": len(problems)})
        what = "put down" if session.workspace.writes else "would be put down"
        session.notice(f"{len(problems)} problem{'s' * (len(problems) != 1)} {what} in {self._name}")

    def _text(self) -> str | None:
        if self._inside is not None:
            document = self._session.workspace.read(self._inside)
            return None if document is None else document.text
        try:
            with open(self._file, encoding="utf-8", errors="surrogateescape") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadUsage(f"{self._name} cannot be read: {error.strerror or error}") from error

    def _replace(self, text: str) -> None:
        temporary = f"{self._file}.{os.getpid()}"
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(text)
            os.replace(temporary, self._file)
        except OSError as error:
            raise Unwritable(f"{self._name} cannot be written: {error.strerror or error}") from error
