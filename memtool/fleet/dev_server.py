"""A throw-away PostgreSQL server, for trying the fleet and for tests: a folder, a unix socket, no network."""

from __future__ import annotations

import glob
import os
import pwd
import re
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from memtool.errors import BadUsage, CouldNotTell, MissingExtra, Unwritable
from memtool.fleet.connection import check_driver, connected

DATABASE = "fleet"
ADMINISTRATOR = "memtool"
"""The database of the server, and the superuser who may log in with the password of the password file."""
PACKAGES = "/usr/lib/postgresql/*/bin"
"""Where Debian's packages install the programs of a server."""
_ACCOUNT = "postgres"
"""The account that runs the server for root, as whom PostgreSQL does not run."""
_START_SECONDS = 60
_LONGEST_SOCKET = 100
"""Bytes of the path of a unix socket that every system takes."""
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",  # what a crash of the machine loses is pushed again
    "password_encryption": "scram-sha-256",
    "log_min_error_statement": "panic",  # no text of memory in the log
}


class DevServer(Struct, frozen=True):
    """The server in `folder`, run by the programs in `programs`; `account` runs them in place of root."""

    folder: str
    programs: str
    account: pwd.struct_passwd | None = None

    @property
    def dsn(self) -> str:
        """The administrator's connection; the password is in a file that it names."""
        values = {"host": self._socket_folder, "passfile": self._password_file}
        options = "&".join(f"{name}={quote(value, safe='')}" for name, value in values.items())
        return f"postgresql://{ADMINISTRATOR}@/{DATABASE}?{options}"

    def start(self) -> None:
        """Start the server unless it runs, and make its data folder where there is none.

        Raises BadUsage for a folder whose path is too long for a socket, Unwritable, CouldNotTell where the
        server does not start, and MissingExtra without psycopg.
        """
        check_driver()
        if len(os.fsencode(f"{self._socket_folder}/.s.PGSQL.5432")) > _LONGEST_SOCKET:
            raise BadUsage(
                f"the path {self.folder} is too long for a Unix socket; choose a shorter one with --dir"
            )
        if self.is_running():
            return
        for folder in (self.folder, self._socket_folder):
            try:
                os.makedirs(folder, 0o700, exist_ok=True)
                self._give(folder)
            except OSError as error:
                raise Unwritable(f"{folder} cannot be created: {error.strerror}") from error
        if not os.path.exists(os.path.join(self._data, "PG_VERSION")):
            self._make_data()
        options = {**_OPTIONS, "unix_socket_directories": self._socket_folder}
        given = " ".join(f"-c {name}={shlex.quote(value)}" for name, value in options.items())
        arguments = ["-D", self._data, "-l", self._log, "-w", "-t", str(_START_SECONDS), "-o", given, "start"]
        if self._run("pg_ctl", arguments, waits_for_output=False) is None:
            raise CouldNotTell(f"the PostgreSQL server did not start; see {self._log}")
        self._make_database()

    def stop(self) -> bool:
        """Stop the server; whether it ran. Raises CouldNotTell if it does not stop."""
        if not self.is_running():
            return False
        if self._run("pg_ctl", ["-D", self._data, "-w", "-m", "fast", "stop"]) is None:
            raise CouldNotTell(f"the PostgreSQL server in {self.folder} did not stop; see {self._log}")
        return True

    def delete(self) -> bool:
        """Stop the server and remove all that `start` made; whether the folder has a trial server.

        Other files in the folder stay. Raises CouldNotTell if the server does not stop, Unwritable.
        """
        if not self.is_trial():
            return False
        self.stop()
        try:
            for path in (self._data, self._socket_folder, self._log, self._password_file):
                if os.path.isdir(path):
                    shutil.rmtree(path)
                elif os.path.lexists(path):
                    os.remove(path)
            if not os.listdir(self.folder):
                os.rmdir(self.folder)
        except OSError as error:
            raise Unwritable(f"{self.folder} cannot be removed: {error.strerror}") from error
        return True

    def is_running(self) -> bool:
        """Whether the server runs."""
        return os.path.isdir(self._data) and self._run("pg_ctl", ["-D", self._data, "status"]) is not None

    def is_trial(self) -> bool:
        """Whether the folder has the password that `start` writes first and `delete` removes last.

        Another PostgreSQL server may have its data in a folder of the same name.
        """
        return os.path.exists(self._password_file)

    @property
    def _data(self) -> str:
        return os.path.join(self.folder, "data")

    @property
    def _socket_folder(self) -> str:
        return os.path.join(self.folder, "socket")

    @property
    def _log(self) -> str:
        return os.path.join(self.folder, "log")

    @property
    def _password_file(self) -> str:
        return os.path.join(self.folder, "password")

    def _make_data(self) -> None:
        """Make the data folder beside its place, so that a stopped attempt leaves none there."""
        password = secrets.token_urlsafe(24)
        _write_private(self._password_file, f"*:*:*:{ADMINISTRATOR}:{password}\n")
        number = secrets.token_hex(4)
        given, folder = (os.path.join(self.folder, f"{name}-{number}") for name in ("given", "data"))
        _write_private(given, f"{password}\n")
        self._give(given)
        try:
            arguments = ["-D", folder, "-U", ADMINISTRATOR, f"--pwfile={given}", "-A", "scram-sha-256"]
            arguments += ["-E", "UTF8", "--locale=C", "--no-sync"]
            if self._run("initdb", arguments) is None:
                raise CouldNotTell(
                    f"initdb could not create a data directory in {self.folder}; check the folder's "
                    "permissions and the free disk space"
                )
        finally:
            os.remove(given)
        os.replace(folder, self._data)

    def _make_database(self) -> None:
        with connected(f"{self.dsn}&dbname=postgres") as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchall():
                connection.execute(f"CREATE DATABASE {DATABASE}")
            for name in ("postgres", "template1", DATABASE):  # the roles of trees need the fleet's alone
                connection.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")

    def _give(self, path: str) -> None:
        if self.account is not None:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)

    def _run(self, program: str, arguments: Sequence[str], *, waits_for_output: bool = True) -> str | None:
        """What a program of the server prints; None if it fails.

        The output of one that starts the server is not read: the server would hold it open.
        """
        account = self.account
        done = subprocess.run(
            [os.path.join(self.programs, program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if waits_for_output else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            text=True,
            check=False,
            user=account and account.pw_uid,
            group=account and account.pw_gid,
            extra_groups=() if account else None,
        )
        return (done.stdout or "") if done.returncode == 0 else None


def dev_server(environment: Mapping[str, str], folder: str, packages: str = PACKAGES) -> DevServer:
    """The server in a folder. Raises MissingExtra without PostgreSQL's programs, BadUsage for root alone."""
    programs = server_programs(environment, packages)
    if programs is None:
        raise MissingExtra(
            "fleet dev needs the PostgreSQL server programs, which are not installed; "
            "on Debian and Ubuntu, run apt install postgresql"
        )
    return DevServer(folder, programs, _server_account())


def dev_folder(state_folder: str) -> str:
    """The usual folder of the server: in the user's folder for states; for root, in that of its account."""
    account = _server_account()
    return os.path.join(account.pw_dir if account else os.path.join(state_folder, "memtool"), "fleet-dev")


def server_programs(environment: Mapping[str, str], packages: str = PACKAGES) -> str | None:
    """The folder with `initdb` and `pg_ctl`: on the path, else the newest of Debian's packages."""
    found = shutil.which("pg_ctl", path=environment.get("PATH"))
    folders = [os.path.dirname(os.path.realpath(found))] if found else []
    folders += sorted(glob.glob(packages), key=_version, reverse=True)
    return next((name for name in folders if os.path.exists(os.path.join(name, "initdb"))), None)


def _version(folder: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", folder)))


def _server_account() -> pwd.struct_passwd | None:
    """The account that runs the server, where that is not the caller's. Raises BadUsage."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(_ACCOUNT)
    except KeyError as error:
        raise BadUsage(
            f"PostgreSQL cannot run as root, and the account {_ACCOUNT!r} does not exist; run the command as "
            "another user"
        ) from error


def _write_private(path: str, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
