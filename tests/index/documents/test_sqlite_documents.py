"""What SQLite alone has: packed postings in segments, which merges join."""

import stat

import pytest

from memtool.core.search.query import parse_query
from memtool.index.documents.document_index import overlay
from memtool.index.engine import BrokenIndex
from tests.index.records import KEY, found, open_documents, paths, record


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "documents")


def segments(index):
    return index.db.execute("SELECT chunks FROM segment ORDER BY start").fetchall()


def test_files_are_readable_by_their_owner_alone(folder, tmp_path):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record("a", "hello")])
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "documents").iterdir()} == {0o600}


def test_updates_leave_few_segments_and_the_largest_as_it_is(folder):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record(f"{i:03}", "hello") for i in range(600)])
        for i in range(40):
            index.upsert([record("same", f"hello {i}")])
            assert len(segments(index)) <= 8
            assert segments(index)[0] == (600,)
        before = found(index, "hello", 700)
        index.merge()
        assert len(segments(index)) <= 2
        assert found(index, "hello", 700) == before


def test_a_merge_writes_no_more_chunks_than_it_may(folder):
    with open_documents(folder, KEY, "sqlite") as index:
        for number, size in enumerate((60, 50, 4, 3, 2, 1)):
            index.upsert([record(f"{number}-{i}", "hello") for i in range(size)])
        before = found(index, "hello", 200)
        index.merge(6)
        assert segments(index) == [(60,), (50,), (4,), (6,)]
        index.merge(6)
        assert segments(index) == [(60,), (50,), (4,), (6,)]
        assert found(index, "hello", 200) == before
        index.merge()
        assert segments(index) == [(120,)]


def test_a_merge_removes_the_words_of_deleted_documents(folder, tmp_path):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record("a", "hello"), record("b", "xylophone")])
        index.remove(["b"])
        index.merge()
        assert paths(index, "hello") == ["a"]
        assert paths(index, "xylo*") == []
    assert b"xylophon" not in (tmp_path / "documents/documents.db").read_bytes()


def test_words_of_deleted_chunks_are_no_halves_of_a_word(folder):
    """Both halves of a glued word must be held by some chunk: the longest first half decides."""
    texts = {"a": "tea house", "b": "teah ouse", "c": "other"}
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record(path, text) for path, text in texts.items()])
        index.remove(["b"])
        without = overlay(None, [record(path, texts[path]) for path in ("a", "c")])
        query = parse_query("teahouse")
        assert index.query(query, 5) == without.query(query, 5)
        assert paths(index, "teahouse") == ["a"]


def test_the_other_engines_index_is_replaced(folder, tmp_path):
    for engine, other in (("whoosh", "sqlite"), ("sqlite", "whoosh")):
        with open_documents(folder, KEY, engine) as index:
            index.upsert([record("a", "hello")])
        with pytest.raises(BrokenIndex):
            open_documents(folder, KEY, other, wait=0, writes=False)
        with open_documents(folder, KEY, other) as index:
            assert index.why_empty == "was not built by the configured search engine"
            assert index.stamps() == {}
        names = {file.name for file in (tmp_path / "documents").iterdir()}
        assert ("documents.db" in names) == (other == "sqlite")
        assert any(name.endswith(".toc") for name in names) == (other == "whoosh")
