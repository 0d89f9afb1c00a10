"""The report file of `compact`, whose path is checked before anything is written."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from memtool.cli.session import Session
from memtool.errors import BadUsage

CompactionReport = Mapping[str, Any]


def report_writer(
    session: Session, path: str | None, source: BinaryIO | None
) -> Callable[[CompactionReport], None]:
    """A function that writes a report to a file; it does nothing without a path, or if nothing is written.

    Raises BadUsage at once for a path that cannot take a report: a folder, an existing file of the workspace,
    or the conversation itself. A later error of the disk is a notice only, because by then memory is written
    and the conversation must still be printed.
    """
    if path is None or not session.workspace.writes:
        return lambda _: None
    _check(session, path, source)

    def write(report: CompactionReport) -> None:
        text = json.dumps(report, ensure_ascii=False, indent=2) + "\n"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as error:
            session.notice(f"the report could not be written to {path}: {error.strerror or error}")

    return write


def _check(session: Session, path: str, source: BinaryIO | None) -> None:
    real, root = os.path.realpath(path), session.workspace.root
    inside = os.path.relpath(real, root)
    if not inside.startswith(".."):
        if session.acts_for_group:
            raise BadUsage(
                f"--report {path} is in the workspace; while MEMTOOL_GROUP is set, name a file "
                "outside the workspace"
            )
        hidden = any(step.startswith(".") for step in inside.split(os.sep))
        if hidden or os.path.exists(real) or session.workspace.role_of(inside) is not None:
            raise BadUsage(
                f"--report {path} would overwrite a file in the workspace, or is a path that memtool uses; "
                "choose another path"
            )
    folder = os.path.dirname(real)
    if os.path.exists(real) and not (os.path.isfile(real) or stat.S_ISCHR(os.stat(real).st_mode)):
        raise BadUsage(f"--report {path} is not a regular file; name a new file")
    if not os.path.isdir(folder):
        raise BadUsage(f"--report {path} cannot be written: the folder {folder} does not exist; create it")
    if not os.access(real if os.path.exists(real) else folder, os.W_OK):
        raise BadUsage(f"--report {path} cannot be written: permission denied; name another file")
    if source is not None and os.path.exists(real) and os.path.samefile(real, source.fileno()):
        raise BadUsage(f"--report {path} is the file that contains the conversation; name a different file")
