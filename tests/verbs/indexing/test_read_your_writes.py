"""Read your writes: a search finds what is on disk when it starts, and nothing else."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.records.request import SearchRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.serve.watch.tree_changes import TreeChanges
from memtool.store.files import private
from memtool.store.files.disk import Disk
from memtool.store.workspace import open_workspace
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.location import DOCUMENTS
from memtool.verbs.search.search import search
from tests.faulty import QuietDisk
from tests.trees import SAMPLE, contents, held_elsewhere, make, opened

KEY = b"k" * 32
WORDS = ["anchor", "bilge", "cleat", "davit"]
FILES = [f"memory/notes/{folder}/{name}.md" for folder in ("inbox", "zettel") for name in "ab"]


def request(text, **more):
    return SearchRequest(text, WHOLE_WORKSPACE, date(2025, 1, 15), **more)


def ask(root, word, *, shelf=None, **more):
    workspace = opened(root, "native")
    question = request(word, limit=50)
    return search(workspace, question, shelf or SearchIndexes(workspace, KEY, wait=5.0, **more))


def truth(root, word):
    return {name for name in FILES if (root / name).exists() and word in (root / name).read_text()}


def write(root, one, _, word):
    make(root, {FILES[one]: f"the {word}\n"})


def append(root, one, _, word):
    make(root, {FILES[one]: (root / FILES[one]).read_text() if (root / FILES[one]).exists() else ""})
    with (root / FILES[one]).open("a") as file:
        file.write(f"\nthe {word}\n")


def write_unseen(root, one, _, word):
    """Another word of the same length, and the old modification time put back."""
    path = root / FILES[one]
    if path.exists():
        info = path.stat()
        path.write_text(f"the {word:<{max(0, info.st_size - 5)}}\n"[: info.st_size - 1] + "\n")
        os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def remove(root, one, _, word):
    (root / FILES[one]).unlink(missing_ok=True)


def rename(root, one, other, word):
    if (root / FILES[one]).exists():
        (root / FILES[other]).parent.mkdir(parents=True, exist_ok=True)
        (root / FILES[one]).rename(root / FILES[other])


def swap_folders(root, one, other, word):
    notes = root / "memory" / "notes"
    for folder in ("inbox", "zettel"):
        (notes / folder).mkdir(parents=True, exist_ok=True)
    (notes / "inbox").rename(notes / "third")
    (notes / "zettel").rename(notes / "inbox")
    (notes / "third").rename(notes / "zettel")


def lose_index(root, one, other, word):
    shutil.rmtree(root / ".memtool", ignore_errors=True)


def harm_index(root, one, other, word):
    for path in sorted((root / ".memtool").rglob("*.seg"))[:1]:
        path.write_bytes(path.read_bytes()[:100])


steps = st.tuples(
    st.sampled_from([write, append, write_unseen, remove, rename, swap_folders, lose_index, harm_index]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(WORDS),
)


@pytest.mark.parametrize("state", ["cold", "warm", "watched"])
@settings(max_examples=25)
@given(st.lists(steps, min_size=1, max_size=8))
def test_a_search_finds_what_is_there_and_nothing_else(state, plan):
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder), {FILES[0]: "the anchor\n", FILES[3]: "the bilge\n"})
        shelf = None if state == "cold" else SearchIndexes(opened(root, "native"), KEY, wait=5.0)
        changes = TreeChanges(str(root), lambda name: name.startswith("memory"))
        if shelf is not None and state == "watched":
            shelf.follow_changes(changes.since)
        for number, (step, one, other, word) in enumerate(plan):
            if shelf is not None and number % 2:  # a quiet moment of a watcher
                changes.cover()
                shelf.prepare()
            step(root, one, other, word)
            for sought in (word, WORDS[one]):
                assert {hit.path for hit in ask(root, sought, shelf=shelf).hits} == truth(root, sought)
        changes.close()


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {FILES[0]: "the anchor\n", FILES[3]: "the bilge\n"})


def test_an_open_index_that_is_cut_short_is_noticed_however_long_it_was_quiet(root):
    shelf = SearchIndexes(opened(root, "native", disk=QuietDisk), KEY, wait=5.0)
    for _ in range(2):
        assert ask(root, "anchor", shelf=shelf).hits
    harm_index(root, 0, 0, "")
    answer = ask(root, "anchor", shelf=shelf)
    assert {hit.path for hit in answer.hits} == {FILES[0]}
    assert any("rebuilding it" in notice for notice in answer.notices)


@pytest.mark.parametrize("is_quiet", [True, False], ids=["quiet", "just changed"])
def test_what_is_indexed_in_memory_is_read_again_only_if_it_could_have_changed_unseen(tmp_path, is_quiet):
    read = []

    class CountingDisk(Disk):
        """Counts the files that are read."""

        def read_bytes(self, path):
            read.append(path)
            return super().read_bytes(path)

        def read_files(self, path, names):
            for name, *file in super().read_files(path, names):
                if name.endswith(".md"):
                    read.append(path / name)
                yield name, *file

    root = SAMPLE if is_quiet else shutil.copytree(SAMPLE, tmp_path / "w")
    shelf = SearchIndexes(open_workspace(str(root), {}, disk=CountingDisk, writes=False), None, wait=0.0)
    workspace, question = (
        open_workspace(str(root), {}, writes=False),
        request("kiln"),
    )
    counts = []
    for _ in range(2):
        assert search(workspace, question, shelf).hits
        counts.append(len(read))
        read.clear()
    assert counts[0] > 10
    assert (counts[1] == 0) == is_quiet


def test_a_file_that_changes_while_it_is_searched_is_never_shown_as_it_was(root):
    class Restless(Disk):
        """Another writer gets in between the listing of the tree and the check of the hit."""

        has_changed = False

        def read(self, path):
            if not Restless.has_changed and str(path).endswith(FILES[0]):
                Restless.has_changed = True
                make(root, {FILES[0]: "the cleat\n"})
            return super().read(path)

    ask(root, "anchor")
    workspace = opened(root, "native", disk=Restless)
    question = request("anchor")
    for _ in range(3):
        answer = search(workspace, question, SearchIndexes(workspace, KEY, wait=5.0))
        assert {hit.path for hit in answer.hits} == truth(root, "anchor")


def test_a_locked_index_is_done_without_and_said_so(root):
    ask(root, "anchor")
    make(root, {FILES[1]: "a new davit\n"})
    with held_elsewhere(root / ".memtool" / DOCUMENTS):
        answer = search(
            opened(root, "native"),
            request("davit"),
            SearchIndexes(opened(root, "native"), KEY, wait=0.1),
        )
    assert [hit.path for hit in answer.hits] == [FILES[1]]
    assert any("another memtool" in notice for notice in answer.notices)


def test_without_a_key_everything_is_read_from_the_files(root):
    workspace = opened(root, "native")
    answer = search(
        workspace,
        request("bilge"),
        SearchIndexes(workspace, None, wait=0.1),
    )
    assert [hit.path for hit in answer.hits] == [FILES[3]]
    assert not (root / ".memtool" / DOCUMENTS).exists()


def test_where_nothing_may_be_written_nothing_is(root):
    workspace = opened(root, "native")
    workspace.writes = False
    before = contents(root)
    answer = search(
        workspace,
        request("bilge"),
        SearchIndexes(workspace, KEY, wait=0.1),
    )
    assert [hit.path for hit in answer.hits] == [FILES[3]]
    assert contents(root) == before
    assert not Path(private.folder(str(root))).exists()


def test_the_answer_is_the_same_from_disk_and_from_memory(root):
    make(
        root,
        {f"memory/notes/zettel/{i}.md": f"# {WORDS[i % 4]}\n\nthe {WORDS[i % 3]} {i}\n" for i in range(12)},
    )
    workspace = opened(root, "native")
    question = request("the anchor cleat", limit=50)
    kept = search(workspace, question, SearchIndexes(workspace, KEY, wait=1.0))
    memory = search(workspace, question, SearchIndexes(workspace, None, wait=1.0))
    assert [hit.to_record() for hit in kept.hits] == [hit.to_record() for hit in memory.hits]


class Reported:
    """Changes as a watcher reports them: those that a test names."""

    def __init__(self):
        self.paths = []

    def since(self, position, matters):
        paths = None if position is None else self.paths[position:]
        return len(self.paths), paths and [path for path in paths if matters(path.rpartition("/")[0])]


def test_only_files_that_are_reported_as_changed_are_compared_again(root):
    shelf, reported = SearchIndexes(opened(root, "native", disk=QuietDisk), KEY, wait=5.0), Reported()
    shelf.follow_changes(reported.since)
    assert not ask(root, "cleat", shelf=shelf).hits
    write(root, 1, 0, "cleat")
    assert not ask(root, "cleat", shelf=shelf).hits
    write(root, 2, 0, "cleat")
    reported.paths.append(FILES[1])
    assert {hit.path for hit in ask(root, "cleat", shelf=shelf).hits} == {FILES[1]}
    assert {hit.path for hit in ask(root, "cleat", shelf=shelf).hits} == {FILES[1]}
    remove(root, 1, 0, "")
    reported.paths += [FILES[1], FILES[2]]
    assert {hit.path for hit in ask(root, "cleat", shelf=shelf).hits} == {FILES[2]}


def test_a_file_that_grows_too_large_for_the_index_and_shrinks_again_is_found(root):
    workspace = opened(root, "native", disk=QuietDisk, **{"search.max_file_bytes": "1000"})
    shelf, reported = SearchIndexes(workspace, KEY, wait=5.0), Reported()
    shelf.follow_changes(reported.since)
    for text in ("the cleat\n", "the cleat\n" + "x\n" * 1000, "the cleat\n", "the davit\n" * 200):
        make(root, {FILES[1]: text})
        reported.paths.append(FILES[1])
        for word in ("cleat", "davit"):
            found = {hit.path for hit in search(workspace, request(word), shelf).hits}
            assert found == ({FILES[1]} if word in text else set())


@pytest.mark.parametrize("top", ["", "groups/harbour/"])
def test_documents_are_not_compared_for_changes_of_a_history(root, top):
    shelf, reported = SearchIndexes(opened(root, "native", disk=QuietDisk), KEY, wait=5.0), Reported()
    shelf.follow_changes(reported.since)
    assert not ask(root, "cleat", shelf=shelf).hits
    documents = shelf.documents.sync()
    turn = f"{top}memory/history/turns/2025/01/15/{1:020}.json"
    make(root, {turn: "the cleat"})
    reported.paths.append(turn)
    assert shelf.documents.sync() is documents
    assert [hit.path for hit in ask(root, "cleat", shelf=shelf).hits] == [turn]


def test_a_hit_whose_file_has_changed_is_never_shown_though_no_change_is_reported(root):
    shelf = SearchIndexes(opened(root, "native"), KEY, wait=5.0)
    shelf.follow_changes(Reported().since)
    assert ask(root, "anchor", shelf=shelf).hits
    write(root, 0, 0, "cleat")
    assert not ask(root, "anchor", shelf=shelf).hits
    assert ask(root, "cleat", shelf=shelf).hits
