"""Trees for tests: made, copied, read back whole, and run on through the real command line."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from memtool.index.opening import lock_index
from memtool.store.files.disk import Disk
from memtool.store.workspace import Workspace, open_workspace

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
SAMPLE = Path(__file__).parent.parent / "sample-workspace"
NONEXISTENT = str(Path(__file__).parent / "nonexistent")
"""A path where no file is: it lies in the repository, since other machines may have any path elsewhere."""


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A folder with these files in it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    root.mkdir(parents=True, exist_ok=True)
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Every file of a tree with its bytes, what may be lost (.memtool) left out."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".memtool" not in path.relative_to(root).parts
    }


def opened(root: Path, layout: str | None = None, disk: type[Disk] = Disk, **settings: str) -> Workspace:
    """A workspace as the command line opens it, with nothing from this machine's environment."""
    environment = {"XDG_CONFIG_HOME": NONEXISTENT, **settings}
    return open_workspace(str(root), environment, layout, disk=disk)


def held_elsewhere(folder: Path | str) -> AbstractContextManager[None]:
    """The lock of the index in `folder`, held by another process meanwhile."""
    return in_another_process(lambda: lock_index(str(folder), 1.0))


@contextmanager
def in_another_process(held: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """What is held, held by another process meanwhile."""
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()

    def hold() -> None:
        with held():
            ready.set()
            done.wait(20)

    holder = context.Process(target=hold)
    holder.start()
    try:
        assert ready.wait(30)
        yield
    finally:
        done.set()
        holder.join()


@contextmanager
def interruptible() -> Iterator[None]:
    """Processes started inside obey SIGINT, also where the tests ignore it (`nohup make test &`)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """An environment in which nothing of this machine's user is seen."""
    here = str(Path(__file__).parent.parent)
    return {"PATH": os.environ["PATH"], "PYTHONPATH": here, "HOME": str(home), "LC_ALL": "C.UTF-8", **more}


def memtool(
    *arguments: str,
    home: Path,
    stdin: str | bytes = b"",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    result = subprocess.run(
        [sys.executable, "-m", "memtool", *arguments],
        input=given,
        capture_output=True,
        cwd=cwd,
        env=clean_environment(home, **(environment or {})),
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        result.args,
        result.returncode,
        result.stdout.decode("utf-8", "surrogateescape"),
        result.stderr.decode("utf-8", "surrogateescape"),
    )
