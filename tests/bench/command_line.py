"""The command line in this process: what `memtool ARGUMENTS` does, without starting an interpreter for each.

The indexes of a workspace are opened once; each command brings them in line with the files, as the watcher
does.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memtool.cli.main import memtool_group
from memtool.cli.session import Session
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.indexing.indexes import SearchIndexes


class CommandLine:
    """Runs commands on the workspace at `root`, with settings and keys of the user in `home` alone."""

    def __init__(self, root: Path, home: Path, **environment: str) -> None:
        self.root = root
        self.environment: Mapping[str, str] = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
            **environment,
        }

    def run(self, *arguments: str) -> str:
        """What the command prints. Raises what the command does."""
        written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        with contextlib.redirect_stdout(written):
            memtool_group.main(
                ["--root", str(self.root), "--quiet", *arguments],
                prog_name="memtool",
                standalone_mode=False,
                obj=_OpenSession(self),
            )
        written.flush()
        buffer = written.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8", "surrogateescape")

    def records(self, *arguments: str) -> list[Any]:
        """The JSON Lines that the command prints."""
        return [json.loads(line) for line in self.run("--json", *arguments).splitlines()]

    @functools.cached_property
    def indexes(self) -> SearchIndexes:
        """The open indexes of the workspace."""
        session = Session()
        session.environment = self.environment
        session.given["root"] = str(self.root)
        session.given["quiet"] = True
        return session.search_indexes()

    def close(self) -> None:
        """Release the indexes."""
        if "indexes" in self.__dict__:
            self.indexes.close()
            del self.__dict__["indexes"]


class _OpenSession(Session):
    """The session of one command, on indexes that are open already."""

    def __init__(self, owner: CommandLine) -> None:
        super().__init__()
        self.environment = owner.environment
        self._owner = owner

    def search_indexes(self, wait: float | None = None) -> SearchIndexes:
        return self._owner.indexes

    def document_index(self) -> DocumentSync:
        return self._owner.indexes.documents


@contextlib.contextmanager
def running(root: Path, home: Path) -> Iterator[CommandLine]:
    """A command line whose indexes are closed at the end."""
    commands = CommandLine(root, home)
    try:
        yield commands
    finally:
        commands.close()


def write_json(path: Path, value: Any) -> str:
    """Write a value as JSON; returns the path as a command takes it."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def write_json_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    """Write records as JSON Lines; returns the path as a command takes it."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)
