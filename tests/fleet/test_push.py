"""fleet push: what leaves the machine, and what the fleet has of a tree afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from memtool.core.records.document import FileStat
from memtool.fleet.connection import connected
from memtool.fleet.document_rows import PushedDocument, stored_term, weights_of
from memtool.index.documents.source import prepare
from memtool.index.documents.terms import FIELDS, STEMS, WORDS
from memtool.verbs.fleet.push import lag_of, redacted_lines
from memtool.verbs.indexing.document_record import record_of
from memtool.verbs.indexing.documents import DocumentSync
from tests.fleet.fleets import Fleet, Tree
from tests.trees import clean_environment, opened

TOKEN = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
NOTES = {f"memory/notes/zettel/note-{n:02}.md": f"# Note {n}\n\nCeladon fires at {n}.\n" for n in range(6)}


def expected_rows(tree: Tree) -> tuple[Counter[object], Counter[object]]:
    """The chunks and the postings that the fleet must have of a tree, made from its files as they are now."""
    workspace = opened(tree.root)
    chunks: Counter[object] = Counter()
    postings: Counter[object] = Counter()
    for path, stamp in DocumentSync(workspace, None, wait=1.0).sync().stamps.items():
        document, located = workspace.read(PurePosixPath(path)), workspace.role_of(path)
        assert document is not None
        assert located is not None
        stat, by_heading = FileStat(*stamp[:4]), workspace.layout.notes.titled_by_heading
        record = record_of(document, located, stat, stamp.at_ns, titled_by_heading=by_heading)
        for number, (chunk, prepared) in enumerate(zip(record.chunks, prepare(record), strict=True)):
            about = (record.path, record.stamp.etag, record.role, record.title)
            chunks[(*about, number, chunk.owner, chunk.first, chunk.last, chunk.text)] += 1
            for field in (STEMS, WORDS):
                for term, weight in prepared.terms.weights(field):
                    postings[record.path, chunk.owner, FIELDS[field], stored_term(term), number, weight] += 1
    return chunks, postings


def actual_rows(fleet: Fleet, tree: Tree) -> tuple[Counter[object], Counter[object]]:
    chunks = fleet.rows(
        "SELECT path, etag, d.role, title, number, owner, first, last, text FROM memtool_data.chunk"
        " JOIN memtool_data.document d USING (tree, document) JOIN memtool_data.tree t USING (tree)"
        " WHERE name = %s",
        tree.name,
    )
    postings = fleet.rows(
        "SELECT path, owner, field, term, data FROM memtool_data.posting"
        " JOIN memtool_data.document USING (tree, document) JOIN memtool_data.tree t USING (tree)"
        " WHERE name = %s",
        tree.name,
    )
    unpacked = (
        (path, owner, field, term, number, weight)
        for path, owner, field, term, data in postings
        for number, weight in weights_of([(0, data)]).items()
    )
    return Counter(chunks), Counter(unpacked)


def assert_in_line(fleet: Fleet, tree: Tree) -> None:
    """Assert that the fleet has what the files of a tree are, row by row, and the right counts."""
    assert actual_rows(fleet, tree) == expected_rows(tree)
    postings = Counter((owner, field, term) for _, owner, field, term, _, _ in expected_rows(tree)[1])
    counts = fleet.rows(
        "SELECT owner, field, term, chunks FROM memtool_data.term JOIN memtool_data.tree USING (tree)"
        " WHERE name = %s",
        tree.name,
    )
    assert {(owner, field, term): chunks for owner, field, term, chunks in counts} == postings
    owners = Counter(row[5] for row in expected_rows(tree)[0])
    chunks = fleet.rows(
        "SELECT owner, chunks FROM memtool_data.owner JOIN memtool_data.tree USING (tree) WHERE name = %s",
        tree.name,
    )
    assert dict(chunks) == owners


def test_the_fleet_has_the_files_of_a_tree_after_every_push(fleet):
    desk = fleet.add_tree("desk", NOTES)
    assert_in_line(fleet, desk)
    desk.write(
        {
            "memory/notes/zettel/note-01.md": "# Another\n\nstoneware, 釉薬は青い, e-mail\n",
            "MEMORY.md": "# Long-term memory\n\n- [user:ann] **preference**: I like tea\n- a\0b\n- ümlaut\n",
            "memory/2025-01-15.md": f"# Daily Notes -- 2025-01-15\n\n{'x1' * 900}\n",
        }
    )
    (desk.root / "memory/notes/zettel/note-02.md").unlink()
    (desk.root / "memory/notes/zettel/note-03.md").rename(desk.root / "memory/notes/zettel/moved.md")
    desk.memtool("fleet", "push")
    actual, expected = actual_rows(fleet, desk)[0], expected_rows(desk)[0]
    assert {row[0] for row in actual} == {row[0] for row in expected}
    (desk.root / "MEMORY.md").unlink()  # NUL cannot be stored as it is
    desk.memtool("fleet", "push")
    assert_in_line(fleet, desk)


def test_only_changed_files_are_sent(fleet):
    desk = fleet.add_tree("desk", NOTES)
    before = dict(fleet.rows("SELECT path, document FROM memtool_data.document"))
    changed = "memory/notes/zettel/note-04.md"
    desk.write({changed: "# New\n"})
    (desk.root / "memory/notes/zettel/note-05.md").touch()
    result = desk.memtool("fleet", "push", "--json")
    assert json.loads(result.stdout) == {"put": 1, "removed": 0, "unchanged": len(before) - 1}
    after = dict(fleet.rows("SELECT path, document FROM memtool_data.document"))
    assert {path for path in after if after[path] != before[path]} == {changed}


def test_a_dry_run_names_the_files_that_differ_and_sends_none(fleet):
    desk = fleet.add_tree("desk", NOTES)
    desk.write({"MEMORY.md": "- new\n"})
    (desk.root / "memory/notes/zettel/note-02.md").unlink()
    shown = desk.memtool("fleet", "push", "--dry-run").stdout
    assert shown.splitlines() == ["put\tMEMORY.md", "remove\tmemory/notes/zettel/note-02.md"]
    assert desk.memtool("fleet", "push", "--dry-run").stdout == shown


@pytest.mark.parametrize("how", [{"MEMTOOL_MODE": "incognito"}, {}])
def test_incognito_sends_nothing(fleet, how):
    desk = fleet.add_tree("desk")
    desk.write({"MEMORY.md": "- secret plan\n"})
    arguments = ("fleet", "push") if how else ("fleet", "push", "--incognito")
    assert desk.memtool(*arguments, **how).stderr == "memtool: incognito: nothing was sent\n"
    assert fleet.rows("SELECT count(*) FROM memtool_data.document") == [(0,)]


def test_no_secret_leaves_the_machine(fleet):
    fleet.add_tree(
        "desk",
        {
            "memory/notes/zettel/n.md": f"---\ntitle: key {TOKEN}\ntags: [{TOKEN}]\n---\n"
            f"# Use {TOKEN}\n\n{TOKEN}\n",
            "MEMORY.md": f"- the token is {TOKEN}\n",
        },
    )
    for table in ("document", "chunk", "posting", "term"):
        for row in fleet.rows(f"SELECT t::text FROM memtool_data.{table} t"):
            assert TOKEN.lower() not in row[0].lower()
            assert TOKEN[4:].lower() not in row[0].lower()
    assert fleet.rows("SELECT text FROM memtool_data.chunk WHERE text LIKE '- the%%'") == [
        ("- the token is [REDACTED:github-token]",)
    ]


def test_redaction_keeps_the_numbers_of_lines():
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY\n" * 3
    text = f"one\n{key}-----END RSA PRIVATE KEY-----\nlast\n"
    redacted = redacted_lines(text)
    assert "QUJD" not in redacted
    assert redacted.split("\n").index("last") == text.split("\n").index("last")


_WAIT = """
CREATE FUNCTION memtool_data.wait() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW.document > %s THEN
    PERFORM pg_advisory_lock(77);
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER wait BEFORE INSERT ON memtool_data.document FOR EACH ROW EXECUTE FUNCTION memtool_data.wait()
"""


@pytest.mark.parametrize("most", [1, 7])
def test_a_push_that_was_killed_continues_with_the_next(fleet, most):
    desk = fleet.add_tree("desk")
    desk.write({f"memory/notes/zettel/n{n:03}.md": f"# Note {n}\n\nword{n} kiln\n" for n in range(20)})
    with connected(fleet.dsn) as connection:
        connection.execute((_WAIT % most).encode())
        connection.execute(b"SELECT pg_advisory_lock(77)")
        process = subprocess.Popen(
            [sys.executable, "-m", "memtool", "fleet", "push"],
            cwd=desk.root,
            env=clean_environment(desk.home),
            stderr=subprocess.DEVNULL,
        )
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted"
        while fleet.rows(waiting) == [(0,)]:
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    done = fleet.rows("SELECT count(*) FROM memtool_data.document")[0][0]
    assert done in {most, most + 1}  # the server may end the statement that it was at
    desk.write({"memory/notes/zettel/n000.md": "# Changed meanwhile\n"})
    desk.memtool("fleet", "push")
    assert_in_line(fleet, desk)


def test_two_pushes_of_a_tree_at_once_leave_what_its_files_are(fleet):
    desk = fleet.add_tree("desk", NOTES)
    for turn in range(3):
        desk.write({path: f"{text}\nturn {turn}\n" for path, text in NOTES.items()})
        pushes = [
            subprocess.Popen(
                [sys.executable, "-m", "memtool", "-q", "fleet", "push"],
                cwd=desk.root,
                env=clean_environment(desk.home),
            )
            for _ in range(2)
        ]
        assert [push.wait() for push in pushes] == [0, 0]
        assert_in_line(fleet, desk)


def test_a_tree_that_has_not_joined_is_told_how(tmp_path):
    tree = Tree("desk", tmp_path / "tree", tmp_path / "home")
    tree.write({"memtool.toml": 'layout = "native"\n'})
    for action in ("push", "status"):
        message = "memtool: this workspace has not joined a fleet; run memtool fleet join DSN --as NAME\n"
        assert tree.memtool("fleet", action, code=2).stderr == message


def test_the_key_is_private_and_outside_the_tree(fleet):
    desk = fleet.add_tree("desk", NOTES)
    (key,) = (desk.home / ".config/memtool/fleet").iterdir()
    assert key.stat().st_mode & 0o777 == 0o600
    password = desk.key.dsn.rpartition("password=")[2].split()[0]
    for path in Path(desk.root).rglob("*"):
        assert not path.is_file() or password.encode() not in path.read_bytes()


def test_while_a_folder_cannot_be_listed_nothing_is_removed(fleet):
    desk = fleet.add_tree("desk", NOTES)
    view = DocumentSync(opened(desk.root), None, wait=1.0).sync()
    pushed = {path: PushedDocument(stamp.etag) for path, stamp in view.stamps.items()}
    pushed["memory/notes/zettel/hidden.md"] = PushedDocument("0")
    assert lag_of(view, pushed).removed == ("memory/notes/zettel/hidden.md",)
    view.unread = 1
    assert lag_of(view, pushed).removed == ()
