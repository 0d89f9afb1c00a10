"""Errors that end a command: one line on stderr, and the exit code."""

from __future__ import annotations

import os
import sys

from memtool.cli import output
from memtool.cli.session import Session
from memtool.errors import TRACEBACK_VARIABLE, InternalError, MemtoolError, OutputFailed


def report_failure(error: Exception | KeyboardInterrupt, session: Session) -> int:
    """Print the message of an error that no other handler takes, and return its exit code.

    With MEMTOOL_TRACEBACK a bug's traceback is printed, too.
    """
    if isinstance(error, OutputFailed):
        kept = "; the changes that the command made to files were kept (see memtool log)"
        output.print_message(f"{error}{kept if session.has_written else ''}")
        return error.exit_code
    if isinstance(error, MemtoolError):
        if not session.has_said(str(error)):  # as of changes that cannot be reverted
            output.print_message(str(error))
        return error.exit_code
    if isinstance(error, KeyboardInterrupt):
        output.print_message("interrupted")
        return 130
    if os.environ.get(TRACEBACK_VARIABLE):  # a bug, which must not exit with 1, the code of "not found"
        sys.excepthook(type(error), error, error.__traceback__)
    output.print_message(str(InternalError(error)))
    return InternalError.exit_code
