"""Trees for tests: creates and reads them, and runs the real command line on them."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from memtool.cli.table import COMMANDS
from memtool.core.records.scope import ROOT, Scope
from memtool.index.opening import lock_index
from memtool.store.config import schemas
from memtool.store.files.disk import Disk
from memtool.store.workspace import Workspace, open_workspace
from memtool.verbs.access.scope import decide_prompt_scope, decide_scope
from memtool.verbs.pending import do_pending
from tests import forked

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
SAMPLE = Path(__file__).parent.parent / "sample-workspace"
NONEXISTENT = str(Path(__file__).parent / "nonexistent")
"""A path without a file; inside the repository, because any path elsewhere may exist on some machine."""


CACHE = tempfile.TemporaryDirectory("-memtool-cache")
"""The cache folder of all commands of a test run: it holds compiled patterns alone."""


def make(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Create a folder with these files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    root.mkdir(parents=True, exist_ok=True)
    return root


def contents(root: Path) -> dict[str, bytes]:
    """The bytes of every file of a tree by path, without the derived files in .memtool."""
    files: dict[str, bytes] = {}
    _add_contents(os.fspath(root), "", files)
    return files


def _add_contents(folder: str, prefix: str, files: dict[str, bytes]) -> None:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:  # a folder that is missing or may not be read has no contents
        return
    folders = []
    for entry in entries:
        if entry.name == ".memtool":
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.name)
        elif entry.is_file(follow_symlinks=False) or os.path.isfile(entry.path):
            with open(entry.path, "rb", buffering=0) as file:
                files[f"{prefix}{entry.name}"] = file.readall()
    for name in folders:
        _add_contents(f"{folder}/{name}", f"{prefix}{name}/", files)


def opened(root: Path, layout: str | None = None, disk: type[Disk] = Disk, **settings: str) -> Workspace:
    """Open a workspace as the command line does, but without this machine's environment."""
    environment = {"XDG_CONFIG_HOME": NONEXISTENT, **settings}
    workspace = open_workspace(str(root), environment, layout, disk=disk)
    workspace.do_pending = do_pending
    return workspace


def scope_of(workspace: Workspace, group: str | None) -> Scope:
    """What may be read of a group by who acts for nobody; ROOT is the main group, named."""
    asked = workspace.settings["groups.main"] if group == ROOT else group
    return decide_scope(workspace, asked, None, writes=False)


def prompt_scope_of(workspace: Workspace, group: str | None, owners: Iterable[str] = ()) -> Scope:
    """What may go into a prompt of a group, for owners by their tags."""
    return decide_prompt_scope(workspace, group, None, frozenset(owners), writes=False)


def held_elsewhere(folder: Path | str) -> AbstractContextManager[None]:
    """Hold the lock of the index in `folder` in another process."""
    return in_another_process(lambda: lock_index(str(folder), 1.0))


@contextmanager
def in_another_process(held: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Hold a context in another process for the length of the block."""
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
    """Make processes that the block starts obey SIGINT, even if the tests ignore it (`nohup make test &`)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """An environment without the settings of this machine's user."""
    repository = str(Path(__file__).parent.parent)
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": repository,
        "HOME": str(home),
        "XDG_CACHE_HOME": CACHE.name,
        "LC_ALL": "C.UTF-8",
        **more,
    }


def check_output(arguments: Sequence[str], printed: bytes) -> None:
    """Assert that records printed with --json keep the schema of their command."""
    command = next((word for word in arguments if word in COMMANDS), None)
    if "--json" in arguments and command not in {None, "help"}:
        for line in printed.splitlines():
            fault = schemas.violation(f"out-{command}", json.loads(line))
            assert fault is None, f"{fault}\n{line.decode('utf-8', 'replace')}"


def memtool(
    *arguments: str,
    home: Path,
    stdin: str | bytes = b"",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the real command in its own process; see `tests.fork_server`.

    What it prints with --json must keep the schema of the command.
    """
    given = stdin.encode() if isinstance(stdin, str) else stdin
    variables = clean_environment(home, **(environment or {}))
    result = forked.run(arguments, given, cwd or os.getcwd(), variables)
    check_output(arguments, result.stdout)
    return subprocess.CompletedProcess(
        result.args,
        result.returncode,
        result.stdout.decode("utf-8", "surrogateescape"),
        result.stderr.decode("utf-8", "surrogateescape"),
    )
