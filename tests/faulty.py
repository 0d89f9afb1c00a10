"""Disks for tests: one that stops at its k-th operation, as a crash would, and one that is quiet."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.store.files.disk import Disk


class Stopped(BaseException):
    """The machine stopped. No handler for errors may catch it."""


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
    """A disk whose clock runs ten seconds ahead, so that no file of it has changed just now."""

    def clock_ns(self) -> int:
        return super().clock_ns() + 10_000_000_000
