"""Every engine keeps the contract of `DocumentIndex`: what is written is found, and ranked as in memory."""

import contextlib
import os
from datetime import date
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.records.document import FileStat
from memtool.core.search.query import FieldFilter, parse_query
from memtool.index.documents.document_index import overlay
from memtool.index.engine import BrokenIndex, DocumentRecord, FileStamp, IndexBusy
from memtool.index.opening import lock_index
from tests.bench.corpus import tree
from tests.index.records import DAY, ENGINES, KEY, found, in_memory, open_documents, paths, record
from tests.trees import held_elsewhere


@pytest.fixture(params=ENGINES)
def opened(request):
    """Opens an index of each engine in turn."""
    return partial(open_documents, engine=request.param)


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "documents")


def test_the_index_keeps_the_contract(opened, folder):
    engine = opened(folder, KEY)
    assert engine.stamps() == {}
    assert found(engine, "word") == []


def test_a_fresh_index_threw_nothing_away(opened, folder):
    assert opened(folder, KEY).why_empty is None
    assert opened(folder, KEY).why_empty is None


def test_what_is_indexed_is_found_by_everyone_and_kept(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("a", "hello"), record("b", "hello world")])
        assert paths(index, "hello world") == ["b", "a"]
    with opened(folder, KEY) as again:
        assert paths(again, "hello world") == ["b", "a"]
        assert set(again.stamps()) == {"a", "b"}


def test_an_update_replaces_and_a_removal_forgets(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("a", "old text"), record("b", "other text"), record("c", "third text")])
        index.upsert([record("a", "new text")], gone=["b", "never there"])
        assert paths(index, "old") == paths(index, "other") == []
        assert paths(index, "text") == ["a", "c"]
        index.remove(["c"])
        assert paths(index, "text") == list(index.stamps()) == ["a"]


def test_an_empty_document_is_known_and_holds_nothing(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("a", "")])
        assert list(index.stamps()) == ["a"]
        assert found(index, "a") == []


def test_a_stamp_comes_back_as_it_was(opened, folder):
    stamp = FileStamp.of(FileStat(1, 2**62, 3, 2**63), 5, "é")
    with opened(folder, KEY) as index:
        index.upsert([DocumentRecord("x\udcff", stamp, ())])
    assert opened(folder, KEY).stamps() == {"x\udcff": stamp}


def test_paths_that_are_not_unicode_are_indexed_and_removed(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("x\udcff", "hello"), record("x\\udcff", "hello")])
        assert paths(index, "hello path:udcff") == ["x\\udcff"]
        index.remove(["x\udcff"])
        assert paths(index, "hello") == ["x\\udcff"]


def test_restamping_changes_stamps_alone(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("a", "hello")])
        stamp = FileStamp(9, 9, 9, 9, 9, "e")
        index.restamp({"a": stamp, "unknown": stamp})
        assert index.stamps() == {"a": stamp}
    with opened(folder, KEY) as again:
        assert again.stamps() == {"a": stamp}
        assert paths(again, "hello") == ["a"]


def test_another_objects_commit_is_kept(opened, folder):
    one, two = opened(folder, KEY), opened(folder, KEY)
    two.end_read()
    one.upsert([record("a", "hello")])
    one.end_read()
    two.upsert([record("b", "hello")])
    assert paths(two, "hello") == ["a", "b"]
    assert set(opened(folder, KEY).stamps()) == {"a", "b"}


def test_a_failing_reader_of_records_changes_nothing(opened, folder):
    def records():
        yield record("b", "world")
        raise RuntimeError

    with opened(folder, KEY) as index:
        index.upsert([record("a", "hello")])
        with pytest.raises(RuntimeError):
            index.upsert(records(), gone=["a"])
        assert paths(index, "hello") == ["a"]
    with opened(folder, KEY) as again:
        assert again.why_empty is None
        assert list(again.stamps()) == ["a"]
        again.upsert([record("c", "hello")])
        assert paths(again, "hello") == ["a", "c"]


def test_segments_stay_few_and_a_merge_makes_them_fewer(opened, folder):
    with opened(folder, KEY) as index:
        for i in range(30):
            index.upsert([record(f"{i:02}", "hello"), record("same", f"hello {i}")])
            assert len(index.sources()) <= 8
        before = found(index, "hello", 50)
        index.merge()
        assert len(index.sources()) <= 2
        assert found(index, "hello", 50) == before
        assert len(before) == 31


def test_closing_twice_is_fine(opened, folder):
    index = opened(folder, KEY)
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


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=1, max_size=3), TEXTS, st.sets(st.sampled_from(["a", "b", "ü"])))
def test_disk_memory_and_both_together_rank_alike(opened, tmp_path_factory, batches, changed, gone):
    """Scores too, to the last bit: the same documents are the same index, however they came in, and whatever
    of it was read and kept before."""
    folder = str(tmp_path_factory.mktemp("index") / "documents")
    about = {"role": "daily-note", "day": date(2024, 12, 1)}
    state = {}
    with opened(folder, KEY) as index:
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


WORDS = [
    *(
        "run",
        "running",
        "deploy",
        "deployed",
        "deployment",
        "glaze",
        "glazing",
        "glade",
        "kiln",
        "don't",
        "c++",
    ),
    *("ABC-123", "https://a.org/b-c.md", "京都", "京都市", "東京", "วันนี้", "สวัสดี", "журнал", "системы"),
    *("café", "naïve", "tiếng", "Việt", "نص", "🍎", "teahouse", "tea", "house\n\n", "-", "\n-"),
]
TREES = st.dictionaries(
    st.sampled_from(["a.md", "memory/b.md", "notes/2025-01-10/c.md", "ü.md", "notes/d e.md"]),
    st.tuples(
        st.lists(st.sampled_from([*WORDS, "\n\n# Kiln\n\n", "\n## Tea\n"]), max_size=25).map(" ".join),
        st.sampled_from(["note", "daily-note", "long-term"]),
        st.sampled_from([None, date(2025, 1, 10), date(2024, 6, 1)]),
        st.lists(st.sampled_from(["kiln", "#Tea", "ü"]), max_size=2),
        st.sampled_from(["", "user:ann"]),
    ),
    max_size=5,
)
FIELD_QUERIES = [
    *("role:note", "role:note run", "-role:note kiln", "path:notes/* kiln", "tag:tea", "tag:ü run -kiln"),
    *("date:2025-01 kiln", "date:2024 running", "role:daily-note date:2025-01-10"),
]
OTHER_QUERIES = [
    *("run", "deploying kilns", '"tea house"', '"running deploy" kiln', "teahouse", "+glaze kiln"),
    *("-kiln run", "deploy*", "gla* -glade", "glaz~1", "kilm~1 tea", "京都", "京 -東京", "วันนี้", "журналы"),
    *("cafe", "tiếng việt", "c++", "abc-123", "b-c.md", "don't", "🍎", "zzz", "eahous"),
    "what did we run in the kiln on 10 January?",
]


def of_tree(tree):
    for path, (text, role, day, tags, owner) in tree.items():
        about = {"role": role, "day": day, "tags": tuple(tags), "title": path, "group": path[:1]}
        plain = record(path, text, **about)
        yield replace(plain, chunks=tuple(replace(chunk, owner=owner) for chunk in plain.chunks))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TREES, min_size=1, max_size=4), st.booleans())
def test_all_engines_give_the_same_hits_in_the_same_order(tmp_path_factory, trees, merges):
    """With the same scores, for every kind of query, after updates and removals and for one owner alone."""
    folder = tmp_path_factory.mktemp("engines")
    state = {}
    with contextlib.ExitStack() as stack:
        indexes = [
            stack.enter_context(open_documents(str(folder / engine), KEY, engine)) for engine in ENGINES
        ]
        for tree in trees:
            gone = [path for path in state if path not in tree][:1]
            state = {path: file for path, file in state.items() if path not in gone} | tree
            for index in indexes:
                index.upsert(of_tree(tree), gone)
        if merges:
            for index in indexes:
                index.merge()
        memory = overlay(None, of_tree(state))
        for filters in ((), (FieldFilter("owner", ("", "user:bo")),)):
            for text in (*FIELD_QUERIES, *OTHER_QUERIES):
                query = parse_query(text)
                expected = memory.query(query, 20, filters=filters, today=DAY)
                for engine, index in zip(ENGINES, indexes, strict=True):
                    assert index.query(query, 20, filters=filters, today=DAY) == expected, (engine, text)


def test_overlay_sees_the_new_text_and_not_the_old(opened, folder):
    with opened(folder, KEY) as index:
        index.upsert([record("a", "old text"), record("b", "text"), record("c", "text")])
        layered = overlay(index, [record("a", "new text"), record("d", "text")], ["b"])
        assert sorted(paths(layered, "text")) == ["a", "c", "d"]
        assert found(layered, "old") == []
        assert paths(index, "old") == ["a"]


def test_a_tree_of_many_files_ranks_alike_in_parts_and_after_a_merge(opened, folder):
    records = [record(path, text) for path, text in tree(40)]
    whole = overlay(None, records)
    queries = [" ".join(one.chunks[-1].text.split()[2:5]) for one in records[::5]]
    expected = [hits(whole, query) for query in queries]
    with opened(folder, KEY) as index:
        for i in range(0, len(records), 10):
            index.upsert(records[i : i + 10])
        assert [hits(index, query) for query in queries] == expected
        index.merge()
        assert [hits(index, query) for query in queries] == expected


def test_a_writer_that_may_not_wait_says_that_the_index_is_busy(opened, folder):
    with opened(folder, KEY, wait=0) as index:
        index.upsert([record("a", "hello")])
        with held_elsewhere(folder):
            with pytest.raises(IndexBusy):
                index.upsert([record("b", "hello")])
            assert paths(opened(folder, KEY, wait=0), "hello") == ["a"]  # readers do not wait
        index.upsert([record("b", "hello")])
        assert paths(index, "hello") == ["a", "b"]


def test_reading_only_creates_nothing(opened, tmp_path, folder):
    with pytest.raises(BrokenIndex):
        opened(folder, KEY, wait=0, writes=False)
    assert list(tmp_path.iterdir()) == []
    opened(folder, KEY).upsert([record("a", "hello")])
    before = sorted(os.listdir(tmp_path)), sorted(os.listdir(folder))
    assert paths(opened(folder, KEY, writes=False), "hello") == ["a"]
    assert (sorted(os.listdir(tmp_path)), sorted(os.listdir(folder))) == before


def test_the_lock_is_no_link(opened, tmp_path, folder):
    (tmp_path / "documents.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BrokenIndex):
        opened(folder, KEY)
    assert not (tmp_path / "elsewhere").exists()


def test_memory_alone_answers():
    assert paths(in_memory(["hello", "world"]), "world") == ["b"]


def test_the_lock_is_free_after_its_holder(folder):
    with lock_index(folder, 0):
        pass
    with lock_index(folder, 0):
        pass
