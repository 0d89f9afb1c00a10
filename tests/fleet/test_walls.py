"""What a tree's role may try with SQL of its own to see, guess, change or block what is another tree's.

Each attempt runs with the role's own password, in a session of its own. A secret word that only the other
tree holds must not come back, the other tree must stay as it is, and its pushes must not wait.
"""

from __future__ import annotations

import pytest

from memtool.fleet.connection import connected
from memtool.fleet.jobs import open_queue, queue_job, remove_old_jobs
from memtool.fleet.work import begin_work, finish_job, next_job
from tests.fleet.attempts import HARMLESS, OTHER, OWN, REFUSED, SECRET
from tests.fleet.fleets import Fleet, Tree


@pytest.fixture(scope="module")
def trees(module_fleet: Fleet) -> tuple[Fleet, Tree, Tree]:
    """A fleet with a tree that tries, and another, which lets nobody read it."""
    other = module_fleet.add_tree("other", OTHER)
    queue(module_fleet, "other", "session-end", "--user", SECRET)
    with connected(other.key.dsn) as connection:
        worker = begin_work(connection, "there")
        job = next_job(connection, worker)
        finish_job(connection, worker, job.number, "ran", 0, f"{SECRET} Lisbon")
    queue(module_fleet, "other", "session-end", "--session", SECRET)
    return module_fleet, module_fleet.add_tree("curious", OWN), other


def queue(fleet: Fleet, tree: str, *command: str) -> int:
    """Queue a command for a tree, as the operator; the number of the job."""
    with connected(fleet.dsn) as connection:
        open_queue(connection)
        return queue_job(connection, tree, command)


def state(fleet: Fleet) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the other tree, and who may read what."""
    statements = {
        table: f"SELECT t::text FROM memtool_data.{table} t WHERE tree = 1 ORDER BY 1"
        for table in ("tree", "document", "chunk", "posting", "owner", "term", "receipt", "job")
    }
    statements["jobs"] = (
        "SELECT j::text FROM memtool_jobs.procrastinate_jobs j WHERE queue_name = '1' ORDER BY id"
    )
    statements["worker"] = (
        "SELECT w.id, w.instance FROM memtool_jobs.procrastinate_workers w WHERE w.tree = 1"
    )
    statements["reader"] = "SELECT reader::text, tree FROM memtool_data.reader"
    with connected(fleet.dsn) as connection:
        return {name: connection.execute(text.encode()).fetchall() for name, text in statements.items()}


def results(connection, statement: str) -> str:
    """All that the statements of a session return, its notices included, as one text."""
    said: list[str] = []
    connection.add_notice_handler(lambda notice: said.append(notice.message_primary))
    cursor = connection.execute(statement.encode())
    while True:
        if cursor.description is not None:
            said += [str(row) for row in cursor.fetchall()]
        if not cursor.nextset():
            return "\n".join(said)


_REFUSALS = {"42", "3F", "0A", "25", "22", "55", "58", "MT"}
"""The classes of errors of a refused statement; a lost connection has another."""


def test_there_are_at_least_60_attempts():
    assert len(REFUSED) + len(HARMLESS) >= 60


@pytest.mark.parametrize("attempt", REFUSED)
def test_what_a_role_may_not_do_is_refused(trees, attempt):
    import psycopg

    fleet, curious, _ = trees
    before = state(fleet)
    with fleet.connection_of(curious) as connection, pytest.raises(psycopg.Error) as refused:
        results(connection, REFUSED[attempt])
    assert refused.value.sqlstate is not None
    assert refused.value.sqlstate[:2] in _REFUSALS, refused.value
    assert SECRET not in str(refused.value).partition("LINE 1")[0]
    assert state(fleet) == before


@pytest.mark.parametrize("attempt", HARMLESS)
def test_what_a_role_may_do_tells_and_changes_nothing_of_another_tree(trees, attempt):
    fleet, curious, _ = trees
    before = state(fleet)
    with fleet.connection_of(curious) as connection:
        shown = results(connection, HARMLESS[attempt])
    told = shown.replace(f"'{{{SECRET}}}'", "")  # what the statement itself says
    assert SECRET not in told
    assert "Lisbon" not in told
    assert "other" not in [word.strip("',()") for word in told.split()] or attempt in {
        "settings",
        "definitions",
    }
    assert state(fleet) == before


@pytest.mark.parametrize(
    "held",
    [
        "SELECT memtool.finish_push(1)",
        "SELECT memtool.remove_document(1, 'x')",
        "SELECT * FROM memtool.trees()",
        "SELECT memtool.begin_work('x')",
        "SELECT * FROM memtool.next_job(memtool.begin_work('x'))",
        "SELECT memtool.finish_job(w, job, 'ran', 0, '') FROM memtool.begin_work('x') w, memtool.next_job(w)",
        "LOCK TABLE pg_catalog.pg_class IN ACCESS SHARE MODE",
        "LISTEN memtool",
        f"SELECT memtool.put_document(1, 'x', 'e', 1, 'r', '', '', 't', '{{}}', 0 {', $${}$$' * 10})",
        "SELECT memtool.add_receipts(memtool.begin_push(), '{forgotten}', '{mine}')",  # no older push writes
    ],
)
def test_an_open_transaction_delays_nobody_else(trees, held):
    fleet, curious, other = trees
    number = fleet.rows("SELECT count(*) FROM memtool_data.document WHERE tree = 1")[0][0]
    queue(fleet, "curious", "maintain")
    fleet.rows(  # the worker of the fixture, else it counts as alive for 30 seconds
        "UPDATE memtool_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 min' RETURNING id"
    )
    with fleet.connection_of(curious) as connection, connection.transaction():
        connection.execute(held.encode())
        other.write({"memory/notes/zettel/new.md": f"# {held}\n"})
        options = {"PGOPTIONS": "-c lock_timeout=5s"}  # else a wait would have no end
        other.memtool("fleet", "push", **options)
        other.memtool("fleet", "join", fleet.dsn, "--as", "other", "--replace", **options)
        for tree in (
            "other",
            "curious",
        ):  # the operator's jobs wait for nobody, not even for those of its tree
            queue(fleet, tree, "maintain", "--idle", f"{1 + len(held) % 9}h")
        with connected(fleet.dsn) as operator:
            open_queue(operator)
            remove_old_jobs(operator)
        other.memtool("fleet", "work", "--once", **options)
    (other.root / "memory/notes/zettel/new.md").unlink()
    other.memtool("fleet", "push")
    assert fleet.rows("SELECT count(*) FROM memtool_data.document WHERE tree = 1") == [(number,)]


def test_counts_tell_nothing_of_trees_that_may_not_be_read(trees):
    fleet, curious, _ = trees
    with fleet.connection_of(curious) as connection:
        own = int(results(connection, "SELECT memtool.chunk_count(NULL, false)").strip("(),"))
    assert own == fleet.rows("SELECT sum(chunks) FROM memtool_data.owner WHERE tree = 2")[0][0]


def test_row_level_security_holds_without_the_functions_conditions(trees):
    fleet, curious, _ = trees
    owner = fleet.rows("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'memtool_data'")[
        0
    ][0]
    import psycopg

    with psycopg.connect(fleet.dsn, autocommit=True) as connection:
        connection.execute(
            f"""SET ROLE {owner};
            CREATE FUNCTION memtool.careless() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS 'SELECT text FROM memtool_data.chunk';
            CREATE FUNCTION memtool.careless_delete() RETURNS void LANGUAGE sql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS 'DELETE FROM memtool_data.chunk WHERE tree = 1';
            GRANT EXECUTE ON FUNCTION memtool.careless(), memtool.careless_delete() TO PUBLIC""".encode()
        )
    before = state(fleet)
    own = fleet.rows("SELECT text FROM memtool_data.chunk WHERE tree = 2")
    with fleet.connection_of(curious) as connection:
        seen = results(connection, "SELECT * FROM memtool.careless()").split("\n")
        assert sorted(seen) == sorted(map(str, own))
        assert "('# A heron',)" in seen
        results(connection, "SELECT memtool.careless_delete()")
    assert state(fleet) == before


def test_the_owner_is_no_superuser_and_public_has_no_rights(trees):
    fleet, _, _ = trees
    owner = fleet.rows(
        "SELECT rolsuper, rolcanlogin, rolcreaterole, rolbypassrls FROM pg_roles r JOIN pg_namespace n"
        " ON n.nspowner = r.oid WHERE nspname IN ('memtool', 'memtool_data')"
    )
    assert {*owner} == {(False, False, False, False)}
    functions = fleet.rows(
        "SELECT nspname, prosecdef, proconfig, has_function_privilege('public', p.oid, 'execute')"
        " FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace"
        " WHERE nspname IN ('memtool', 'memtool_data', 'memtool_jobs') AND proname NOT LIKE 'careless%%'"
    )
    assert {schema for schema, *_ in functions} == {"memtool", "memtool_data", "memtool_jobs"}
    for schema, is_definer, config, is_public in functions:
        path = "pg_catalog, memtool_jobs, pg_temp" if schema == "memtool_jobs" else "pg_catalog, pg_temp"
        assert f"search_path={path}" in config
        assert is_definer == (schema == "memtool")
        assert not is_public


def test_row_level_security_stands_behind_the_functions_of_jobs(trees):
    fleet, curious, _ = trees
    ((owner,),) = fleet.rows(
        "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'memtool_data'"
    )
    import psycopg

    with psycopg.connect(fleet.dsn, autocommit=True) as connection:
        connection.execute(
            f"""SET ROLE {owner};
            CREATE FUNCTION memtool.careless_jobs() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $$
              SELECT j::text FROM memtool_data.job j WHERE j.tree = 1
              UNION ALL SELECT j::text FROM memtool_jobs.procrastinate_jobs j WHERE j.queue_name = '1'
              UNION ALL SELECT e::text FROM memtool_jobs.procrastinate_events e WHERE e.job_id = 1
              UNION ALL SELECT w::text FROM memtool_jobs.procrastinate_workers w WHERE w.tree = 1 $$;
            CREATE FUNCTION memtool.careless_take() RETURNS SETOF bigint LANGUAGE sql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $$
              SELECT f.id FROM memtool_jobs.procrastinate_fetch_job_v2('{{1}}', NULL) f $$;
            GRANT EXECUTE ON FUNCTION memtool.careless_jobs(), memtool.careless_take() TO PUBLIC""".encode()
        )
    before = state(fleet)
    with fleet.connection_of(curious) as connection:
        assert results(connection, "SELECT * FROM memtool.careless_jobs()") == ""
        assert results(connection, "SELECT * FROM memtool.careless_take()") == "(None,)"
    assert state(fleet) == before


def test_no_notification_tells_of_jobs(trees):
    fleet, curious, _ = trees
    with fleet.connection_of(curious) as connection:
        for channel in ("procrastinate_any_queue_v1", "procrastinate_queue_v1#1", "procrastinate_queue_v1#2"):
            connection.execute(f'LISTEN "{channel}"')
        queue(fleet, "other", "doctor")
        queue(fleet, "curious", "doctor")
        assert list(connection.notifies(timeout=0.3)) == []
