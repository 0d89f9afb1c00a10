"""A search of a large tree relies on the files that an earlier command found in line, and on no others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memtool.index.freshness import RACY_NS
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.indexing.known_files import save_known
from tests.index.records import ENGINES
from tests.trees import make, opened

KEY = b"k" * 32
FOLDER = "memory/notes/inbox"
NOTES = {f"{FOLDER}/{number}.md": f"note {number}\n" for number in range(600)}
UNSEEN = f"{FOLDER}/unseen.md"
SAVED = ".memtool/known-files"


@pytest.fixture(params=ENGINES)
def with_index(request, tmp_path):
    """Uses the index of a tree and closes it."""

    def use_index(use):
        workspace = opened(tmp_path, "native", MEMTOOL_SEARCH_ENGINE=request.param)
        sync = DocumentSync(workspace, KEY, wait=5.0)
        try:
            return use(sync)
        finally:
            sync.close()

    return use_index


@pytest.fixture
def tree(tmp_path, with_index):
    """An indexed tree, and a saved claim that a file is indexed, too, that is not."""
    make(tmp_path, NOTES)
    with_index(stamps)
    make(tmp_path, {UNSEEN: "unseen\n"})
    with_index(claim)
    return tmp_path


def stamps(sync):
    """What is indexed once the index is in line."""
    return dict(sync.sync().stamps)


def claim(sync, key=KEY):
    """Save all files as known, as if they had last changed long before."""
    snapshot = sync.snapshot(every=True)
    with sync.read_only() as index:
        later = replace(snapshot, at_ns=snapshot.at_ns + 2 * RACY_NS)
        save_known(sync.workspace, key, later, index.state(), ())


def test_known_files_are_not_compared(tree, with_index):
    assert with_index(stamps).keys() == NOTES.keys()
    (tree / SAVED).unlink()
    assert with_index(stamps).keys() == {*NOTES, UNSEEN}


def test_changed_new_and_deleted_files_are_found_beside_known_ones(tree, with_index):
    changed, deleted, new = f"{FOLDER}/1.md", f"{FOLDER}/2.md", "memory/notes/zettel/new.md"
    make(tree, {changed: "another text\n", new: "new\n"})
    (tree / deleted).unlink()
    files = with_index(lambda sync: sync.snapshot(every=True).listing().files)
    indexed = with_index(stamps)
    assert indexed.keys() == {*NOTES, new} - {deleted}
    assert indexed[changed][:4] == files[changed]


def test_after_the_index_was_written_every_file_is_compared(tree, with_index):
    make(tree, {f"{FOLDER}/1.md": "another text\n"})
    with_index(lambda sync: sync.sync_paths([f"{FOLDER}/1.md"]))
    assert with_index(stamps).keys() == {*NOTES, UNSEEN}


def test_what_another_key_signed_is_not_believed(tree, with_index):
    with_index(lambda sync: claim(sync, b"x" * 32))
    assert with_index(stamps).keys() == {*NOTES, UNSEEN}


def test_with_another_limit_for_large_files_every_file_is_compared(tree, with_index):
    make(tree, {"memtool.toml": "[search]\nmax_file_bytes = 1000\n"})
    assert with_index(stamps).keys() == {*NOTES, UNSEEN}


def test_files_that_changed_just_now_are_not_known(tree, with_index):
    (tree / SAVED).unlink()
    with_index(stamps)
    assert b".md" not in (tree / SAVED).read_bytes()
