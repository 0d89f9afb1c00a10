"""A job of the fleet as a process of its own: its output, its time limit, its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from msgspec import Struct

from memtool.core.secrets.redact import find_secrets
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.core.text.regex import regex
from memtool.fleet.document_rows import stored_text
from memtool.fleet.work import JobOutcome
from memtool.verbs.fleet.push import redacted_lines

_MOST_BYTES = 2**20
"""Bytes of output that are searched for secrets; what follows is dropped before anything is sent."""
_MOST_CHARACTERS = 8000
"""Characters of output that are sent to the fleet: the last ones, from the beginning of a line."""
_ESCAPE = r"\\(?:[bfnrt]|x[0-9a-f]{2}|u[0-9a-f]{4})|\x1b\[[0-9;]{0,16}m"
"""A character as the commands escape it, in JSON too, or a colour: a secret may follow it without a blank."""
_MOST_ROUNDS = 5
_CUT = "[the rest of the output was dropped]"
_END_SECONDS = 5.0
"""How long a process may take to end after SIGTERM."""
_READ_SECONDS = 2.0
"""How long the output is waited for after the process has ended; one that it started may hold the pipe."""
_OWN_VARIABLES = ("MEMTOOL_ROOT", "MEMTOOL_NOW")
"""Variables of the worker that its jobs do not get."""


class JobReport(Struct, frozen=True):
    """How a job ended; `output` is short and without secrets."""

    outcome: JobOutcome
    exit_code: int | None
    output: str


class JobProcess:
    """A command of memtool that runs in a workspace, without a shell, a terminal or an input.

    The process holds the open file `lock_handle` until it ends, even where this process is killed.
    """

    def __init__(
        self,
        root: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        lock_handle: int,
        seconds: float,
    ) -> None:
        """Start the command, which may run for so many seconds. Raises OSError."""
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._is_late = False
        self._output = bytearray()
        self._is_over = threading.Event()
        self._child = subprocess.Popen(
            [sys.executable, "-m", "memtool", "--root", root, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",  # Python imports modules from the current directory
            env={name: value for name, value in environment.items() if name not in _OWN_VARIABLES},
            start_new_session=True,
            pass_fds=[lock_handle],
        )
        self._reader = threading.Thread(target=self._read, name="job-output", daemon=True)
        self._reader.start()

    def wait(self, seconds: float) -> JobReport | None:
        """The report of the job, which is waited for; None if it still runs after so many seconds."""
        left = self._deadline - time.monotonic()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(max(0.0, min(seconds, left)))
        if self._child.returncode is None and left <= seconds:
            self._is_late = True
            self.stop()
        return None if self._child.returncode is None else self._report(self._child.returncode)

    def stop(self) -> None:
        """End the process and those that it started, the hard way if need be."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._child.poll() is not None:
                break
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_END_SECONDS)

    def _read(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as pipe:
            while not self._is_over.is_set():
                if not select.select([pipe], [], [], _READ_SECONDS)[0]:
                    continue
                block = os.read(pipe.fileno(), 65536)
                if not block:
                    break
                if len(self._output) <= _MOST_BYTES:
                    self._output += block

    def _report(self, status: int) -> JobReport:
        self._reader.join(_READ_SECONDS)
        self._is_over.set()  # a process that the job left behind does not keep the thread
        output = sendable_output(bytes(self._output))
        if self._is_late:
            reason = f"stopped after {self._seconds:g} s"
            return JobReport("timeout", None, f"{output}\n{reason}" if output else reason)
        return JobReport("ran", status if status >= 0 else 128 - status, output)


def sendable_output(output: bytes) -> str:
    """The end of a command's output, without secrets and in whole lines, for the fleet.

    Secrets are looked for from the beginning of the output on, so that none is cut before it is recognised.
    """
    lines = output[:_MOST_BYTES].decode("utf-8", "replace").splitlines()
    if len(output) > _MOST_BYTES:
        lines[-1:] = [_CUT]
    text = stored_text(_without_secrets("\n".join(lines)).strip())
    if len(text) <= _MOST_CHARACTERS:
        return text
    end = text[-_MOST_CHARACTERS:]
    return end.partition("\n")[2] or _CUT


def _without_secrets(text: str) -> str:
    """A text without its secrets, also without those that stand right after an escaped character."""
    for _ in range(_MOST_ROUNDS):
        text = redacted_lines(text)
        plain = regex(_ESCAPE).sub(lambda found: " " * len(found[0]), text)
        edits = [
            TextEdit(secret.start, secret.end, f"[REDACTED:{secret.kind}]") for secret in find_secrets(plain)
        ]
        redacted = apply_edits(text, edits).text
        if redacted == text:
            break
        text = redacted
    return text
