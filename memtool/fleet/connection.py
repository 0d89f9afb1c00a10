"""Connections to the fleet's database, and what their errors mean."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from memtool.errors import BadUsage, CouldNotTell, MissingExtra, OutsideWorkspace, extra_hint

if TYPE_CHECKING:
    import psycopg

    FleetConnection: TypeAlias = psycopg.Connection[Any]

_USUAL = {
    "connect_timeout": "5",
    "application_name": "memtool",
    "keepalives_idle": "10",  # a connection whose other end is gone fails within half a minute
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
"""Settings of a connection that the DSN may change; seconds, and milliseconds of `tcp_user_timeout`."""
_OPERATORS_OWN = {"user", "password", "passfile", "application_name", "connect_timeout"}
"""Settings of the operator's connection that a tree's does not have."""


class FleetUnavailable(CouldNotTell):
    """The fleet's database cannot be reached, or did not answer."""


class SupersededPush(CouldNotTell):
    """A newer push of the same tree has begun."""


class SupersededWorker(CouldNotTell):
    """A newer worker of the same tree has begun."""


_SECURE_MINORS = {13: 23, 14: 20, 15: 15, 16: 11, 17: 7, 18: 1}
"""The minor version of each major one from November 2025 on, with the security fixes until then.

https://www.postgresql.org/support/security/
"""
_LONGEST_SENTENCE = 500
_SUPERSEDED = "MT001"
_SUPERSEDED_WORKER = "MT002"
"""The error codes of the fleet's functions for a push and for a worker that is not the newest one."""


def check_driver() -> None:
    """Raise MissingExtra without psycopg."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"the fleet needs psycopg; {extra_hint('fleet')}") from error


@contextlib.contextmanager
def connected(dsn: str) -> Iterator[psycopg.Connection[Any]]:
    """An open connection in which each statement is a transaction of its own.

    Raises FleetUnavailable where the database cannot be reached or ends the connection, SupersededPush for
    an older push, SupersededWorker for an older worker, BadUsage for a DSN that is none or a database without
    a fleet, OutsideWorkspace for what a role may not do, and MissingExtra without psycopg.
    """
    check_driver()
    import psycopg

    with _translated_errors():
        usual = psycopg.conninfo.make_conninfo("", **_USUAL)
        settings = psycopg.conninfo.make_conninfo(usual, **psycopg.conninfo.conninfo_to_dict(dsn))
        with psycopg.connect(settings, autocommit=True) as connection:
            yield connection


def cut_off(connection: psycopg.Connection[Any]) -> None:
    """End a connection at once, even while a thread waits for an answer, which then fails."""
    import socket

    import psycopg

    with (
        contextlib.suppress(OSError, psycopg.Error),  # it has ended already
        socket.socket(fileno=os.dup(connection.fileno())) as end,
    ):
        end.shutdown(socket.SHUT_RDWR)


def missing_fixes(server_version: int) -> str:
    """What a server lacks, by its version as libpq gives it (150004 for 15.4); empty for a safe one."""
    major, minor = divmod(server_version, 10_000)
    secure = _SECURE_MINORS.get(major)
    if secure is None or minor >= secure:
        return ""
    return f"PostgreSQL {major}.{minor} lacks the security fixes in {major}.{secure} and later"


def tree_dsn(connection: psycopg.Connection[Any], dsn: str, role: str, key: str) -> str:
    """The connection string of a tree's role, to the server of the operator's connection."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    shared = {name: value for name, value in conninfo_to_dict(dsn).items() if name not in _OPERATORS_OWN}
    own = {"dbname": connection.info.dbname, "user": role, "password": key}
    return make_conninfo("", **{**shared, **own})


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    import psycopg
    from psycopg import errors

    try:
        yield
    except errors.InsufficientPrivilege as error:
        raise OutsideWorkspace(f"the fleet's database refused the request: {_sentence(error)}") from error
    except (errors.InvalidSchemaName, errors.UndefinedFunction, errors.UndefinedTable) as error:
        raise BadUsage(
            f"the database contains no fleet, or a fleet that an older version of memtool created "
            f"({_sentence(error)}); run memtool fleet init"
        ) from error
    except psycopg.ProgrammingError as error:
        if error.sqlstate is not None:
            raise FleetUnavailable(f"the fleet's database reported an error: {_sentence(error)}") from error
        raise BadUsage(
            f"invalid DSN: {_sentence(error)}; use a form such as postgresql://HOST/DATABASE"
        ) from error
    except psycopg.OperationalError as error:
        raise FleetUnavailable(f"the fleet's database cannot be reached: {_sentence(error)}") from error
    except psycopg.Error as error:
        if error.sqlstate == _SUPERSEDED:
            raise SupersededPush(
                "this push was stopped because a newer push of this workspace has started"
            ) from error
        if error.sqlstate == _SUPERSEDED_WORKER:
            raise SupersededWorker(
                "this worker was stopped because a newer worker for this workspace has started"
            ) from error
        raise FleetUnavailable(f"the fleet's database reported an error: {_sentence(error)}") from error


def _sentence(error: psycopg.Error) -> str:
    """The first line of what the server or the driver says, which holds no password; cut where it is long."""
    text = error.diag.message_primary or str(error).partition("\n")[0]
    return text[:_LONGEST_SENTENCE].strip().rstrip(".") or type(error).__name__
