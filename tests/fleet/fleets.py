"""Fleets for tests: trees that join a database, and what their roles see in it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memtool.core.search.query import parse_query
from memtool.fleet.connection import connected
from memtool.fleet.fleet_source import MOST_CANDIDATES, FleetSource
from memtool.index.documents.document_index import Overlay
from memtool.index.engine import ChunkHit
from memtool.store.external.fleet_key import FleetKey, read_key
from memtool.verbs.indexing.documents import DocumentSync
from tests.trees import make, memtool, opened

LAYOUT = 'layout = "native"\n'


@dataclass
class Tree:
    """A workspace of a fleet, whose user has the home folder `home`."""

    name: str
    root: Path
    home: Path

    def memtool(self, *arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run memtool in the workspace; it must exit with `code`."""
        more = {"environment": environment} if environment else {}
        done = memtool(*arguments, home=self.home, cwd=self.root, **more)
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        return done

    def write(self, files: Mapping[str, str]) -> None:
        """Write files of the workspace."""
        make(self.root, files)

    @property
    def key(self) -> FleetKey:
        """The key that the tree got when it joined."""
        key = read_key({"XDG_CONFIG_HOME": str(self.home / ".config")}, str(self.root))
        assert key is not None
        return key

    def local_hits(self, text: str, limit: int = 20) -> list[ChunkHit]:
        """The chunks that the workspace's own index finds."""
        index = DocumentSync(opened(self.root), None, wait=1.0)
        return index.sync().index.query(parse_query(text), limit)

    def fleet_hits(
        self, text: str, limit: int = 20, owners: Sequence[str] = (), most: int = MOST_CANDIDATES
    ) -> list[ChunkHit]:
        """The chunks that the fleet finds in other trees."""
        query = parse_query(text)
        with connected(self.key.dsn) as connection:
            source = FleetSource(connection, owners, most=most)
            source.load_query(query)
            return Overlay([source]).query(query, limit)


@dataclass
class Fleet:
    """A fleet in the database of `dsn`, and the folder of its trees."""

    dsn: str
    folder: Path
    trees: dict[str, Tree] = field(default_factory=dict)

    def add_tree(self, name: str, files: Mapping[str, str] | None = None, *join: str) -> Tree:
        """Make a tree that joins as `name`, and push its files if there are any."""
        root = make(self.folder / name / "tree", {"memtool.toml": LAYOUT, **(files or {})})
        tree = self.trees[name] = Tree(name, root, self.folder / name / "home")
        tree.memtool("fleet", "join", self.dsn, "--as", name, *join)
        if files:
            tree.memtool("fleet", "push")
        return tree

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What the administrator of the server sees."""
        with connected(self.dsn) as connection:
            return connection.execute(statement.encode(), values or None).fetchall()

    @contextmanager
    def connection_of(self, tree: Tree) -> Iterator[Any]:
        """A connection with the role of a tree, for statements of its own."""
        import psycopg

        with psycopg.connect(tree.key.dsn, autocommit=True) as connection:
            yield connection


def server_folder() -> str:
    """A new folder that every account may enter: a server that root starts runs as another one."""
    folders = (tempfile.gettempdir(), "/tmp", "/var/tmp")
    return tempfile.mkdtemp(prefix="fleet-", dir=next(filter(_is_open, folders), None))


def _is_open(folder: str) -> bool:
    path = Path(folder)
    return path.is_dir() and all(each.stat().st_mode & 0o001 for each in (path, *path.parents))
