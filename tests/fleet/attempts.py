"""Statements that the role of a tree may try: those that must fail, and those that must tell nothing."""

from __future__ import annotations

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
    "inner function: each readable": "SELECT * FROM memtool_data.each_readable_tree()",
    "inner function: floors": "SELECT memtool_data.floors(NULL, false, '{0}', '{kiln}', '{1}', 4, 1)",
    "inner function: above": "SELECT * FROM memtool_data.postings_above(NULL, false, '{0}', '{kiln}', '{1}',"
    " 4, '{1}', '{0}', '{kiln}', 9, 9)",
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
    "become the superuser": "DO $$ BEGIN EXECUTE format('SET ROLE %I', (SELECT rolname FROM pg_roles"
    " WHERE rolsuper LIMIT 1)); END $$",
    "an advisory lock": "SELECT pg_advisory_lock(1)",
    "try an advisory lock": "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
    "make a large object": "SELECT lo_create(0)",
    "fill a large object": "SELECT lo_from_bytea(0, 'x')",
    "raise the limit of temporary files": "SET temp_file_limit = -1",
    "lock a catalog": "LOCK TABLE pg_catalog.pg_class IN ACCESS EXCLUSIVE MODE",
    "copy in": "COPY memtool_data.chunk FROM STDIN",
    "copy from a program": "COPY memtool_data.chunk FROM PROGRAM 'id'",
    "copy a query on a table": "COPY (SELECT text FROM memtool_data.chunk) TO STDOUT",
    "prepare a query on a table": "PREPARE q (text) AS SELECT * FROM memtool_data.term WHERE term = $1",
    "prepare a transaction": "BEGIN; SELECT memtool.begin_push(); PREPARE TRANSACTION 'held'",
    "a cursor on a table": "BEGIN; DECLARE c CURSOR FOR SELECT * FROM memtool_data.chunk",
    "a table in a block": "DO $$ BEGIN PERFORM * FROM memtool_data.chunk; END $$",
    "an untrusted block": "DO LANGUAGE plpython3u $$ import os $$",
    "a view": "CREATE VIEW public.mine AS SELECT * FROM memtool_data.chunk",
    "a materialized view": "CREATE MATERIALIZED VIEW public.mine AS SELECT * FROM memtool_data.chunk",
    "a temporary view": "CREATE TEMP VIEW mine AS SELECT 1",
    "a rule": "CREATE RULE r AS ON INSERT TO memtool_data.chunk DO INSTEAD NOTHING",
    "an event trigger": "CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION f()",
    "a cast": "CREATE CAST (text AS integer) WITH INOUT AS IMPLICIT",
    "a type": "CREATE TYPE public.mine AS (x int)",
    "a domain": "CREATE DOMAIN public.mine AS text",
    "inherit a table": "CREATE TABLE public.mine () INHERITS (memtool_data.chunk)",
    "refer to a table": "CREATE TABLE public.mine (tree integer REFERENCES memtool_data.tree)",
    "cluster a table": "CLUSTER memtool_data.chunk USING chunk_pkey",
    "reindex": "REINDEX TABLE memtool_data.chunk",
    "dblink": "CREATE EXTENSION dblink",
    "a foreign server": "CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw",
    "load a library": "LOAD 'auto_explain'",
    "change the server": "ALTER SYSTEM SET log_statement = 'all'",
    "log statements": "SET log_statement = 'all'",
    "change the database": "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public',"
    " current_database()); END $$",
    "own the schema": "ALTER SCHEMA memtool OWNER TO CURRENT_USER",
    "own a table": "ALTER TABLE memtool_data.chunk OWNER TO CURRENT_USER",
    "rename a table": "ALTER TABLE memtool_data.chunk RENAME TO mine",
    "grant a table": "GRANT SELECT ON memtool_data.chunk TO CURRENT_USER",
    "grant all functions": "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA memtool_data TO CURRENT_USER; SELECT"
    " memtool_data.own_tree()",
    "grant the owner": "DO $$ BEGIN EXECUTE format('GRANT %I TO CURRENT_USER', (SELECT"
    " pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'memtool_data')); END $$",
    "drop what another owns": "DO $$ BEGIN EXECUTE format('DROP OWNED BY %I', (SELECT rolname FROM pg_roles"
    " WHERE rolname ~ 'memtool_tree_' AND rolname <> session_user LIMIT 1)); END $$",
    "drop another's role": "DO $$ BEGIN EXECUTE format('DROP ROLE %I', (SELECT rolname FROM pg_roles"
    " WHERE rolname ~ 'memtool_tree_' AND rolname <> session_user LIMIT 1)); END $$",
    "import a file as a large object": "SELECT lo_import('PG_VERSION')",
    "export a large object": "SELECT lo_export(1, '/tmp/x')",
    "read all large objects": "SELECT * FROM pg_largeobject",
    "read a binary file": "SELECT pg_read_binary_file('PG_VERSION')",
    "stat a file": "SELECT pg_stat_file('PG_VERSION')",
    "list the write-ahead log": "SELECT * FROM pg_ls_waldir()",
    "rotate the log": "SELECT pg_rotate_logfile()",
    "a checkpoint": "CHECKPOINT",
    "a backup": "SELECT pg_switch_wal()",
    "the publisher's slots": "SELECT pg_create_logical_replication_slot('s', 'test_decoding')",
    "subscriptions": "SELECT subconninfo FROM pg_subscription",
    "user mappings": "SELECT * FROM pg_user_mapping",
    "reset statistics": "SELECT pg_stat_reset()",
    "memory of another process": "SELECT pg_log_backend_memory_contexts(pg_backend_pid())",
    "a page of a table": "SELECT get_raw_page('memtool_data.chunk', 0)",
    "how the server was built": "SELECT * FROM pg_config",
    "the rules of authentication": "SELECT * FROM pg_hba_file_rules",
    "the files of settings": "SELECT * FROM pg_file_settings",
    "shared memory": "SELECT * FROM pg_shmem_allocations",
    "a table as XML": "SELECT table_to_xml('memtool_data.chunk', true, false, '')",
    "analyze a table": "ANALYZE memtool_data.chunk",
    "the schema as XML": "SELECT schema_to_xml('memtool_data', true, false, '')",
    "a query as XML": "SELECT query_to_xml('SELECT * FROM memtool_data.chunk', true, false, '')",
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
    "best common postings of any role": "SELECT * FROM memtool.best_common_postings(NULL, false, '{0,0}',"
    f" '{{{SECRET},kiln}}', '{{1,1}}', 4, '{{0,0}}', '{{{SECRET},kiln}}', 999, 999)",
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
    "the schema's columns": "SELECT * FROM information_schema.columns;"
    " SELECT * FROM information_schema.tables",
    "the schema's routines": "SELECT * FROM information_schema.routines WHERE routine_schema ~ 'memtool'",
    "privileges": "SELECT * FROM information_schema.table_privileges;"
    " SELECT * FROM information_schema.role_table_grants",
    "policies": "SELECT * FROM pg_policies",
    "blocks read": "SELECT * FROM pg_statio_all_tables; SELECT * FROM pg_statio_all_indexes",
    "what functions did": "SELECT * FROM pg_stat_user_functions; SELECT * FROM pg_stat_xact_user_functions",
    "progress": "SELECT * FROM pg_stat_progress_vacuum; SELECT * FROM pg_stat_progress_create_index;"
    " SELECT * FROM pg_stat_progress_copy",
    "what each process runs": "SELECT pg_stat_get_backend_activity(b) FROM pg_stat_get_backend_idset() b",
    "who waits for whom": "SELECT pg_blocking_pids(pid), wait_event FROM pg_stat_activity",
    "prepared statements and cursors": "SELECT * FROM pg_prepared_statements; SELECT * FROM pg_cursors",
    "transactions": "SELECT pg_current_snapshot(), pg_export_snapshot()",
    "the last numbers": "SELECT sequencename, last_value FROM pg_sequences",
    "plans of the functions": "SET client_min_messages = log; SET debug_print_plan = on;"
    f" SET debug_print_parse = on; SET debug_print_rewritten = on;"
    f" SELECT * FROM memtool.term_counts(NULL, false, '{{0}}', '{{{SECRET}}}');"
    f" SELECT * FROM memtool.lexicon(NULL, false, 0::int2, '{SECRET}', '{SECRET}z', 10);"
    " SELECT memtool.remove_document(1, 'MEMORY.md')",
    "traces": "SET client_min_messages = debug5; SET trace_sort = on;"
    f" SELECT * FROM memtool.term_counts(NULL, false, '{{0}}', '{{{SECRET}}}')",
    "errors of arguments": f"SELECT memtool.chunk_count(ARRAY[NULL, '{SECRET}', ''], NULL);"
    " SELECT * FROM memtool.postings(NULL, NULL, NULL, NULL, NULL, NULL, -1, NULL, NULL, NULL, NULL)",
    "large objects": "SELECT oid FROM pg_largeobject_metadata",
    "settings of roles": "SELECT * FROM pg_db_role_setting",
    "default privileges": "SELECT * FROM pg_default_acl",
    "comments of others": "SELECT * FROM pg_description WHERE objoid > 16384; SELECT * FROM pg_shdescription",
}
"""Statements that may run, and must neither return the secret nor change the other tree."""
