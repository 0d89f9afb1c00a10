"""The index on disk: what is written is found, and parts of an index rank like one."""

import os
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtool.core.records.document import FileStat
from memtool.core.search.query import parse_query
from memtool.index.documents.documents import overlay
from memtool.index.engine import BrokenIndex, DocumentRecord, FileStamp, IndexBusy
from memtool.index.opening import lock_index
from tests.bench.corpus import tree
from tests.index.records import DAY, KEY, found, in_memory, open_documents, paths, record
from tests.trees import held_elsewhere


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "documents")


def test_the_index_keeps_the_contract(folder):
    engine = open_documents(folder, KEY)
    assert engine.stamps() == {}
    assert found(engine, "word") == []


def test_a_fresh_index_threw_nothing_away(folder):
    assert open_documents(folder, KEY).why_empty is None
    assert open_documents(folder, KEY).why_empty is None


def test_what_is_indexed_is_found_by_everyone_and_kept(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "hello"), record("b", "hello world")])
        assert paths(index, "hello world") == ["b", "a"]
    with open_documents(folder, KEY) as again:
        assert paths(again, "hello world") == ["b", "a"]
        assert set(again.stamps()) == {"a", "b"}


def test_an_update_replaces_and_a_removal_forgets(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "old text"), record("b", "other text"), record("c", "third text")])
        index.upsert([record("a", "new text")], gone=["b", "never there"])
        assert paths(index, "old") == paths(index, "other") == []
        assert paths(index, "text") == ["a", "c"]
        index.remove(["c"])
        assert paths(index, "text") == list(index.stamps()) == ["a"]


def test_an_empty_document_is_known_and_holds_nothing(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "")])
        assert list(index.stamps()) == ["a"]
        assert found(index, "a") == []


def test_a_stamp_comes_back_as_it_was(folder):
    stamp = FileStamp.of(FileStat(1, 2**62, 3, 2**63), 5, "é")
    with open_documents(folder, KEY) as index:
        index.upsert([DocumentRecord("x\udcff", stamp, ())])
    assert open_documents(folder, KEY).stamps() == {"x\udcff": stamp}


def test_paths_that_are_not_unicode_are_indexed_and_removed(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("x\udcff", "hello"), record("x\\udcff", "hello")])
        assert paths(index, "hello path:udcff") == ["x\\udcff"]
        index.remove(["x\udcff"])
        assert paths(index, "hello") == ["x\\udcff"]


def test_restamping_changes_stamps_alone(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "hello")])
        stamp = FileStamp(9, 9, 9, 9, 9, "e")
        index.restamp({"a": stamp, "unknown": stamp})
        assert index.stamps() == {"a": stamp}
    with open_documents(folder, KEY) as again:
        assert again.stamps() == {"a": stamp}
        assert paths(again, "hello") == ["a"]


def test_another_objects_commit_is_kept(folder):
    one, two = open_documents(folder, KEY), open_documents(folder, KEY)
    one.upsert([record("a", "hello")])
    two.upsert([record("b", "hello")])
    assert paths(one, "hello") == ["a"]
    assert paths(two, "hello") == ["a", "b"]
    assert set(open_documents(folder, KEY).stamps()) == {"a", "b"}


def test_a_failing_reader_of_records_changes_nothing(folder):
    def records():
        yield record("b", "world")
        raise RuntimeError

    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "hello")])
        with pytest.raises(RuntimeError):
            index.upsert(records(), gone=["a"])
        assert paths(index, "hello") == ["a"]
    with open_documents(folder, KEY) as again:
        assert again.why_empty is None
        assert list(again.stamps()) == ["a"]
        again.upsert([record("c", "hello")])
        assert paths(again, "hello") == ["a", "c"]


def test_segments_stay_few_and_a_merge_makes_them_fewer(folder):
    with open_documents(folder, KEY) as index:
        for i in range(30):
            index.upsert([record(f"{i:02}", "hello"), record("same", f"hello {i}")])
            assert len(index.sources()) <= 8
        before = found(index, "hello", 50)
        index.merge()
        assert len(index.sources()) <= 2
        assert found(index, "hello", 50) == before
        assert len(before) == 31


def test_a_merge_after_small_changes_leaves_the_largest_segment_as_it_is(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record(f"{i:03}", "hello") for i in range(200)])
        for i in range(4):
            index.upsert([record("same", f"hello {i}")])
        before = found(index, "hello", 300)
        index.merge()
        assert len(index.sources()) == 2
        assert found(index, "hello", 300) == before


def test_closing_twice_is_fine(folder):
    index = open_documents(folder, KEY)
    index.close()
    index.close()


TEXTS = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d/e", "ü"]),
    st.lists(
        st.sampled_from(["run", "running", "京都", "ABC-123", "don't", "- item\n", "# Head\n"]), max_size=6
    ).map(" ".join),
)
QUERIES = [
    "run",
    "running 京都",
    "京都 -item",
    "abc-123 head",
    '"京都"',
    "ru*",
    "dont~1",
    "+run item",
    "path:d run",
]


def hits(engine, query):
    return engine.query(parse_query(query), 20, today=DAY)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=3), TEXTS, st.sets(st.sampled_from(["a", "b", "ü"])))
def test_disk_memory_and_both_together_rank_alike(tmp_path_factory, batches, changed, gone):
    """Scores too, to the last bit: the same documents are the same index, however they came in, and whatever
    of it was read and kept before."""
    folder = str(tmp_path_factory.mktemp("index") / "documents")
    about = {"role": "daily-note", "day": date(2024, 12, 1)}
    state = {}
    with open_documents(folder, KEY) as index:
        for batch in batches:
            index.upsert([record(path, text, **about) for path, text in batch.items()])
            state |= batch
            for query in QUERIES:
                hits(index, query)
        whole = overlay(None, [record(path, text, **about) for path, text in state.items()])
        layered = overlay(index, [record(path, text, **about) for path, text in changed.items()], gone)
        state = {path: text for path, text in state.items() if path not in gone} | changed
        target = overlay(None, [record(path, text, **about) for path, text in state.items()])
        for query in QUERIES:
            assert hits(index, query) == hits(whole, query)
            assert hits(layered, query) == hits(target, query)
            assert hits(index, query) == hits(whole, query)


def test_overlay_sees_the_new_text_and_not_the_old(folder):
    with open_documents(folder, KEY) as index:
        index.upsert([record("a", "old text"), record("b", "text"), record("c", "text")])
        layered = overlay(index, [record("a", "new text"), record("d", "text")], ["b"])
        assert sorted(paths(layered, "text")) == ["a", "c", "d"]
        assert found(layered, "old") == []
        assert paths(index, "old") == ["a"]


def test_a_tree_of_many_files_ranks_alike_in_parts_and_after_a_merge(folder):
    records = [record(path, text) for path, text in tree(40)]
    whole = overlay(None, records)
    queries = [" ".join(one.chunks[-1].text.split()[2:5]) for one in records[::5]]
    expected = [hits(whole, query) for query in queries]
    with open_documents(folder, KEY) as index:
        for i in range(0, len(records), 10):
            index.upsert(records[i : i + 10])
        assert [hits(index, query) for query in queries] == expected
        index.merge()
        assert [hits(index, query) for query in queries] == expected


def test_a_writer_that_may_not_wait_says_that_the_index_is_busy(folder):
    with open_documents(folder, KEY, wait=0) as index:
        index.upsert([record("a", "hello")])
        with held_elsewhere(folder):
            with pytest.raises(IndexBusy):
                index.upsert([record("b", "hello")])
            assert paths(open_documents(folder, KEY, wait=0), "hello") == ["a"]  # readers do not wait
        index.upsert([record("b", "hello")])
        assert paths(index, "hello") == ["a", "b"]


def test_reading_only_creates_nothing(tmp_path, folder):
    with pytest.raises(BrokenIndex):
        open_documents(folder, KEY, wait=0, writes=False)
    assert list(tmp_path.iterdir()) == []
    open_documents(folder, KEY).upsert([record("a", "hello")])
    before = sorted(os.listdir(tmp_path)), sorted(os.listdir(folder))
    assert paths(open_documents(folder, KEY, writes=False), "hello") == ["a"]
    assert (sorted(os.listdir(tmp_path)), sorted(os.listdir(folder))) == before


def test_the_lock_is_no_link(tmp_path, folder):
    (tmp_path / "documents.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BrokenIndex):
        open_documents(folder, KEY)
    assert not (tmp_path / "elsewhere").exists()


def test_memory_alone_answers():
    assert paths(in_memory(["hello", "world"]), "world") == ["b"]


def test_the_lock_is_free_after_its_holder(folder):
    with lock_index(folder, 0):
        pass
    with lock_index(folder, 0):
        pass
