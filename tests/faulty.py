"""Disks for tests: one that stops before its k-th operation, as in a crash, and one whose clock is ahead."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.store.files.disk import Disk


class Stopped(BaseException):
    """A simulated crash; a BaseException, so that no handler of errors catches it."""


class FaultyDisk(Disk):
    """Counts the operations that change the disk, and stops before number `stop_at` (from 0)."""

    def __init__(self, root: str, stop_at: int | None = None) -> None:
        super().__init__(root)
        self.stop_at = stop_at
        self.done: list[str] = []

    def step(self, operation: str, path: PurePosixPath) -> None:
        if self.stop_at is not None and len(self.done) >= self.stop_at:
            raise Stopped(f"before {operation} of {path}")
        self.done.append(f"{operation} {path}")


class QuietDisk(Disk):
    """A disk whose clock runs ten seconds ahead, so that none of its files counts as just changed."""

    def clock_ns(self) -> int:
        return super().clock_ns() + 10_000_000_000
