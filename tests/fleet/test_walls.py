"""What a tree's role may try with SQL of its own to see, guess, change or block what is another tree's.

Each attempt runs with the role's own password, in a session of its own. A secret word that only the other
tree holds must not come back, the other tree must stay as it is, and its pushes must not wait.
"""

from __future__ import annotations

import pytest

from memtool.fleet.connection import connected
from memtool.fleet.jobs import open_queue, queue_job, remove_old_jobs
from memtool.fleet.work import begin_work, finish_job, next_job
from tests.fleet.fleets import Fleet, Tree

SECRET = "quagga"
OTHER = {
    "MEMORY.md": f"# Facts\n\n- The {SECRET} lives in Lisbon\n- [user:ann] {SECRET}ann likes tea\n",
    f"memory/notes/zettel/{SECRET}-note.md": f"---\ntags: [{SECRET}tag]\n---\n# About a {SECRET}\n\nkiln\n",
}
OWN = {"MEMORY.md": "- kiln\n", "memory/notes/zettel/own.md": "# A heron\n"}
TABLES = ("tree", "reader", "document", "chunk", "posting", "owner", "term", "migration", "members", "job")
JOB_TABLES = tuple(f"procrastinate_{name}" for name in ("jobs", "workers", "events", "periodic_defers"))

REFUSED = {
    **{f"read {name}": f"SELECT * FROM memtool_data.{name}" for name in TABLES},
    **{f"count {name}": f"EXPLAIN SELECT * FROM memtool_data.{name}" for name in TABLES},
    **{f"lock {name}": f"LOCK TABLE memtool_data.{name} IN ACCESS EXCLUSIVE MODE" for name in TABLES},
    **{f"empty {name}": f"TRUNCATE memtool_data.{name}" for name in TABLES},
    **{f"read {name}": f"SELECT * FROM memtool_jobs.{name}" for name in JOB_TABLES},
    **{f"lock {name}": f"LOCK TABLE memtool_jobs.{name} IN ACCESS SHARE MODE" for name in JOB_TABLES},
    "forge a job": "SELECT memtool_data.queue_job('other', '{maintain}')",
    "forge a job of the library": "SELECT memtool_jobs.procrastinate_defer_jobs_v1(ARRAY[]"
    "::memtool_jobs.procrastinate_job_to_defer_v1[])",
    "take another's job by the library": "SELECT memtool_jobs.procrastinate_fetch_job_v2('{1}', 1)",
    "finish another's job by the library": "SELECT"
    " memtool_jobs.procrastinate_finish_job_v1(1, 'failed', true)",
    "insert a job": "INSERT INTO memtool_data.job (tree, job, command) VALUES (1, 1, '{maintain}')",
    "read all jobs": "SELECT * FROM memtool_data.job_states('{1,2,3}')",
    "remove old jobs": "SELECT memtool_data.remove_old_jobs()",
    "give back another's job": "SELECT memtool_data.give_back(1)",
    "be another's worker": "SELECT memtool.keep_work(1)",
    "take jobs as another's worker": "SELECT * FROM memtool.next_job(1)",
    "finish another's job": "SELECT memtool.finish_job(1, 1, 'ran', 0, 'faked')",
    "end another's worker": "SELECT memtool.end_work(1)",
    "no worker": "SELECT * FROM memtool.next_job(NULL)",
    "the sequence of jobs": "SELECT nextval('memtool_jobs.procrastinate_jobs_id_seq')",
    "delete documents": "DELETE FROM memtool_data.document",
    "rename a tree": "UPDATE memtool_data.tree SET role = session_user",
    "grant oneself a tree": "INSERT INTO memtool_data.reader VALUES (0, session_user, '{}')",
    "lock a row": "SELECT 1 FROM memtool_data.tree FOR UPDATE",
    "analyze with output": f"EXPLAIN ANALYZE SELECT FROM memtool_data.term WHERE term = '{SECRET}'",
    "copy out": "COPY memtool_data.chunk TO STDOUT",
    "copy to a program": "COPY (SELECT 1) TO PROGRAM 'cat'",
    "copy to a file": "COPY (SELECT 1) TO '/tmp/x'",
    "inner function: visible": "SELECT * FROM memtool_data.visible(NULL, false)",
    "inner function: readable": "SELECT memtool_data.readable_trees()",
    "inner function: own": "SELECT memtool_data.own_tree()",
    "inner function: lock": "SELECT memtool_data.writable_tree(1)",
    "inner function: delete": "SELECT memtool_data.delete_document(1, 'MEMORY.md')",
    "become the owner": "DO $$ BEGIN EXECUTE format('SET ROLE %I', (SELECT pg_get_userbyid(nspowner)"
    " FROM pg_namespace WHERE nspname = 'memtool_data')); END $$",
    "become the other tree": "DO $$ BEGIN EXECUTE format('SET ROLE %I', (SELECT rolname FROM pg_roles"
    " WHERE rolname ~ 'memtool_tree_' AND rolname <> session_user LIMIT 1)); END $$",
    "become a session of the other": "DO $$ BEGIN EXECUTE format('SET SESSION AUTHORIZATION %I', (SELECT"
    " rolname FROM pg_roles WHERE rolname ~ 'memtool_tree_' AND rolname <> session_user LIMIT 1)); END $$",
    "become superuser": "ALTER ROLE CURRENT_USER SUPERUSER",
    "bypass row security": "ALTER ROLE CURRENT_USER BYPASSRLS",
    "create a role": "CREATE ROLE another",
    "change the other's password": "DO $$ BEGIN EXECUTE format('ALTER ROLE %I PASSWORD ''x''', (SELECT"
    " rolname FROM pg_roles WHERE rolname ~ 'memtool_tree_' AND rolname <> session_user LIMIT 1)); END $$",
    "read passwords": "SELECT * FROM pg_authid",
    "read statistics": "SELECT * FROM pg_statistic",
    "read extended statistics": "SELECT * FROM pg_statistic_ext_data",
    "create a schema": "CREATE SCHEMA mine",
    "create a table": "CREATE TABLE public.mine (x int)",
    "create a temporary table": "CREATE TEMP TABLE mine (x int)",
    "create a temporary function": "CREATE FUNCTION pg_temp.int4eq(integer, integer) RETURNS boolean"
    " LANGUAGE sql AS 'SELECT true'",
    "create an operator": "CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)",
    "create an extension": "CREATE EXTENSION btree_gin",
    "create a language": "CREATE LANGUAGE plperlu",
    "create a publication": "CREATE PUBLICATION all_rows FOR ALL TABLES",
    "create a statistics object": "CREATE STATISTICS s ON tree, term FROM memtool_data.term",
    "create a trigger": "CREATE TRIGGER t AFTER INSERT ON memtool_data.chunk EXECUTE FUNCTION suppress()",
    "create a policy": "CREATE POLICY p ON memtool_data.chunk USING (true)",
    "disable row security": "ALTER TABLE memtool_data.chunk DISABLE ROW LEVEL SECURITY",
    "replace a function": "CREATE OR REPLACE FUNCTION memtool.pushed() RETURNS TABLE (path text, etag text,"
    " terms integer) LANGUAGE sql AS 'SELECT text, text, 1 FROM memtool_data.chunk'",
    "make a function plain": "ALTER FUNCTION memtool.trees() SECURITY INVOKER",
    "change the search path of a function": "ALTER FUNCTION memtool.trees() SET search_path = public",
    "drop the schema": "DROP SCHEMA memtool_data CASCADE",
    "drop the database": "DROP DATABASE fleet",
    "read a file of the server": "SELECT pg_read_file('PG_VERSION')",
    "list the server's folder": "SELECT pg_ls_dir('.')",
    "read the log": "SELECT pg_current_logfile()",
    "reload": "SELECT pg_reload_conf()",
    "a sequence": "SELECT last_value FROM memtool_data.tree_tree_seq",
    "the next of a sequence": "SELECT nextval('memtool_data.tree_tree_seq')",
    "replicate": "SELECT pg_create_physical_replication_slot('s')",
    "set the role at login": "ALTER ROLE ALL SET search_path = public",
    "raise the limit of connections": "ALTER ROLE CURRENT_USER CONNECTION LIMIT -1",
    "no row security": "SET row_security = off; SELECT * FROM memtool.trees()",
    "replication role": "SET session_replication_role = replica",
}
"""Statements that must fail."""

HARMLESS = {
    "documents of the fleet": "SELECT * FROM memtool.pushed()",
    "trees": "SELECT * FROM memtool.trees()",
    "all chunks counted": "SELECT memtool.chunk_count(NULL, false)",
    "a word counted": f"SELECT * FROM memtool.term_counts(NULL, false, '{{0}}', '{{{SECRET}}}')",
    "words listed": "SELECT * FROM memtool.lexicon(NULL, false, 0::int2, '', 'zzzz', 1000)",
    "postings of any role": f"SELECT * FROM memtool.postings(NULL, false, '{{0,0}}', '{{{SECRET},kiln}}',"
    f" '{{0}}', '{{{SECRET}}}', 1000000, NULL, NULL, NULL, NULL)",
    "best postings of any role": "SELECT * FROM memtool.best_postings(NULL, false, '{0,0}',"
    f" '{{{SECRET},kiln}}', '{{1,1}}', 4, '{{0,0}}', '{{{SECRET},kiln}}', 999, 999, NULL, NULL, NULL, NULL)",
    "documents by number": "SELECT * FROM memtool.documents(NULL, false, (SELECT array_agg(t) FROM"
    " generate_series(0, 20) t, generate_series(0, 20)), (SELECT array_agg(d) FROM generate_series(0, 20),"
    " generate_series(0, 20) d))",
    "chunks by number": "SELECT * FROM memtool.chunks(NULL, false, (SELECT array_agg(t) FROM"
    " generate_series(0, 20) t, generate_series(0, 20)), (SELECT array_agg(d) FROM generate_series(0, 20),"
    " generate_series(0, 20) d), (SELECT array_agg(0) FROM generate_series(0, 440)))",
    "chunks of a user": "SELECT * FROM memtool.chunks('{user:ann}', false, '{1,2}', '{1,1}', '{0,0}')",
    "text in an argument": "SELECT * FROM memtool.lexicon('{'' OR 1=1 --}', false, 0::int2, '', 'z', 9)",
    "what others run": "SELECT query, application_name, client_addr FROM pg_stat_activity",
    "statistics of columns": "SELECT * FROM pg_stats WHERE schemaname = 'memtool_data'",
    "statistics of expressions": "SELECT * FROM pg_stats_ext",
    "roles": "SELECT rolname, rolconfig FROM pg_roles",
    "comments": "SELECT obj_description(oid) FROM pg_class",
    "definitions": "SELECT prosrc FROM pg_proc WHERE pronamespace = 'memtool'::regnamespace",
    "settings": "SELECT name, setting FROM pg_settings",
    "sizes": "SELECT relname, reltuples, pg_relation_size(oid) FROM pg_class",
    "counters": "SELECT * FROM pg_stat_all_tables",
    "locks": "SELECT * FROM pg_locks",
    "prepared transactions": "SELECT * FROM pg_prepared_xacts",
    "notifications": "LISTEN memtool",
    "end other sessions": "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
    " WHERE usename = session_user AND pid <> pg_backend_pid()",
    "plan of a function": "EXPLAIN (ANALYZE, VERBOSE, COSTS) SELECT * FROM"
    f" memtool.term_counts(NULL, false, '{{0}}', '{{{SECRET}}}')",
    "a path of its own": "SET search_path = public, pg_temp; SELECT * FROM memtool.trees()",
    "as the role that all trees are members of": "DO $$ BEGIN EXECUTE format('SET ROLE %I', (SELECT rolname"
    " FROM pg_roles WHERE rolname LIKE 'memtool\\_trees%' AND pg_has_role(rolname, 'MEMBER'))); END $$;"
    " SELECT * FROM memtool.trees(); SELECT memtool.remove_document(1, 'MEMORY.md')",
    "remove another's document": "SELECT memtool.remove_document(1, 'MEMORY.md')",
    "put over another's document": "SELECT memtool.put_document(1, 'MEMORY.md', 'e', 1, 'r', '', '', 't',"
    """ '{}', 0, '{""}', '{1}', '{1}', '{""}', '{mine}', '{""}', '{0}', '{mine}', '{1}',"""
    """ '{"\\\\x01000000"}')""",
    "receipts of another": "SELECT * FROM memtool.receipts()",
    "forget for another": "SELECT memtool.add_receipts(1, '{forgotten}', '{mine}')",
    "finish another's push": "SELECT memtool.finish_push(1)",
    "workers and jobs of trees": "SELECT * FROM memtool.work()",
    "a worker of its own": "SELECT memtool.end_work(memtool.begin_work('x'))",
    "jobs of its own": "SELECT * FROM memtool.next_job(memtool.begin_work('x'))",
    "finish another's job as its own worker": "SELECT"
    " memtool.finish_job(memtool.begin_work('x'), 1, 'ran', 0, 'mine')",
    "a flood of workers": "SELECT count(memtool.begin_work(n::text)) FROM generate_series(1, 50) n",
    "listen to the library": 'LISTEN procrastinate_any_queue_v1; LISTEN "procrastinate_queue_v1#1"',
    "notify the library": "NOTIFY procrastinate_any_queue_v1, '{}'",
}
"""Statements that may run, and must neither return the secret nor change the other tree."""


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


_REFUSALS = {"42", "3F", "0A", "25", "22", "55", "MT"}
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
        "SELECT pg_advisory_lock(n) FROM generate_series(0, 2000) n",
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
