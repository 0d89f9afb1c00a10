"""The input of lint: paths, unsaved text on stdin, codes, and the baseline file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from memtool.cli import output
from memtool.cli.session import Session
from memtool.core.lint.baseline import Baseline, baseline_of, parse, render
from memtool.core.lint.codes.all_codes import CODES_BY_NAME, select_codes
from memtool.core.lint.codes.lint_code import SEVERITIES
from memtool.core.lint.problem import Problem
from memtool.core.text.regex import regex
from memtool.errors import BadUsage, OutsideWorkspace, Unwritable


def selected_codes(session: Session, select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes that are selected and not ignored. Raises BadUsage."""
    settings = session.workspace.settings
    selected = select_codes(select, "--select") or select_codes(settings["lint.select"], "lint.select")
    ignored = select_codes(ignore, "--ignore") | select_codes(settings["lint.ignore"], "lint.ignore")
    return frozenset((selected or frozenset(CODES_BY_NAME)) - ignored)


def codes_below(severity: str) -> frozenset[str]:
    """The codes of problems that are less severe."""
    severities = SEVERITIES[SEVERITIES.index(severity) + 1 :]
    return frozenset(name for name, code in CODES_BY_NAME.items() if code.severity in severities)


def workspace_paths(session: Session, paths: Sequence[str], group: str | None) -> tuple[str, ...]:
    """The named files and folders, relative to the root. Raises BadUsage, OutsideWorkspace."""
    resolved = tuple(_workspace_path(session, path) for path in paths)
    groups = session.workspace.layout.groups
    for given, path in zip(paths, resolved, strict=True):
        if group and not f"{path}/".startswith(f"{groups}/{group}/"):
            name = path or "the root of the workspace"
            raise OutsideWorkspace(f"{name} is outside the folder of group {group!r}")
        if not os.path.lexists(os.path.join(session.workspace.root, path)):
            from memtool.cli.wrong_usage import similar_path

            is_code = regex(r"[Mm]\d+").fullmatch(path)
            codes = "; give codes to --select or --ignore, separated by commas"
            hint = codes if is_code else similar_path(given)
            hint = " (did you mean --fix?)" if path == "fix" else hint
            raise BadUsage(f"no such file or directory in {session.workspace.root}: {path!r}{hint}")
    return resolved


def stdin_contents(session: Session, stands_for: str | None) -> dict[str, bytes]:
    """The text on stdin by the path that it stands for, or by `-` if none is named. Raises BadUsage."""
    if sys.stdin is None or sys.stdin.isatty():
        raise BadUsage("no text given; pipe the text to stdin")
    path = _workspace_path(session, stands_for) if stands_for else "-"
    if not path or os.path.isdir(os.path.join(session.workspace.root, path)):
        raise BadUsage("--path must be a file, not a folder")
    content = sys.stdin.buffer.read()
    if not content and not stands_for:
        raise BadUsage("stdin is empty; pipe the text of a file, and name the file with --path")
    return {path: content}


def _workspace_path(session: Session, path: str) -> str:
    """A path relative to the root. A symbolic link in its folder is followed, one in its name is not.

    Raises OutsideWorkspace.
    """
    root = session.workspace.root
    whole = os.path.normpath(os.path.join(os.getcwd(), path))
    folder, name = os.path.split(whole)
    real = os.path.join(os.path.realpath(folder), name)
    if real != root and not real.startswith(root.rstrip("/") + "/"):
        real = os.path.realpath(whole)
    relative = os.path.relpath(real, root)
    if relative == ".." or relative.startswith("../"):
        raise OutsideWorkspace(
            f"{path} is outside the workspace {root}; to check another folder, run memtool --root FOLDER lint"
        )
    return "" if relative == "." else relative


class BaselineFile:
    """The baseline file: the one named by --baseline, else by the setting lint.baseline.

    The setting may come with a folder that somebody else made, so it names a file of the workspace. Raises
    BadUsage if it does not.
    """

    def __init__(self, session: Session, named: str | None) -> None:
        self._session = session
        configured = session.workspace.settings["lint.baseline"]
        self._is_named = named is not None
        self._name = named or configured
        root = session.workspace.root
        self._file = (
            os.path.realpath(named) if named else os.path.join(root, configured) if configured else ""
        )
        inside = os.path.relpath(self._file, root) if self._file else ".."
        self._inside = None if inside.startswith("..") else PurePosixPath(inside)
        if configured and not named and self._inside is None:
            raise BadUsage(
                f"the setting lint.baseline names {configured!r}, which is outside the workspace; "
                "name a file in the workspace, or use --baseline FILE"
            )

    def read(self) -> Baseline | None:
        """The baseline; None without a file. Raises BadUsage, UnreadableFile, NewerVersion.

        A file named by --baseline must exist; for a missing one of the settings there is a notice.
        """
        if not self._file:
            return None
        text = self._text()
        if text is None:
            if self._is_named:
                raise BadUsage(f"baseline {self._name}: no such file; create it with --write-baseline")
            self._session.notice(f"baseline {self._name}: no such file; create it with --write-baseline")
            return None
        return parse(text, self._name)

    def write(self, problems: Sequence[Problem]) -> None:
        """Write these problems as the baseline. Raises BadUsage, Unwritable, OutsideWorkspace."""
        session = self._session
        if not self._file:
            raise BadUsage("no baseline file given; use --baseline FILE or the setting lint.baseline")
        text = render(baseline_of(problems))
        if self._inside is not None:
            from memtool.verbs.lint.baseline_file import write_baseline

            session.show_plan(write_baseline(session.workspace, self._inside, text))
        elif session.workspace.writes:
            if (known := self._text()) and known.strip():
                parse(known, self._name)  # only a baseline is overwritten
            self._replace(text)
        if session.json and not session.dry_run:
            output.put_json({"baseline": self._name, "problems": len(problems)})
        verb = "recorded" if session.workspace.writes else "would be recorded"
        session.notice(f"{output.plural(len(problems), 'problem')} {verb} in {self._name}")

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
