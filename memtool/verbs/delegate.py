"""A delegate: a command of the user's that condenses or extracts text, run within limits."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memtool.errors import BadUsage, DelegateFailed, OutsideWorkspace

GUARD_VARIABLE = "MEMTOOL_IN_SUMMARIZER"
"""Set to 1 in a delegate's environment, so that an agent run as a delegate does not call memtool back."""

_NO_COMMAND = 127


@dataclass(frozen=True, slots=True)
class Delegate:
    """A command that reads text on stdin and answers on stdout: a shell line, or program and arguments.

    `seconds` and `most` bound its time and the bytes of its answer. It comes from an option or from the
    user's own configuration, never from a workspace, and no program that lies under `root` is found for it.
    """

    name: str
    command: str | tuple[str, ...]
    environment: Mapping[str, str]
    root: str
    seconds: float = 60.0
    most: int = 1_000_000

    def run(self, text: str) -> str:
        """The command's answer, stripped. Raises DelegateFailed when it fails, is late, or says nothing.

        Raises OutsideWorkspace for a program inside the workspace, BadUsage for a command that is none.
        """
        words = self._words()
        try:
            child = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**self.environment, "PATH": self._path(), GUARD_VARIABLE: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise self._failed(f"could not be started: {why}") from error
        try:
            answer = self._talk(child, text.encode("utf-8", "replace"))
            status = child.wait(timeout=max(0.1, self.seconds))
        except subprocess.TimeoutExpired as error:
            raise self._failed(f"gave no answer within {self.seconds:g} s") from error
        finally:
            _end(child)
        if status == _NO_COMMAND and isinstance(self.command, str):
            raise self._failed("was not found by the shell")
        if status != 0:
            raise self._failed(f"ended with exit code {status}")
        if not answer.strip():
            raise self._failed("printed nothing")
        return answer.decode("utf-8", "replace").strip()

    @property
    def program(self) -> str:
        """The word that the command begins with."""
        if not isinstance(self.command, str):
            return self.command[0]
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise BadUsage(f"the {self.name} command cannot be read: {error}") from error
        if not words:
            raise BadUsage(f"the {self.name} command is empty")
        return words[0]

    def _words(self) -> Sequence[str]:
        """What is started. Raises BadUsage, OutsideWorkspace."""
        program = self.program
        if "/" in program and self._is_inside(program):
            raise OutsideWorkspace(
                f"the {self.name} command {program!r} lies inside the workspace, where nothing is ever run; "
                "keep it elsewhere"
            )
        return ["/bin/sh", "-c", self.command] if isinstance(self.command, str) else self.command

    def _path(self) -> str:
        """The folders in which programs are looked for: absolute ones outside the workspace."""
        folders = self.environment.get("PATH", os.defpath).split(os.pathsep)
        return os.pathsep.join(one for one in folders if os.path.isabs(one) and not self._is_inside(one))

    def _is_inside(self, path: str) -> bool:
        real = os.path.realpath(path)
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")

    def _failed(self, what: str) -> DelegateFailed:
        return DelegateFailed(f"the {self.name} command {self.program!r} {what}")

    def _talk(self, child: subprocess.Popen[bytes], given: bytes) -> bytes:
        """Write and read at once, within the time and the size that are allowed."""
        assert child.stdin is not None
        assert child.stdout is not None
        deadline = time.monotonic() + self.seconds
        answer, rest = bytearray(), memoryview(given)
        os.set_blocking(child.stdin.fileno(), False)
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdin, selectors.EVENT_WRITE)
            selector.register(child.stdout, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready and time.monotonic() >= deadline:
                    raise subprocess.TimeoutExpired(self.program, self.seconds)
                for key, _ in ready:
                    if key.fileobj is child.stdin:
                        try:
                            rest = rest[os.write(child.stdin.fileno(), rest[:65536]) :]
                        except BrokenPipeError:
                            rest = rest[len(rest) :]  # it has read all it wants
                        if not rest:
                            selector.unregister(child.stdin)
                            with contextlib.suppress(BrokenPipeError):
                                child.stdin.close()
                    else:
                        block = os.read(child.stdout.fileno(), 65536)
                        answer += block
                        if len(answer) > self.most:
                            raise self._failed(f"printed more than {self.most} bytes")
                        if not block:
                            selector.unregister(child.stdout)
        return bytes(answer)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Leave nothing of the command running: it is ended with everything that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    child.wait()
