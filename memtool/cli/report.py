"""A report as a file of the user's: opened before there is anything to lose, written once there is."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memtool.cli.session import Session
from memtool.errors import BadUsage


@contextlib.contextmanager
def report_file(session: Session, path: str | None) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """What writes a report to a file; does nothing without one. Raises BadUsage where it cannot be opened.

    In a dry run or in incognito nothing is written. What the disk refuses later is said, and no error: by
    then the memory is written, and the conversation waits to be printed.
    """
    if path is None or not session.workspace.writes:
        yield lambda _: None
        return
    workspace = session.workspace
    inside = os.path.relpath(os.path.realpath(path), workspace.root)
    if workspace.located(inside) is not None:
        raise BadUsage(f"--report {path} would overwrite memory; name another file")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadUsage(f"--report {path} cannot be written: {error.strerror or error}") from error

    def write(report: Mapping[str, Any]) -> None:
        try:
            with open(descriptor, "w", encoding="utf-8", closefd=False) as file:
                file.truncate(0)
                file.write(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
        except OSError as error:
            session.notice(f"the report could not be written to {path}: {error.strerror or error}")

    try:
        yield write
    finally:
        os.close(descriptor)
