"""Disks for tests: one that stops or fails at its k-th operation, and one whose clock is ahead."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from memtool.store.files.disk import Disk

SAVED = b"by hand\n"
"""What a person saves on a disk with `races`."""


class Stopped(BaseException):
    """A simulated crash; a BaseException, so that no handler of errors catches it."""


class FaultyDisk(Disk):
    """Counts the operations that change the disk, and stops before number `stop_at` (from 0), for good.

    With `torn`, an operation that writes writes half of its bytes first. With `error`, operation `stop_at`
    raises this error number instead of stopping, and those after it work; with `writes_only` those that need
    space on the disk fail from then on, as on a full disk. With `races`, a person saves the file that
    operation `stop_at - 1` renames, right before that.
    """

    def __init__(
        self,
        root: str,
        stop_at: int | None = None,
        *,
        torn: bool = False,
        error: int = 0,
        writes_only: bool = False,
        races: bool = False,
    ) -> None:
        super().__init__(root)
        self.stop_at = stop_at
        self.torn = torn
        self.error = error
        self.writes_only = writes_only
        self.races = races
        self.done: list[str] = []
        self._is_torn = False

    def step(self, operation: str, path: PurePosixPath) -> None:
        is_last = self.stop_at is not None and len(self.done) >= self.stop_at
        is_first = len(self.done) == self.stop_at
        if self.races and self.stop_at == len(self.done) + 1:
            page = Path(self.root, path)
            page.with_name("saved").write_bytes(SAVED)
            page.with_name("saved").rename(page)
        elif is_first and self.torn and operation in {"write", "append"} and not self._is_torn:
            self._is_torn = True
            return
        elif is_last and self.error:
            needs_space = operation in {"create", "write", "append", "mkdir"}
            if is_first or (self.writes_only and needs_space):
                self.done.append(f"{operation} {path}")
                raise self._failure()
        elif is_last:
            raise Stopped(f"before {operation} of {path}")
        self.done.append(f"{operation} {path}")

    def write(self, handle: int, content: memoryview) -> int:
        if self._is_torn and len(self.done) == self.stop_at:
            os.write(handle, content[: len(content) // 2])
            if not self.error:
                raise Stopped("in the middle of a write")
            self.done.append("the second half of a write")
            raise self._failure()
        return super().write(handle, content)

    def _failure(self) -> OSError:
        return OSError(self.error, os.strerror(self.error))


class QuietDisk(Disk):
    """A disk whose clock runs ten seconds ahead, so that none of its files counts as just changed."""

    def clock_ns(self) -> int:
        return super().clock_ns() + 10_000_000_000
