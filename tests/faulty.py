"""Disks for tests: one that stops or fails at its k-th operation, and one whose clock is ahead."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from memtool.store.files.disk import Disk


class Stopped(BaseException):
    """A simulated crash; a BaseException, so that no handler of errors catches it."""


class FaultyDisk(Disk):
    """Counts the operations that change the disk, and stops before number `stop_at` (from 0), for good.

    With `torn`, an operation that writes writes half of its bytes first. With `error`, operation `stop_at`
    raises this error number instead, and those after it work; with `writes_only` those that need space on the
    disk fail from then on, as on a full disk.
    """

    def __init__(
        self,
        root: str,
        stop_at: int | None = None,
        *,
        torn: bool = False,
        error: int = 0,
        writes_only: bool = False,
    ) -> None:
        super().__init__(root)
        self.stop_at = stop_at
        self.torn = torn
        self.error = error
        self.writes_only = writes_only
        self.done: list[str] = []
        self._is_torn = False

    def step(self, operation: str, path: PurePosixPath) -> None:
        is_last = self.stop_at is not None and len(self.done) >= self.stop_at
        if is_last and self.error:
            is_first = len(self.done) == self.stop_at
            if is_first or (self.writes_only and operation in {"create", "write", "append", "mkdir"}):
                self.done.append(f"{operation} {path}")
                raise OSError(self.error, os.strerror(self.error))
        elif is_last and self.torn and operation in {"write", "append"} and not self._is_torn:
            self._is_torn = True
            return
        elif is_last:
            raise Stopped(f"before {operation} of {path}")
        self.done.append(f"{operation} {path}")

    def write(self, handle: int, content: memoryview) -> int:
        if self._is_torn:
            os.write(handle, content[: len(content) // 2])
            raise Stopped("in the middle of a write")
        return super().write(handle, content)


class QuietDisk(Disk):
    """A disk whose clock runs ten seconds ahead, so that none of its files counts as just changed."""

    def clock_ns(self) -> int:
        return super().clock_ns() + 10_000_000_000
