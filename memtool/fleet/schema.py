"""The fleet in a database: its roles, its schema by versioned migrations, and the trees that join it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.errors import BadUsage, NewerVersion
from memtool.fleet.job_library import LIBRARY_SCHEMA, bring_library

if TYPE_CHECKING:
    import psycopg

_MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")
_OLDEST_SERVER = 130_000
_TREE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_CONNECTIONS = 8
"""Connections that one tree may have open: none can take all of the server's."""
_MOST_TEMPORARY = "1GB"
"""Space on the disk that one statement of a tree may use, where the operator is a superuser."""
_USE_UP = "^(pg_(try_)?advisory_(xact_)?lock|lo_(creat|create|from_bytea)$)"
"""Functions that every role may execute: with their locks and objects, one role can use up what all share."""
_LOCK_SECONDS = 10
"""How long a migration waits for a table; every other query would wait behind it."""
EVERY_TREE = "all"
_NO_TREE = "no tree named {!r} in the fleet; memtool fleet status lists the trees"
_NO_FLEET = "the database has no fleet; check the DSN, or create a fleet with memtool fleet init DSN"
_JOBS_VERSION = 3
"""The version of the schema from which on the fleet has jobs."""


class Migrated(Struct, frozen=True):
    """The versions of the schema before and after `init`.

    `is_limited` says that trees cannot use up the server's locks and disk; only a superuser can see to that,
    in a database without tables of other programs.
    """

    before: int
    after: int
    is_limited: bool


class JoinedTree(Struct, frozen=True):
    """The role of a tree, and its key, a password that nobody else knows."""

    role: str
    key: str


def init(connection: psycopg.Connection[Any], steps: Sequence[str] | None = None) -> Migrated:
    """Make the fleet's roles and schema, or bring them to this version, in one transaction.

    `steps` are the statements of each version, by default all. PUBLIC loses its rights on the database and
    its schema `public`. Raises BadUsage for a server that is too old, and NewerVersion for a fleet of a later
    memtool.
    """
    from psycopg import sql

    if connection.info.server_version < _OLDEST_SERVER:
        version = connection.info.server_version // 10_000
        raise BadUsage(f"the server runs PostgreSQL {version}; the fleet needs version 13 or later")
    steps = migrations() if steps is None else steps
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
        if _owner(connection) is None:
            _make_roles(connection)
        owner = sql.Identifier(str(_owner(connection)))
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(owner))
        connection.execute("LOCK TABLE memtool_data.migration IN EXCLUSIVE MODE")
        row = connection.execute("SELECT coalesce(max(version), 0) FROM memtool_data.migration").fetchone()
        before = int(row[0]) if row else 0
        if before > len(steps):
            raise NewerVersion(
                "the fleet was created or upgraded by a newer version of memtool; "
                "update memtool on this machine"
            )
        if len(steps) >= _JOBS_VERSION:
            bring_library(connection, str(_owner(connection)))
        for version, text in enumerate(steps[before:], before + 1):
            connection.execute(text.encode())
            connection.execute("INSERT INTO memtool_data.migration VALUES (%s)", [version])
        for schema in ("memtool, memtool_data", LIBRARY_SCHEMA)[: 1 + (len(steps) >= _JOBS_VERSION)]:
            connection.execute(f"REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {schema} FROM PUBLIC")
            connection.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC")
        role = sql.Identifier(_members(connection))
        connection.execute(sql.SQL("GRANT USAGE ON SCHEMA memtool TO {}").format(role))
        connection.execute(sql.SQL("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA memtool TO {}").format(role))
        connection.execute("RESET ROLE")
        is_limited = _is_superuser(connection) and not _has_other_tables(connection)
        if is_limited:
            functions = connection.execute(
                "SELECT oid::regprocedure::text, has_function_privilege('public', oid, 'EXECUTE')"
                " FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ %s",
                [_USE_UP],
            ).fetchall()
            for name, is_public in functions:
                if is_public:
                    connection.execute(f"REVOKE EXECUTE ON FUNCTION {name} FROM PUBLIC".encode())
        return Migrated(before, len(steps), is_limited)


def _is_superuser(connection: psycopg.Connection[Any]) -> bool:
    row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    return row == (True,)


def _has_other_tables(connection: psycopg.Connection[Any]) -> bool:
    """Whether the database has tables of other programs, which may need what a fleet's trees may not use."""
    row = connection.execute(
        "SELECT EXISTS (SELECT FROM pg_class WHERE relkind IN ('r', 'p')"
        " AND relnamespace::regnamespace::text !~ '^(pg_|information_schema$|memtool)')"
    ).fetchone()
    return row == (True,)


def migrations() -> list[str]:
    """The statements of each version of the schema, the first one first."""
    names = sorted(name for name in os.listdir(_MIGRATIONS) if name.endswith(".sql"))
    texts = []
    for name in names:
        with os.fdopen(os.open(os.path.join(_MIGRATIONS, name), os.O_RDONLY), encoding="utf-8") as file:
            texts.append(file.read())
    return texts


def join(
    connection: psycopg.Connection[Any],
    name: str,
    reads: Sequence[str] = (),
    users: Sequence[str] = (),
    *,
    replace: bool = False,
) -> JoinedTree:
    """Make a role and a key for a tree that joins as `name`, in one transaction; the operator does this.

    It may read the trees in `reads` (`all` for all of them, later ones included), without memory of users
    except `users`. With `replace`, a tree of that name gets a new role and key, and the old ones end. Raises
    BadUsage for a name that is taken or invalid, or a tree that does not exist.
    """
    from psycopg import sql

    if not _TREE_NAME.fullmatch(name) or name == EVERY_TREE:
        raise BadUsage(
            f"invalid name {name!r}: use lower-case letters, digits and hyphens (at most 63 characters, "
            "starting with a letter or digit); the name 'all' is reserved"
        )
    owner = _owner(connection)
    if owner is None:
        raise BadUsage(_NO_FLEET)
    role, key = f"memtool_tree_{secrets.token_hex(8)}", secrets.token_urlsafe(24)
    verifier = connection.pgconn.encrypt_password(key.encode(), role.encode(), b"scram-sha-256").decode()
    with connection.transaction():
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner)))
        as_owner = sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(owner))
        connection.execute(as_owner)
        members = _members(connection)
        former = connection.execute("SELECT role FROM memtool_data.tree WHERE name = %s", [name]).fetchone()
        if former is not None and not replace:
            raise BadUsage(
                f"a tree named {name!r} has already joined the fleet; choose another name, or use --replace "
                "to give it a new password"
            )
        connection.execute("RESET ROLE")
        connection.execute(
            sql.SQL(
                "CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT"
                " CONNECTION LIMIT {} PASSWORD {} IN ROLE {}"
            ).format(
                sql.Identifier(role),
                sql.Literal(_CONNECTIONS),
                sql.Literal(verifier),
                sql.Identifier(members),
            )
        )
        if _is_superuser(connection):
            limit = sql.SQL("ALTER ROLE {} SET temp_file_limit = {}")
            connection.execute(limit.format(sql.Identifier(role), sql.Literal(_MOST_TEMPORARY)))
        if former is not None:
            _end_role(connection, str(former[0]))
        connection.execute(as_owner)
        connection.execute(
            "INSERT INTO memtool_data.tree (name, role) VALUES (%s, %s)"
            " ON CONFLICT (name) DO UPDATE SET role = excluded.role",
            [name, role],
        )
        if former is not None:
            connection.execute("DELETE FROM memtool_data.reader WHERE reader = %s", former)
        owners = [f"user:{user}" for user in users]
        for tree in dict.fromkeys(reads):
            _let_read(connection, role, tree, owners)
    return JoinedTree(role, key)


def remove_tree(connection: psycopg.Connection[Any], name: str) -> int:
    """Remove a tree with all that it pushed and its role, in one transaction; its number of documents.

    The operator does this. Raises BadUsage where there is no such tree.
    """
    from psycopg import sql

    owner = _owner(connection)
    if owner is None:
        raise BadUsage(_NO_FLEET)
    with connection.transaction():
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner)))
        as_owner = sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(owner))
        connection.execute(as_owner)
        row = connection.execute(
            "SELECT tree, role FROM memtool_data.tree WHERE name = %s", [name]
        ).fetchone()
        if row is None:
            raise BadUsage(f"no tree named {name!r} in the fleet; memtool fleet status lists the trees")
        tree, role = row
        connection.execute("RESET ROLE")
        _end_role(connection, str(role))
        connection.execute(as_owner)
        count = connection.execute(
            "SELECT count(*) FROM memtool_data.document WHERE tree = %s", [tree]
        ).fetchone()
        connection.execute("DELETE FROM memtool_data.reader WHERE tree = %s OR reader = %s", [tree, role])
        connection.execute("DELETE FROM memtool_data.tree WHERE tree = %s", [tree])
    return int(count[0]) if count else 0


def become_owner(connection: psycopg.Connection[Any]) -> None:
    """Let the operator's connection act as the owner of the fleet. Raises BadUsage without a fleet."""
    from psycopg import sql

    owner = _owner(connection)
    if owner is None:
        raise BadUsage(_NO_FLEET)
    is_member = connection.execute("SELECT pg_has_role(%s, 'MEMBER')", [owner]).fetchone()
    if is_member != (True,):
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner)))
    connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(owner)))


def _let_read(connection: psycopg.Connection[Any], role: str, tree: str, owners: list[str]) -> None:
    number = 0
    if tree != EVERY_TREE:
        row = connection.execute("SELECT tree FROM memtool_data.tree WHERE name = %s", [tree]).fetchone()
        if row is None:
            raise BadUsage(_NO_TREE.format(tree))
        number = row[0]
    connection.execute("INSERT INTO memtool_data.reader VALUES (%s, %s, %s)", [number, role, owners])


def _end_role(connection: psycopg.Connection[Any], role: str) -> None:
    """End the sessions of a role, and remove it with what it owns, such as large objects."""
    from psycopg import sql

    connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [role])
    for text in ("GRANT {} TO CURRENT_USER", "DROP OWNED BY {}", "DROP ROLE {}"):
        connection.execute(sql.SQL(text).format(sql.Identifier(role)))


def _owner(connection: psycopg.Connection[Any]) -> str | None:
    """The role that owns the fleet; None if there is no fleet."""
    row = connection.execute(
        "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'memtool_data'"
    ).fetchone()
    return None if row is None else str(row[0])


def _members(connection: psycopg.Connection[Any]) -> str:
    """The role that the role of every tree is a member of."""
    row = connection.execute("SELECT role FROM memtool_data.members").fetchone()
    assert row is not None
    return str(row[0])


def _make_roles(connection: psycopg.Connection[Any]) -> None:
    """Make the owner, the role that every tree is a member of, and the schemas, and take PUBLIC's rights."""
    from psycopg import sql

    number = secrets.token_hex(6)
    names = [f"memtool_owner_{number}", f"memtool_trees_{number}"]
    owner, trees = map(sql.Identifier, names)
    database = sql.Identifier(connection.info.dbname)
    for text in (
        "CREATE ROLE {owner} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
        "CREATE ROLE {trees} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
        "GRANT {owner} TO CURRENT_USER",
        "REVOKE ALL ON DATABASE {database} FROM PUBLIC",
        "REVOKE ALL ON SCHEMA public FROM PUBLIC",
        "GRANT CONNECT ON DATABASE {database} TO {trees}",
        "CREATE SCHEMA memtool AUTHORIZATION {owner}",
        "CREATE SCHEMA memtool_data AUTHORIZATION {owner}",
        "SET LOCAL ROLE {owner}",
        "ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM PUBLIC",
        "CREATE TABLE memtool_data.migration (version integer PRIMARY KEY)",
        "CREATE TABLE memtool_data.members (role name NOT NULL)",
        "INSERT INTO memtool_data.members VALUES ({members})",
        "RESET ROLE",
    ):
        connection.execute(
            sql.SQL(text).format(owner=owner, trees=trees, database=database, members=names[1])
        )
