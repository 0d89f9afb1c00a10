"""Erasure in a fleet: forgotten text leaves the database, and no older copy of the tree brings it back."""

from __future__ import annotations

import shutil

import pytest

from memtool.fleet.connection import SupersededPush, connected
from memtool.fleet.document_rows import add_receipts, begin_push, finish_push, remove_document
from memtool.verbs.fleet.push import push
from memtool.verbs.indexing.documents import DocumentSync
from tests.fleet.fleets import Fleet
from tests.fleet.test_push import assert_in_line
from tests.trees import opened

TABLES = ("tree", "reader", "document", "chunk", "posting", "owner", "term", "receipt")
FILES = {
    "MEMORY.md": "# Long-term memory\n\n- The zebra project ends in May.\n- The kiln is free on Thursdays.\n",
    "memory/notes/zettel/n.md": "# Plans\n\nWe meet the zebra people on Monday.\n\nCeladon.\n",
}


def holds(fleet: Fleet, word: str) -> bool:
    """Whether any row of the fleet has the word."""
    rows = (fleet.rows(f"SELECT t::text FROM memtool_data.{table} t") for table in TABLES)
    return any(word in str(row).lower() for found in rows for row in found)


def test_what_a_tree_forgets_leaves_the_fleet_at_once(fleet):
    desk = fleet.add_tree("desk", FILES)
    assert holds(fleet, "zebra")
    desk.memtool("forget", "--match", "zebra", "--yes")
    assert not holds(fleet, "zebra")
    assert holds(fleet, "kiln")
    assert_in_line(fleet, desk)


def test_while_the_database_is_away_forget_succeeds_and_the_next_push_removes_the_text(fleet):
    desk = fleet.add_tree("desk", FILES)
    (key,) = (desk.home / ".config/memtool/fleet").iterdir()
    working = key.read_text()
    host = next(part for part in desk.key.dsn.split() if part.startswith("host="))
    key.write_text(working.replace(host, "host=/nonexistent"))
    said = desk.memtool("forget", "--match", "zebra", "--yes").stderr
    assert "the copies in the fleet were not removed" in said
    assert said.rstrip().endswith("run memtool fleet push")
    key.write_text(working)
    assert holds(fleet, "zebra")
    desk.memtool("fleet", "push")
    assert not holds(fleet, "zebra")


def test_a_restored_backup_of_the_tree_does_not_bring_it_back(fleet, tmp_path):
    desk = fleet.add_tree("desk", FILES)
    backup = tmp_path / "backup"
    shutil.copytree(desk.root, backup)
    desk.memtool("forget", "--match", "zebra", "--yes")
    shutil.rmtree(desk.root)
    shutil.copytree(backup, desk.root)
    desk.write({"memory/notes/zettel/new.md": "# New\n\nThe zebra project again.\n\nGlazes.\n"})
    said = desk.memtool("fleet", "push").stderr
    assert "removed 3 lines that memtool forget had removed from another copy" in said
    assert not holds(fleet, "zebra")
    assert not any(b"zebra" in path.read_bytes() for path in desk.root.rglob("*") if path.is_file())
    assert holds(fleet, "glazes")
    assert_in_line(fleet, desk)


def test_receipts_reach_the_fleet_once_and_only_for_their_tree(fleet):
    desk, other = fleet.add_tree("desk", FILES), fleet.add_tree("other", FILES, "--reads", "all")
    desk.memtool("forget", "--match", "zebra", "--yes")
    desk.memtool("fleet", "push")
    rows = fleet.rows("SELECT r.role, line FROM memtool_data.receipt r JOIN memtool_data.tree USING (tree)")
    assert sorted(role for role, _ in rows) == ["digest-keys", "forgotten"]
    other.memtool("fleet", "push")
    assert not (other.root / "memory/cognition/forgotten.jsonl").exists()
    assert "zebra" in (other.root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    "write",
    [
        lambda connection, number: remove_document(connection, number, "MEMORY.md"),
        lambda connection, number: add_receipts(connection, number, [("forgotten", "{}")]),
        finish_push,
    ],
)
def test_an_older_push_writes_nothing_once_a_newer_one_has_begun(fleet, write):
    desk = fleet.add_tree("desk", FILES)
    desk.write({"MEMORY.md": "- new\n"})

    def overtaken() -> None:
        with connected(desk.key.dsn) as stopped:
            number = begin_push(stopped)
            desk.memtool("fleet", "push")
            write(stopped, number)

    with pytest.raises(SupersededPush):
        overtaken()
    assert_in_line(fleet, desk)


def test_a_push_that_is_overtaken_leaves_the_rest_to_the_newer_one(fleet):
    desk = fleet.add_tree("desk")
    desk.write({f"memory/notes/zettel/n{n}.md": f"# Note {n}\n" for n in range(5)})
    workspace = opened(desk.root)
    with connected(desk.key.dsn) as newer:
        report = push(
            workspace, desk.key, DocumentSync(workspace, None, wait=1.0), lambda *_: begin_push(newer)
        )
    assert report.is_superseded
    assert len(report.put) == 1
    desk.memtool("fleet", "push")
    assert_in_line(fleet, desk)


def test_the_operator_removes_a_tree_with_all_that_it_pushed(fleet):
    desk, other = (
        fleet.add_tree("desk", FILES),
        fleet.add_tree("other", {"MEMORY.md": "- kiln\n"}, "--reads", "desk"),
    )
    refused = other.memtool("fleet", "forget", fleet.dsn, "desk", code=2).stderr
    assert (
        refused == "memtool: nothing was removed: cannot ask for confirmation without a terminal; add --yes\n"
    )
    assert holds(fleet, "zebra")
    other.memtool("fleet", "forget", fleet.dsn, "desk", "--yes")
    assert not holds(fleet, "zebra")
    assert fleet.rows("SELECT name FROM memtool_data.tree") == [("other",)]
    assert desk.memtool("fleet", "push", code=3).stderr.startswith(
        "memtool: the fleet's database cannot be reached"
    )
    said = other.memtool("fleet", "forget", fleet.dsn, "desk", "--yes", code=2).stderr
    assert said == "memtool: no tree named 'desk' in the fleet; memtool fleet status lists the trees\n"
