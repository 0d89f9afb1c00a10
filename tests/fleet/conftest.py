"""A real PostgreSQL server for the tests of the fleet, and a database of its own for each test."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtool.errors import CouldNotTell, Unwritable
from memtool.fleet.dev_server import DevServer, dev_server, server_programs
from tests.fleet.fleets import Fleet, server_folder


@pytest.fixture(scope="session")
def server() -> Iterator[DevServer]:
    """A running server for this process; its folder is where the account that runs it may go."""
    pytest.importorskip("psycopg", reason="the extra fleet is not installed")
    if server_programs(os.environ) is None:
        pytest.skip("no PostgreSQL server is installed: apt install postgresql")
    folder = server_folder()
    server = dev_server(os.environ, folder)
    try:
        server.start()
    except (CouldNotTell, Unwritable) as error:
        shutil.rmtree(folder)
        pytest.skip(f"NOT TESTED: no PostgreSQL server can be started here: {error}")
    yield server
    server.stop()
    shutil.rmtree(folder)


@pytest.fixture
def fleet(server: DevServer, tmp_path: Path) -> Fleet:
    """A fleet in a database of its own."""
    return new_fleet(server, tmp_path)


@pytest.fixture(scope="module")
def module_fleet(server: DevServer, tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    """A fleet for the tests of a module, which only read it."""
    return new_fleet(server, tmp_path_factory.mktemp("fleet"))


def new_fleet(server: DevServer, folder: Path) -> Fleet:
    """Make a database on the server, with a fleet in it."""
    from memtool.fleet.connection import connected
    from memtool.verbs.fleet.join import init_fleet

    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    dsn = f"{server.dsn}&dbname={name}"
    init_fleet(dsn)
    return Fleet(dsn, folder)
