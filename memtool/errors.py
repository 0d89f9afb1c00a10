"""The errors that a user can act on, each with its exit code; `memtool help exit-codes` lists them."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which every start would have to import
if TYPE_CHECKING:  # pathlib would be a tenth of the start-up time of a short command
    from pathlib import PurePath


class MemtoolError(Exception):
    """An error that a user can act on; its text says what happened, where, and what to do next.

    `exit_code` is the exit code of the process; `meaning` is its line in the documentation.
    """

    exit_code = 3
    meaning = "could not tell: something needed could not be read"


class CouldNotTell(MemtoolError):
    """The result depends on something that could not be read."""


class BadUsage(MemtoolError):
    """An option, argument, setting or input is invalid."""

    exit_code = 2
    meaning = "usage: an option, argument, setting or input that memtool cannot act on"


class NoWorkspace(MemtoolError):
    """There is no workspace at the given path or above it."""

    exit_code = 10
    meaning = "no workspace here"


class WatcherAlreadyRuns(MemtoolError):
    """Another watcher already runs for the workspace."""

    exit_code = 11
    meaning = "locked by another memtool for longer than the waiting limit"


class Locked(MemtoolError):
    """Another process held the lock of the workspace for longer than the timeout."""

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


class ChangedSinceBackup(StaleWrite):
    """A file changed after the backup from which it was to be restored."""

    def __init__(self, path: PurePath, since: str) -> None:
        MemtoolError.__init__(
            self, f"{path} changed since {since}; nothing was written, put back by hand what you miss of it"
        )
        self.path = path


class CannotUndo(MemtoolError):
    """An entry cannot be undone: a file has changed since, or its old content is not stored."""

    exit_code = 12
    meaning = "a file changed underneath; nothing was written"


class OutsideWorkspace(MemtoolError):
    """A path is outside the workspace, or the caller may not access it."""

    exit_code = 13
    meaning = "outside the workspace, or not allowed to this caller"


class UnreadableFile(MemtoolError):
    """A file or folder exists but cannot be read or parsed."""

    exit_code = 14
    meaning = "unreadable: a file is there but cannot be read as what it must be"


class NewerVersion(MemtoolError):
    """A file was written by a later version of memtool; it is left unchanged."""

    exit_code = 15
    meaning = "written by a newer memtool; left alone"


class NoOwner(MemtoolError):
    """A memory needs an owner, and none was given."""

    exit_code = 16
    meaning = "no owner: name one with --user or --session"


class DelegateFailed(MemtoolError):
    """A configured command failed, timed out or printed nothing."""

    exit_code = 17
    meaning = "a delegate command failed"


class MissingExtra(MemtoolError):
    """An optional dependency is not installed."""

    exit_code = 18
    meaning = "an optional part is not installed; the message names the extra"


class Unwritable(MemtoolError):
    """A write failed because the disk is full, read-only or not permitted; the old content is unchanged."""

    exit_code = 19
    meaning = "the disk refused a write; what was there is unchanged"


class PartlyApplied(MemtoolError):
    """A command that writes in several steps, each of them whole, stopped after some of them."""

    exit_code = 20
    meaning = "only a part was written; the message says which, and how to go on"

    def __init__(self, error: MemtoolError, done: str) -> None:
        """`done` says what was written before the error."""
        reason = str(error).partition("; ")[0]  # what follows says that nothing was written
        super().__init__(f"only a part was written: {done}, then {reason}; run it again to go on")


class UnfinishedCommit(MemtoolError):
    """A write failed between two changes, and what was changed could not be restored either."""

    exit_code = 20
    meaning = "only a part was written; the message says which, and how to go on"

    def __init__(self, error: str, failure: str, *, is_recorded: bool) -> None:
        """`is_recorded` says whether the next writer knows what to restore."""
        remedy = "the next command that writes will do so" if is_recorded else "memtool log --diff shows it"
        super().__init__(f"{error}; what was already written could not be taken back ({failure}); {remedy}")


class InternalError(MemtoolError):
    """memtool failed in a way that nobody foresaw: a bug, told in one sentence.

    Its text names the kind and place of the exception and how to report it, and leaves out the exception's
    own message, which may hold private text; only the system's words for an OSError are there.
    """

    exit_code = 70
    meaning = "a bug in memtool; the message says how to report it"

    def __init__(self, error: BaseException) -> None:
        reason = f" ({error.strerror.lower()})" if isinstance(error, OSError) and error.strerror else ""
        super().__init__(
            f"internal error: {error_place(error)}{reason}; this is a bug in memtool, please report it in "
            f"its issue tracker with what {TRACEBACK_VARIABLE}=1 prints"
        )


TRACEBACK_VARIABLE = "MEMTOOL_TRACEBACK"
"""Set to anything, the traceback of an internal error is printed, too."""


def error_place(error: BaseException) -> str:
    """The type and place of an unexpected error, without its message, which may hold private text."""
    frame, place = error.__traceback__, "memtool"
    while frame is not None:
        module = frame.tb_frame.f_globals.get("__name__", "")
        if str(module).startswith("memtool."):
            place = f"{module}:{frame.tb_lineno}"
        frame = frame.tb_next
    return f"{type(error).__name__} at {place}"


class DeadlineExceeded(BaseException):
    """The deadline of the process has passed. A BaseException, so that no handler of errors catches it."""


class WatcherError(MemtoolError):
    """An error that the watcher reported, with its exit code."""

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
    UnreadableFile,
    NewerVersion,
    NoOwner,
    DelegateFailed,
    MissingExtra,
    Unwritable,
    PartlyApplied,
    InternalError,
)
"""One class for each exit code."""
