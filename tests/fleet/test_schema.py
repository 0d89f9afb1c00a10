"""fleet init and fleet join: versions of the schema, roles and names."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from memtool.errors import BadUsage, CouldNotTell, NewerVersion
from memtool.fleet import schema
from memtool.fleet.connection import connected
from memtool.verbs.fleet.join import init_fleet
from tests.fleet.fleets import Fleet
from tests.trees import memtool


def test_init_is_idempotent_and_keeps_what_is_there(fleet):
    fleet.add_tree("desk", {"MEMORY.md": "- kiln\n"})
    migrated = init_fleet(fleet.dsn)
    assert migrated.before == migrated.after == len(schema.migrations())
    assert fleet.rows("SELECT count(*) FROM memtool_data.chunk") == [(1,)]


def test_each_version_follows_from_the_one_before(server):
    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    every = schema.migrations()
    with connected(f"{server.dsn}&dbname={name}") as connection:
        for version in range(1, len(every) + 1):
            migrated = schema.init(connection, every[:version])
            assert (migrated.before, migrated.after) == (version - 1, version)


def test_a_fleet_that_was_created_before_there_were_jobs_is_upgraded(server, tmp_path):
    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    fleet = Fleet(f"{server.dsn}&dbname={name}", tmp_path)
    with connected(fleet.dsn) as connection:
        schema.init(connection, schema.migrations()[:2])
    desk = fleet.add_tree("desk", {"MEMORY.md": "- kiln\n"})
    desk.memtool("fleet", "push")
    desk.memtool("fleet", "status", code=2)  # it says to run memtool fleet init
    assert init_fleet(fleet.dsn).before == 2
    desk.memtool("fleet", "status")
    memtool("fleet", "run", fleet.dsn, "status", "--all", "--no-wait", home=tmp_path, cwd=tmp_path)
    desk.memtool("fleet", "work", "--once")
    assert fleet.rows("SELECT exit_code FROM memtool_data.job") == [(0,)]
    assert fleet.rows("SELECT count(*) FROM memtool_data.chunk") == [(1,)]


def test_a_later_version_of_the_library_is_applied_once(fleet):
    applied = fleet.rows("SELECT name FROM memtool_data.library_migration ORDER BY name")
    last = applied[-1][0]  # it replaces functions, so that it can be applied again
    fleet.rows("DELETE FROM memtool_data.library_migration WHERE name = %s RETURNING name", last)
    fleet.rows(
        "UPDATE pg_proc SET proconfig = NULL WHERE proname = 'procrastinate_finish_job_v1' RETURNING oid"
    )
    init_fleet(fleet.dsn)
    assert fleet.rows("SELECT name FROM memtool_data.library_migration ORDER BY name") == applied
    ((config,),) = fleet.rows("SELECT proconfig FROM pg_proc WHERE proname = 'procrastinate_finish_job_v1'")
    assert config == ["search_path=pg_catalog, memtool_jobs, pg_temp"]


def test_a_fleet_of_a_newer_memtool_is_left_alone(fleet):
    fleet.rows("INSERT INTO memtool_data.migration VALUES (99) RETURNING version")
    with pytest.raises(NewerVersion):
        init_fleet(fleet.dsn)


def test_two_inits_at_once_make_one_fleet(server):
    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE DATABASE {name}")

    def init() -> object:
        try:
            return init_fleet(f"{server.dsn}&dbname={name}")
        except CouldNotTell as error:  # the other one was first
            return error

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda _: init(), range(2)))
    assert any(not isinstance(outcome, CouldNotTell) for outcome in outcomes)
    assert init_fleet(f"{server.dsn}&dbname={name}").before == len(schema.migrations())


def test_an_operator_who_is_no_superuser_can_run_a_fleet(server, tmp_path):
    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN CREATEROLE PASSWORD 'of-the-operator'")
        connection.execute(f"CREATE DATABASE {name} OWNER {name}")
    socket = server.dsn.partition("host=")[2].partition("&")[0]
    fleet = Fleet(f"postgresql://{name}:of-the-operator@/{name}?host={socket}", tmp_path)
    made = memtool("fleet", "init", fleet.dsn, home=tmp_path, cwd=tmp_path)
    assert made.returncode == 0
    assert "run memtool fleet init once as a PostgreSQL superuser" in made.stderr
    desk = fleet.add_tree("desk", {"MEMORY.md": "- kiln\n"})
    reader = fleet.add_tree("reader", None, "--reads", "desk")
    assert [hit.path for hit in reader.fleet_hits("kiln")] == ["desk:MEMORY.md"]
    assert "of-the-operator" not in desk.key.dsn
    with fleet.connection_of(desk) as connection:
        connection.execute("SELECT lo_create(0)")  # it must not prevent the end of the role
    desk.memtool("fleet", "join", fleet.dsn, "--as", "desk", "--replace")
    desk.memtool("fleet", "push")
    assert memtool("fleet", "init", f"{server.dsn}&dbname={name}", home=tmp_path, cwd=tmp_path).stderr == ""


@pytest.mark.parametrize("name", ["", "Desk", "a b", "-x", "all", "x" * 64, "a:b", "ä"])
def test_an_invalid_name_is_refused(fleet, name):
    with connected(fleet.dsn) as connection, pytest.raises(BadUsage):
        schema.join(connection, name)


def test_a_join_that_fails_leaves_no_role(fleet):
    def roles() -> int:
        return fleet.rows("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'memtool_tree%%'")[0][0]

    before = roles()
    with connected(fleet.dsn) as connection, pytest.raises(BadUsage, match="no tree named 'nobody'"):
        schema.join(connection, "desk", ["nobody"])
    assert roles() == before
    assert fleet.rows("SELECT count(*) FROM memtool_data.tree") == [(0,)]


def test_a_database_without_a_fleet_is_said_to_be_so(server, tmp_path):
    desk = Fleet(server.dsn, tmp_path)
    with pytest.raises(AssertionError, match="the database has no fleet; check the DSN, or create a fleet"):
        desk.add_tree("desk")


@pytest.mark.parametrize("dsn", ["nonsense", "postgresql://x:y", "host=/nowhere user=x password=hush-hush"])
def test_a_dsn_that_leads_nowhere_is_one_sentence_without_its_password(tmp_path, dsn):
    done = memtool("fleet", "init", dsn, home=tmp_path, cwd=tmp_path)
    assert done.returncode in {2, 3}
    assert done.stderr.count("\n") == 1
    assert "hush-hush" not in done.stderr


def test_what_other_programs_in_the_database_may_need_is_not_taken_from_them(server):
    name = f"fleet_{secrets.token_hex(6)}"
    with connected(server.dsn) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    privilege = "SELECT has_function_privilege('public', 'pg_advisory_lock(bigint)', 'EXECUTE')"
    with connected(f"{server.dsn}&dbname={name}") as connection:
        connection.execute("CREATE TABLE shop (id int)")
        assert not schema.init(connection).is_limited
        assert connection.execute(privilege).fetchone() == (True,)
        connection.execute("DROP TABLE shop")
        assert schema.init(connection).is_limited
        assert connection.execute(privilege).fetchone() == (False,)
