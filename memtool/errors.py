"""The errors that a user can act on, each with its exit code; `memtool help exit-codes` lists them."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which every start would have to import
if TYPE_CHECKING:  # pathlib would be a tenth of the start-up time of a short command
    from pathlib import PurePath

RUN_AGAIN = "run the command again to continue"
"""What to do after an error that stopped a command between two steps."""
_LOCKED = (
    "another memtool process held the lock for longer than the timeout, or a watcher or fleet worker "
    "is already running"
)
_CHANGED = (
    "a file changed while memtool was working; or, for an undo or a restore, the file has changed since the "
    "original command was run or the backup was made; nothing was written"
)
_PARTLY = "only some of the changes were written; the message says how to continue"


class MemtoolError(Exception):
    """An error that a user can act on; its text says what happened, where, and what to do next.

    `exit_code` is the exit code of the process; `meaning` is its line in the documentation.
    """

    exit_code = 3
    meaning = "unknown result: a file or database that the answer depends on could not be read"

    def name_source(self, source: str) -> None:
        """Put before the text where the wrong value came from, such as the name of a variable."""
        self.args = (f"{source}: {self}",)


class CouldNotTell(MemtoolError):
    """The result depends on something that could not be read."""


class BadUsage(MemtoolError):
    """An option, argument, setting or input is invalid."""

    exit_code = 2
    meaning = "usage error: invalid option, argument, setting or input, or missing input file"


class OtherLayout(BadUsage):
    """A command that writes was given another layout than the one that memtool.toml names."""

    def __init__(self, own: str, given: str, *, is_variable: bool) -> None:
        """`is_variable` says that MEMTOOL_LAYOUT names the layout `given`, not --layout."""
        remedy = "unset MEMTOOL_LAYOUT" if is_variable else "omit --layout"
        super().__init__(
            f"memtool.toml says that this workspace has the {own} layout, not {given}; nothing was written; "
            f"{remedy}, or change the layout with memtool migrate --to {given}"
        )


class NotFound(BadUsage):
    """What the user names is not in memory: a fact, a rule, an entry of the journal."""

    exit_code = 1
    meaning = "negative result: nothing found, or a problem that needs attention"


class NoWorkspace(MemtoolError):
    """There is no workspace at the given path or above it."""

    exit_code = 10
    meaning = "no workspace found"


class WatcherAlreadyRuns(MemtoolError):
    """Another watcher already runs for the workspace."""

    exit_code = 11
    meaning = _LOCKED


class WorkerAlreadyRuns(MemtoolError):
    """Another worker already runs the jobs of the workspace's fleet."""

    exit_code = 11
    meaning = _LOCKED


class Locked(MemtoolError):
    """Another process held the lock of the workspace for longer than the timeout."""

    exit_code = 11
    meaning = _LOCKED

    def __init__(self, path: PurePath, seconds: float) -> None:
        super().__init__(
            f"{path} was locked by another memtool process for longer than {seconds:g} s; try again, "
            "or set MEMTOOL_LOCK_TIMEOUT to a larger number of seconds"
        )


class StaleWrite(MemtoolError):
    """A file changed between being read and being written."""

    exit_code = 12
    meaning = _CHANGED

    def __init__(self, path: PurePath) -> None:
        super().__init__(
            f"{path} changed while memtool was working; nothing was written; run the command again"
        )
        self.path = path


class ChangedSinceBackup(StaleWrite):
    """A file changed after the backup from which it was to be restored; `way` is what to do instead."""

    def __init__(self, path: PurePath, since: str, way: str = "") -> None:
        MemtoolError.__init__(
            self,
            f"{path} has changed since {since}; nothing was written; {way}{'or ' * bool(way)}copy what you "
            "need from the backup by hand",
        )
        self.path = path


class CannotUndo(MemtoolError):
    """An entry cannot be undone: a file has changed since, or its old content is not stored."""

    exit_code = 12
    meaning = _CHANGED


class OutsideWorkspace(MemtoolError):
    """A path is outside the workspace, or the caller may not access it."""

    exit_code = 13
    meaning = "path outside the workspace, or access denied"


class UnreadableFile(MemtoolError):
    """A file or folder exists but cannot be read or parsed."""

    exit_code = 14
    meaning = "unreadable file: it exists but cannot be read or parsed"


class NewerVersion(MemtoolError):
    """A file was written by a later version of memtool; it is left unchanged."""

    exit_code = 15
    meaning = "file written by a newer version of memtool; left unchanged"


class NoOwner(MemtoolError):
    """A memory needs an owner, and none was given."""

    exit_code = 16
    meaning = "no owner given: use --user or --session"


class DelegateFailed(MemtoolError):
    """A configured command failed, timed out or printed nothing."""

    exit_code = 17
    meaning = "a configured external command failed"


def extra_hint(*names: str) -> str:
    """How to install extras, as the end of a message; memtool is on no package index yet."""
    return (
        f"run pip install '.[{','.join(names)}]' in memtool's source folder "
        "(for pipx and uv, see memtool help install)"
    )


class MissingExtra(MemtoolError):
    """An optional dependency is not installed."""

    exit_code = 18
    meaning = "an optional dependency is not installed; the message names the extra"


class Unwritable(MemtoolError):
    """A write failed because the disk is full, read-only or not permitted; the old content is unchanged."""

    exit_code = 19
    meaning = (
        "a write failed (disk full or read-only): no file was changed, or the command finished but its "
        "output could not be written"
    )


class OutputFailed(Unwritable):
    """The output of a command could not be written, and the command has done its work."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"cannot write the output: {reason}")


class PartlyApplied(MemtoolError):
    """A command that writes in several steps, each of them whole, stopped after some of them."""

    exit_code = 20
    meaning = _PARTLY

    def __init__(self, error: MemtoolError, done: str, remedy: str = RUN_AGAIN) -> None:
        """`done` says what was written before the error."""
        reason = str(error).partition("; ")[0]  # what follows says that nothing was written
        super().__init__(f"only some of the changes were written ({done}), because {reason}; {remedy}")


class UnfinishedCommit(MemtoolError):
    """A write failed between two changes, and what was changed could not be restored either."""

    exit_code = 20
    meaning = _PARTLY

    def __init__(self, error: str, failure: str, *, is_recorded: bool) -> None:
        """`is_recorded` says whether the next writer knows what to restore."""
        remedy = (
            "the next memtool command that writes files will revert these changes"
            if is_recorded
            else "to see them, run memtool log --diff"
        )
        reason, cause = (text.partition("; ")[0] for text in (error, failure))  # as in PartlyApplied
        super().__init__(f"{reason}; the changes already written could not be reverted ({cause}); {remedy}")


class InternalError(MemtoolError):
    """An unexpected failure of memtool, a bug, in one sentence.

    Its text names the kind and place of the exception and how to report it, and leaves out the exception's
    own message, which may hold private text; only the system's words for an OSError are there.
    """

    exit_code = 70
    meaning = "a bug in memtool; the message says how to report it"

    def __init__(self, error: BaseException) -> None:
        reason = f" ({error.strerror.lower()})" if isinstance(error, OSError) and error.strerror else ""
        super().__init__(
            f"internal error: {error_place(error)}{reason}; this is a bug in memtool; please report it in "
            f"memtool's issue tracker, with the traceback that {TRACEBACK_VARIABLE}=1 prints"
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
    NotFound,
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
