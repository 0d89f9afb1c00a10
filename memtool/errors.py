"""Every deliberate error, each with its exit code: the one table behind `memtool help exit-codes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pathlib would be a tenth of the start-up time of a short command
    from pathlib import PurePath


class MemtoolError(Exception):
    """Something a user can act on: a sentence that says what happened, where, and what to do.

    `exit_code` is the process's exit status; `meaning` is the line for it in the documentation.
    """

    exit_code = 3
    meaning = "could not tell: something needed could not be read"


class CouldNotTell(MemtoolError):
    """The answer depends on something that could not be read."""


class BadUsage(MemtoolError):
    """An option, argument or setting that memtool cannot act on."""

    exit_code = 2
    meaning = "usage: an option, argument, setting or input that memtool cannot act on"


class NoWorkspace(MemtoolError):
    """No workspace where one was looked for."""

    exit_code = 10
    meaning = "no workspace here"


class WatcherRuns(MemtoolError):
    """A second watcher was to be started for a workspace."""

    exit_code = 11
    meaning = "locked by another memtool for longer than the waiting limit"


class Locked(MemtoolError):
    """Another memtool held the workspace's lock for longer than this one would wait."""

    exit_code = 11
    meaning = "locked by another memtool for longer than the waiting limit"

    def __init__(self, path: PurePath, seconds: float) -> None:
        super().__init__(
            f"{path} is held by another memtool and was not free within {seconds:g} s; try again, "
            "or wait longer with MEMTOOL_LOCK_TIMEOUT"
        )


class StaleWrite(MemtoolError):
    """A file changed between being read and being written."""

    exit_code = 12
    meaning = "a file changed underneath; nothing was written"

    def __init__(self, path: PurePath) -> None:
        super().__init__(f"{path} changed while memtool was working; nothing was written, run it again")
        self.path = path


class ChangedUnderway(StaleWrite):
    """A file changed between two of many steps; those before it were made."""

    def __init__(self, path: PurePath, done: int, steps: int) -> None:
        MemtoolError.__init__(
            self,
            f"{path} changed while memtool was working; {done} of {steps} steps were made, run it again "
            "to go on",
        )
        self.path = path


class ChangedSince(StaleWrite):
    """A file changed after it was written down how it was to be put back."""

    def __init__(self, path: PurePath, since: str) -> None:
        MemtoolError.__init__(
            self, f"{path} changed since {since}; nothing was written, put back by hand what you miss of it"
        )
        self.path = path


class CannotUndo(MemtoolError):
    """What was done cannot be taken back: a file has changed since, or what was there is not kept."""

    exit_code = 12
    meaning = "a file changed underneath; nothing was written"


class OutsideWorkspace(MemtoolError):
    """A path that leaves the workspace, or that this caller may not touch."""

    exit_code = 13
    meaning = "outside the workspace, or not allowed to this caller"


class Unreadable(MemtoolError):
    """A file or folder that is there but cannot be read as what it must be."""

    exit_code = 14
    meaning = "unreadable: a file is there but cannot be read as what it must be"


class Newer(MemtoolError):
    """A file from a later memtool; it is left exactly as it is."""

    exit_code = 15
    meaning = "written by a newer memtool; left alone"


class NoOwner(MemtoolError):
    """Something about someone was to be stored, and nobody said about whom."""

    exit_code = 16
    meaning = "no owner: name one with --user or --session"


class DelegateFailed(MemtoolError):
    """A command that the user configured failed, took too long, or said nothing."""

    exit_code = 17
    meaning = "a delegate command failed"


class MissingExtra(MemtoolError):
    """An optional part that is not installed."""

    exit_code = 18
    meaning = "an optional part is not installed; the message names the extra"


class Unwritable(MemtoolError):
    """The disk refused a write: read-only, full, or not permitted. What was there is unchanged."""

    exit_code = 19
    meaning = "the disk refused a write; what was there is unchanged"


class OutOfTime(BaseException):
    """The time that this process was given is over; no Exception, so that nothing takes it for a fault."""


class WatcherSaid(MemtoolError):
    """An error that the watcher found while answering, with the exit code it has there."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


ERRORS: tuple[type[MemtoolError], ...] = (
    BadUsage,
    CouldNotTell,
    NoWorkspace,
    Locked,
    StaleWrite,
    OutsideWorkspace,
    Unreadable,
    Newer,
    NoOwner,
    DelegateFailed,
    MissingExtra,
    Unwritable,
)
"""Every kind of error, in the order of their exit codes."""
