"""`memtool scan` of one message without other options, without click: an agent's prompt may wait for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memtool.cli import output
from memtool.cli.failures import report_failure
from memtool.cli.session import Session
from memtool.cli.start_up import compiled_cache


def run_plain_scan(arguments: Sequence[str]) -> int | None:
    """Run `memtool scan -m TEXT`, or `memtool scan` with its message on stdin: the exit code.

    None for every other command line, which click parses: its help, its errors and its completion are those
    of all commands.
    """
    text: str | None = None
    match arguments:
        case ["scan", "-m" | "--message", message] if not message.startswith("-"):
            text = message
        case ["scan"] if sys.stdin is not None and not sys.stdin.isatty():
            pass  # its stdin is the message
        case _:
            return None
    if "_MEMTOOL_COMPLETE" in os.environ:
        return None
    os.umask(0o077)  # files that libraries create are as private as memtool's own
    session = Session()
    session.command = "scan"
    try:
        with output.ignore_closed_pipe():
            with compiled_cache(session.given):
                from memtool.cli.scanning import scan_input

                code = scan_input(session, None, text)
            output.flush()
            return code
    except KeyboardInterrupt as error:
        sys.stderr.write("\n")  # after the terminal's ^C, as click does
        return report_failure(error, session)
    except Exception as error:  # the last handler
        return report_failure(error, session)
    return 0  # the reader closed the pipe
