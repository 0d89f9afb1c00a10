"""A report as a file of the user's, told to be possible before there is anything to lose."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from memtool.cli.session import Session
from memtool.errors import BadUsage

Report = Mapping[str, Any]


def reporter(session: Session, path: str | None, source: BinaryIO | None) -> Callable[[Report], None]:
    """What writes a report to a file; does nothing without one, in a dry run and in incognito.

    Raises BadUsage for a place that a report cannot have: a folder, memory, the conversation itself. What
    the disk refuses later is said, and no error: by then the memory is written, and the conversation waits to
    be printed.
    """
    if path is None or not session.workspace.writes:
        return lambda _: None
    _check(session, path, source)

    def write(report: Report) -> None:
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
            raise BadUsage(f"--report {path} lies in the workspace, and you act for one of its groups")
        hidden = any(step.startswith(".") for step in inside.split(os.sep))
        if hidden or os.path.exists(real) or session.workspace.located(inside) is not None:
            raise BadUsage(f"--report {path} would overwrite what is in the workspace; name a new file")
    folder = os.path.dirname(real)
    if os.path.exists(real) and not (os.path.isfile(real) or stat.S_ISCHR(os.stat(real).st_mode)):
        raise BadUsage(f"--report {path} is no file that a report could be written to")
    if not os.access(real if os.path.exists(real) else folder, os.W_OK):
        raise BadUsage(f"--report {path} cannot be written there")
    if source is not None and os.path.exists(real) and os.path.samefile(real, source.fileno()):
        raise BadUsage(f"--report {path} is the conversation itself; name another file")
