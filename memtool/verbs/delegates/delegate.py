"""Delegates: the user's own commands that summarise, extract or embed text, run within limits."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from memtool.errors import BadUsage, DelegateFailed, OutsideWorkspace

GUARD_VARIABLE = "MEMTOOL_IN_SUMMARIZER"
"""Set to 1 in a delegate's environment, so that a memtool that it calls starts no delegate."""

_NO_COMMAND = 127
_MOST_SECONDS = 86_400.0
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_PLAIN_PROGRAM = re.compile(r"[\w@%+:,./ -]+")
"""A first word of a shell line that the shell takes as it is, as the name or the path of a program."""


class Delegate(Struct, frozen=True):
    """A command that reads text on stdin and answers on stdout: a shell line, or a program and arguments.

    `seconds` and `max_bytes` limit its time and the bytes of its answer. It comes from an option or from the
    user's configuration, never from a workspace; a program under `root` is refused. It runs in `folder`, else
    where memtool does. `guard` is set to 1 in its environment, and where it is set already nothing is run.
    Messages call it `label`, or else by `name` and program.
    """

    name: str
    command: str | tuple[str, ...]
    environment: Mapping[str, str]
    root: str
    seconds: float = 60.0
    max_bytes: int = 1_000_000
    folder: str | None = None
    guard: str = GUARD_VARIABLE
    label: str = ""

    def run(self, text: str) -> str:
        """Run the command; return its stripped answer.

        Raises DelegateFailed if it fails, times out or prints nothing, OutsideWorkspace for a program inside
        the workspace, BadUsage for an invalid command.
        """
        answer = self._run(text, subprocess.PIPE)
        if not answer.strip():
            raise DelegateFailed(f"{self._title()} printed nothing")
        return answer.decode("utf-8", "replace").strip()

    def notify(self, text: str) -> None:
        """Run the command and discard what it prints on stdout; raises as `run`, not if it prints nothing."""
        self._run(text, subprocess.DEVNULL)

    def _run(self, text: str, output: int) -> bytes:
        arguments = self._arguments()
        if self.environment.get(self.guard):
            raise DelegateFailed(
                f"{self._title()} was not started, because this memtool process was called by a command that "
                "memtool itself had started"
            )
        with _Termination() as termination:
            return self._start(arguments, text, output, termination)

    def _start(self, arguments: Sequence[str], text: str, output: int, termination: _Termination) -> bytes:
        deadline = time.monotonic() + min(self.seconds, _MOST_SECONDS)
        try:
            child = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=output,
                cwd=self.folder,
                env={**self.environment, "PATH": self._search_path(), self.guard: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise DelegateFailed(f"{self._title()} cannot be started: {reason}") from error
        try:
            termination.allow()
            answer = self._exchange(child, text.encode("utf-8", "replace"), deadline)
            status = child.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise DelegateFailed(f"{self._title()} timed out after {self.seconds:g} s") from error
        finally:
            _kill(child)
        if status != 0:
            missing = self.missing_program() if status == _NO_COMMAND else None
            reason = f": {missing!r} not found" if missing else ""
            raise DelegateFailed(f"{self._title()} failed with exit code {status}{reason}")
        return answer

    @property
    def program(self) -> str:
        """The program of the command, after any variable assignments."""
        if not isinstance(self.command, str):
            return self.command[0]
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise BadUsage(f"{self._label_or_name} is not a valid shell command: {error}") from error
        if not words:
            raise BadUsage(f"{self._label_or_name} is empty")
        return next((word for word in words if not _ASSIGNMENT.fullmatch(word)), words[0])

    def missing_program(self) -> str | None:
        """Return the program if it certainly does not exist or is not executable; else None.

        That is known of a name, of an absolute path and, where `folder` is set, of a relative path. It is not
        known of a shell line that begins with anything else. The command is not run. Raises BadUsage, and
        OutsideWorkspace for a program inside the workspace.
        """
        self._refuse_inside()
        program, search_path, is_line = self.program, self._search_path(), isinstance(self.command, str)
        if is_line and not (_PLAIN_PROGRAM.fullmatch(program) and self._begins_with(program)):
            return None
        if "/" in program:
            if self.folder is None and not os.path.isabs(program):
                return None
            return None if shutil.which(os.path.join(self.folder or "", program)) else program
        if shutil.which(program, path=search_path) or (is_line and _is_builtin(program, search_path)):
            return None
        return program

    def _begins_with(self, program: str) -> bool:
        """Whether the shell line begins with its program, without assignments, which may change PATH."""
        assert isinstance(self.command, str)
        return shlex.split(self.command)[0] == program

    def _refuse_inside(self) -> None:
        program = self.program
        path = program if "/" in program else shutil.which(program, path=self._search_path())
        if path is not None and self._is_inside(path):
            raise OutsideWorkspace(
                f"{self._title()} is inside the workspace, and memtool does not run programs "
                "from there; move the program elsewhere"
            )

    def _arguments(self) -> Sequence[str]:
        """The arguments of the process. Raises BadUsage, OutsideWorkspace."""
        self._refuse_inside()
        return ["/bin/sh", "-c", self.command] if isinstance(self.command, str) else self.command

    def _search_path(self) -> str:
        """The search path for programs: the absolute folders of PATH outside the workspace."""
        folders = self.environment.get("PATH", os.defpath).split(os.pathsep)
        outside = [folder for folder in folders if os.path.isabs(folder) and not self._is_inside(folder)]
        return os.pathsep.join(outside) or os.defpath

    def _is_inside(self, path: str) -> bool:
        real = os.path.realpath(os.path.join(self.folder or "", path))
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")

    def _title(self) -> str:
        return self.label or f"{self._label_or_name} {self.program!r}"

    @property
    def _label_or_name(self) -> str:
        return self.label or f"the {self.name} command"

    def _exchange(self, child: subprocess.Popen[bytes], given: bytes, deadline: float) -> bytes:
        """Write the input and read the answer concurrently, within the limits of time and size."""
        assert child.stdin is not None
        answer, unsent = bytearray(), memoryview(given)
        os.set_blocking(child.stdin.fileno(), False)
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdin, selectors.EVENT_WRITE)
            if child.stdout is not None:
                selector.register(child.stdout, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready and time.monotonic() >= deadline:
                    raise subprocess.TimeoutExpired(self.program, self.seconds)
                for key, _ in ready:
                    if key.fileobj is child.stdin:
                        try:
                            unsent = unsent[os.write(child.stdin.fileno(), unsent[:65536]) :]
                        except BrokenPipeError:
                            unsent = unsent[len(unsent) :]  # it stopped reading
                        if not unsent:
                            selector.unregister(child.stdin)
                            with contextlib.suppress(BrokenPipeError):
                                child.stdin.close()
                    elif child.stdout is not None:
                        block = os.read(child.stdout.fileno(), 65536)
                        answer += block
                        if len(answer) > self.max_bytes:
                            raise DelegateFailed(f"{self._title()} printed more than {self.max_bytes} bytes")
                        if not block:
                            selector.unregister(child.stdout)
        return bytes(answer)


def _is_builtin(word: str, search_path: str) -> bool:
    """Whether the shell knows a word as one of its own commands or keywords."""
    arguments = ["/bin/sh", "-c", 'command -v -- "$1"', "sh", word]
    found = subprocess.run(arguments, env={"PATH": search_path}, stdout=subprocess.PIPE, check=False)
    return bool(found.stdout.strip())


class _Termination:
    """Turns SIGTERM and SIGHUP into SystemExit, so that the delegate is ended as by an interrupt.

    One that arrives before `allow`, while the delegate starts, takes effect there: a process that is not
    known yet could not be ended. Only the main thread receives signals.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}
        self._received = 0
        self._is_allowed = False

    def allow(self) -> None:
        """Raise SystemExit for a signal that was received, and from now on at once."""
        self._is_allowed = True
        if self._received:
            raise SystemExit(128 + self._received)

    def _stop(self, number: int, _: object) -> None:
        self._received = number
        if self._is_allowed:
            raise SystemExit(128 + number)

    def __enter__(self) -> _Termination:
        if threading.current_thread() is threading.main_thread():
            self._handlers = {
                number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGHUP)
            }
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers = {}
        if self._received and not self._is_allowed:  # the delegate could not be started
            raise SystemExit(128 + self._received)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the command and its process group, and close its pipes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    child.wait()
