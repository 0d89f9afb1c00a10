"""What a tree's role may learn from how much work a call is, and what it may leave behind or use up."""

from __future__ import annotations

import pytest

from memtool.fleet.connection import connected
from memtool.fleet.schema import join, remove_tree
from tests.fleet.attempts import OTHER, OWN, SECRET
from tests.fleet.fleets import Fleet, Tree


@pytest.fixture(scope="module")
def trees(module_fleet: Fleet) -> tuple[Fleet, Tree, Tree]:
    """A fleet with a tree that tries, and another, which lets nobody read it."""
    other = module_fleet.add_tree("other", OTHER)
    return module_fleet, module_fleet.add_tree("curious", OWN), other


GUESSES = {
    "memtool.term_counts(NULL, false, '{{0}}', '{{{}}}')": (SECRET, "nosuchword"),
    "memtool.lexicon(NULL, false, 0::int2, '{0}', '{0}z', 10)": (SECRET, "nosuchword"),
    "memtool.postings(NULL, false, '{{0}}', '{{{}}}', '{{}}', '{{}}', 99, NULL, NULL, NULL, NULL)": (
        SECRET,
        "nosuchword",
    ),
    "memtool.best_postings(NULL, false, '{{0}}', '{{{0}}}', '{{1}}', 4, '{{0}}', '{{{0}}}', 99, 99,"
    " NULL, NULL, NULL, NULL)": (SECRET, "nosuchword"),
    "memtool.best_common_postings(NULL, false, '{{0}}', '{{{0}}}', '{{1}}', 4, '{{0}}', '{{{0}}}', 9, 99)": (
        SECRET,
        "nosuchword",
    ),
    "memtool.documents(NULL, false, '{{{}}}', '{{1}}')": ("1", "99"),
    "memtool.chunks(NULL, false, '{{{}}}', '{{1}}', '{{0}}')": ("1", "99"),
    "memtool.chunks('{{user:ann}}', false, '{{{}}}', '{{1}}', '{{1}}')": ("1", "99"),
    "memtool.chunk_count(ARRAY['{}'], false)": ("user:ann", "user:bob"),
    "memtool.remove_document(memtool.begin_push(), '{}')": (
        f"memory/notes/zettel/{SECRET}-note.md",
        "none.md",
    ),
}
"""Calls with a guess that is right for the other tree, and one that is wrong."""


@pytest.mark.parametrize("call", GUESSES)
def test_a_right_guess_reads_no_more_rows_than_a_wrong_one(trees, call):
    fleet, curious, _ = trees
    right, wrong = (
        _rows_read(fleet, curious, f"SELECT * FROM {call.format(guess)}") for guess in GUESSES[call]
    )
    assert right == wrong


def test_of_hidden_memory_no_more_rows_are_read_than_of_none(trees):
    fleet, _, _ = trees
    reader = fleet.add_tree("reader", OWN, "--reads", "all")
    hidden = f"{SECRET}ann"
    assert fleet.rows("SELECT FROM memtool_data.term WHERE term = %s", hidden)
    call = "SELECT * FROM memtool.term_counts(NULL, false, '{{0}}', '{{{}}}')"
    right, wrong = (_rows_read(fleet, reader, call.format(guess)) for guess in (hidden, "nosuchword"))
    assert right == wrong


def _rows_read(fleet: Fleet, tree: Tree, statement: str) -> list[tuple[object, ...]]:
    """What the server counts for a statement, as every role sees it, of a new session."""
    with fleet.connection_of(tree) as connection, connection.transaction(force_rollback=True):
        connection.execute(statement.encode())
        return connection.execute(
            "SELECT relname, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_xact_all_tables"
            " WHERE schemaname IN ('memtool_data', 'memtool_jobs') ORDER BY 1"
        ).fetchall()


def test_the_sessions_of_others_cannot_be_ended(trees):
    import psycopg

    fleet, curious, other = trees
    with fleet.connection_of(other) as victim, connected(fleet.dsn) as operator:
        for connection in (victim, operator):
            for function in ("pg_cancel_backend", "pg_terminate_backend"):
                with (
                    fleet.connection_of(curious) as attacker,
                    pytest.raises(psycopg.errors.InsufficientPrivilege),
                ):
                    attacker.execute(f"SELECT {function}({connection.info.backend_pid})")
            assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize(
    "left",
    [
        "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC",
        "ALTER ROLE CURRENT_USER SET search_path = public",
    ],
)
def test_a_role_cannot_prevent_its_removal(fleet, left):
    curious = fleet.add_tree("curious", OWN)
    with fleet.connection_of(curious) as connection:
        connection.execute(left.encode())
    with connected(fleet.dsn) as operator:
        join(operator, "curious", replace=True)
        remove_tree(operator, "curious")
    assert fleet.rows("SELECT FROM memtool_data.tree") == []


def test_one_tree_cannot_use_up_the_locks_of_the_server(trees):
    import psycopg

    fleet, curious, other = trees
    with fleet.connection_of(curious) as connection:
        with pytest.raises(psycopg.Error):
            connection.execute("SELECT pg_advisory_lock(n) FROM generate_series(0, 1000000) n")
        other.write({"memory/notes/zettel/new.md": "# New\n"})
        other.memtool("fleet", "push")
