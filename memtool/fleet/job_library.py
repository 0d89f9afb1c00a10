"""procrastinate's schema in the fleet's database: the queue of jobs, behind the fleet's own functions.

Design notes
------------
- The tables, states, locks and retries of jobs are procrastinate's, installed from its package by `init` and
  brought to a later version by its own migrations. Its tables are owned by the owner of the fleet, and no
  role of a tree has rights on their schema: the functions of the schema `memtool` call its functions.
- Its Python worker is not used. It needs rights on tables, stores no results, ends when the server does, and
  a worker of it that was stopped and wakes up writes the result of a job that another one has taken over.
- Its triggers that notify are disabled. Any role of the database could LISTEN to them, and learn when other
  trees get jobs; and a queue of notifications that one session keeps full makes each INSERT of a job fail.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtool.errors import MissingExtra, extra_hint

if TYPE_CHECKING:
    import psycopg

LIBRARY_SCHEMA = "memtool_jobs"
_PATH = f"pg_catalog, {LIBRARY_SCHEMA}, pg_temp"
"""Where its functions look for names: nobody but the owner can create anything in these."""


def bring_library(connection: psycopg.Connection[Any], owner: str) -> None:
    """Install procrastinate's schema, or apply those of its migrations that are missing.

    Runs in the transaction of `init`, with the role `owner`. Raises MissingExtra without procrastinate.
    """
    from psycopg import sql

    try:
        from procrastinate.schema import SchemaManager
    except ImportError as error:
        raise MissingExtra(f"fleet init needs the package procrastinate; {extra_hint('fleet')}") from error

    folder = str(SchemaManager.get_migrations_path())
    names = sorted(name for name in os.listdir(folder) if name.endswith(".sql"))
    is_new = not connection.execute(
        "SELECT FROM pg_namespace WHERE nspname = %s", [LIBRARY_SCHEMA]
    ).fetchall()
    if is_new:
        role = sql.Identifier(owner)
        connection.execute("RESET ROLE")  # the owner cannot create a schema
        connection.execute(sql.SQL(f"CREATE SCHEMA {LIBRARY_SCHEMA} AUTHORIZATION {{}}").format(role))
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(role))
        connection.execute("CREATE TABLE memtool_data.library_migration (name text PRIMARY KEY)")
        texts = [SchemaManager.get_schema()]
        missing = names
    else:
        applied = {name for (name,) in connection.execute("SELECT name FROM memtool_data.library_migration")}
        missing = [name for name in names if name not in applied]
        texts = [_read(os.path.join(folder, name)) for name in missing]
    if missing:
        connection.execute(f"SET LOCAL search_path = {LIBRARY_SCHEMA}, pg_catalog, pg_temp")
        for text in texts:
            connection.execute(text.encode())
        connection.execute("RESET search_path")
        connection.cursor().executemany(
            "INSERT INTO memtool_data.library_migration VALUES (%s)", [[name] for name in missing]
        )
    connection.execute(f"REVOKE ALL ON SCHEMA {LIBRARY_SCHEMA} FROM PUBLIC")
    for table in _names(connection, "SELECT tablename FROM pg_tables WHERE schemaname = %s"):
        for change in ("ENABLE ROW LEVEL SECURITY", "FORCE ROW LEVEL SECURITY"):
            connection.execute(
                sql.SQL(f"ALTER TABLE {{}} {change}").format(sql.Identifier(LIBRARY_SCHEMA, table))
            )
    triggers = connection.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid"
        " WHERE NOT tgisinternal AND pronamespace = %s::regnamespace AND prosrc ILIKE '%%pg_notify%%'",
        [LIBRARY_SCHEMA],
    ).fetchall()
    for table, trigger in triggers:
        connection.execute(
            sql.SQL("ALTER TABLE {} DISABLE TRIGGER {}").format(sql.SQL(table), sql.Identifier(trigger))
        )
    for function in _names(
        connection, "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = %s::regnamespace"
    ):
        connection.execute(
            sql.SQL(f"ALTER FUNCTION {{}} SET search_path = {_PATH}").format(sql.SQL(function))
        )


def _names(connection: psycopg.Connection[Any], statement: str) -> list[str]:
    return [str(name) for (name,) in connection.execute(statement.encode(), [LIBRARY_SCHEMA]).fetchall()]


def _read(path: str) -> str:
    with os.fdopen(os.open(path, os.O_RDONLY), encoding="utf-8") as file:
        return file.read()
