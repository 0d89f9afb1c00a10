"""Disks for tests: one that stops or fails at an operation, one that copies what stops leave, one ahead."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from memtool.store.files.disk import Disk

SAVED = b"# by hand\n"
"""What a person saves on a disk with `races`: a heading in Markdown, a comment in settings."""


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


class CopyingDisk(Disk):
    """Copies the tree, as it is before each operation that changes the disk, into numbered folders.

    A copy is what a process that is killed there leaves. Unless `after_sync`, there is none after a sync,
    which changes nothing that can be read.
    """

    def __init__(self, root: str, copies: Path, *, after_sync: bool = False) -> None:
        super().__init__(root)
        self.copies = copies
        self.after_sync = after_sync
        self.done: list[str] = []

    def step(self, operation: str, path: PurePosixPath) -> None:
        if self.after_sync or not self.done or not self.done[-1].startswith("fsync"):
            copy_tree(self.root, self.copies / str(len(self.done)))
        self.done.append(f"{operation} {path}")


def copy_tree(root: str | Path, target: Path) -> None:
    """Copy a tree, with its links: two names of a file are two names of its copy."""
    first_names: dict[int, str] = {}

    def copy(source: str, name: str) -> None:
        info = os.stat(source)
        first = first_names.setdefault(info.st_ino, name) if info.st_nlink > 1 else name
        if first == name:
            shutil.copy2(source, name)
        else:
            os.link(first, name)

    shutil.copytree(root, target, symlinks=True, copy_function=copy)


def each_stop(
    root: Path, run: Callable[[Callable[[str], Disk]], object], *, after_sync: bool = False
) -> Iterator[int]:
    """Run a command once; then make `root`, for each stop, the tree that it leaves, and yield its number.

    `run` is given what makes the command's disk. The tree has the path that it had in the run, because the
    record of an unfinished commit contains it. In the end `root` does not exist.
    """
    copies = root.with_name(f"{root.name}-stops")
    run(lambda folder: CopyingDisk(folder, copies, after_sync=after_sync))
    for number in sorted(int(copy.name) for copy in copies.iterdir()):
        shutil.rmtree(root)
        (copies / str(number)).rename(root)
        yield number
    shutil.rmtree(root)
    copies.rmdir()


class QuietDisk(Disk):
    """A disk whose clock runs ten seconds ahead, so that none of its files counts as just changed."""

    def clock_ns(self) -> int:
        return super().clock_ns() + 10_000_000_000
