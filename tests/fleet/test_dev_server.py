"""fleet dev: a server that only its user can reach."""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path

import pytest

from memtool.errors import MissingExtra
from memtool.fleet.dev_server import DevServer, dev_server, server_programs
from tests.fleet.fleets import server_folder
from tests.trees import memtool


@pytest.fixture
def folder(server: DevServer) -> Path:
    """A folder for another server, where the account that runs it may go; that server is stopped."""
    folder = Path(server_folder())
    yield folder
    DevServer(str(folder), server.programs, server.account).stop()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_server_starts_keeps_its_data_and_stops(folder, tmp_path):
    def dev(*arguments: str) -> str:
        done = memtool("fleet", "dev", "--dir", str(folder), *arguments, home=tmp_path, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip() or done.stderr.strip()

    dsn = dev()
    assert dev() == dsn
    init = memtool("fleet", "init", dsn, home=tmp_path, cwd=tmp_path)
    assert (init.returncode, init.stdout) == (0, "created\tversion 6\n")
    assert dev("--stop") == f"memtool: stopped the server in {folder}"
    assert dev("--stop") == "memtool: the server is not running"
    down = memtool("fleet", "init", dsn, home=tmp_path, cwd=tmp_path)
    assert down.returncode == 3
    assert dev() == dsn
    assert memtool("fleet", "init", dsn, home=tmp_path, cwd=tmp_path).stdout == "unchanged\tversion 6\n"


def test_a_trial_server_can_be_deleted_with_nothing_but_its_own_files(folder, tmp_path):
    def dev(*arguments: str) -> str:
        done = memtool("fleet", "dev", "--dir", str(folder), *arguments, home=tmp_path, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip() or done.stderr.strip()

    dev()
    assert dev("--delete", "--dry-run") == f"memtool: would delete {folder}"
    assert (folder / "data").is_dir()
    (folder / "own").write_text("mine")
    assert dev("--delete") == f"memtool: deleted {folder}"
    assert [path.name for path in folder.iterdir()] == ["own"]
    (folder / "own").unlink()
    dev()
    dev("--delete")
    assert not folder.exists()
    (folder / "data/own").mkdir(parents=True)
    (folder / "data/PG_VERSION").write_text("15\n")  # of a server that is no trial
    assert dev("--delete") == f"memtool: no server in {folder}"
    assert (folder / "data/own").is_dir()


def test_the_server_is_private(server):
    import psycopg

    folder = Path(server.folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "data").stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "password").stat().st_mode) == 0o600
    password = (folder / "password").read_text().strip().rpartition(":")[2]
    assert password not in server.dsn
    assert password not in (folder / "log").read_text()
    without_password = re.sub("passfile=[^&]*", "passfile=/nowhere", server.dsn)
    for dsn in (without_password, server.dsn.replace("memtool@", "postgres@")):
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(dsn)
    with psycopg.connect(server.dsn) as connection:
        settings = dict(connection.execute("SELECT name, setting FROM pg_settings").fetchall())
        (verifiers,) = zip(*connection.execute("SELECT rolpassword FROM pg_authid").fetchall(), strict=True)
    assert settings["listen_addresses"] == ""
    assert all(verifier is None or verifier.startswith("SCRAM-SHA-256$") for verifier in verifiers)


def test_without_a_server_the_message_says_what_to_install(tmp_path):
    with pytest.raises(MissingExtra, match="apt install postgresql"):
        dev_server({"PATH": str(tmp_path)}, str(tmp_path), packages=str(tmp_path / "*"))


def test_the_newest_package_is_used(tmp_path):
    for version in ("9.6", "15", "13"):
        programs = tmp_path / version / "bin"
        programs.mkdir(parents=True)
        (programs / "initdb").touch()
    assert server_programs({"PATH": "/nowhere"}, str(tmp_path / "*" / "bin")) == str(tmp_path / "15/bin")


def test_programs_on_the_path_come_before_those_of_packages(tmp_path):
    for name in ("initdb", "pg_ctl"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert server_programs({"PATH": str(tmp_path)}) == os.path.realpath(tmp_path)


def test_a_path_that_is_too_long_for_a_socket_is_refused(server, tmp_path):
    done = memtool("fleet", "dev", "--dir", str(tmp_path / ("x" * 120)), home=tmp_path, cwd=tmp_path)
    assert done.returncode == 2
    assert "choose a shorter one with --dir" in done.stderr
