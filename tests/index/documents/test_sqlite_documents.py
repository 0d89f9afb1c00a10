"""What SQLite alone has: the segments of FTS5, which merges join, and the terms that it is told to delete."""

import stat
import threading

import pytest

from memtool.core.search.query import parse_query
from memtool.index.documents.document_index import overlay
from memtool.index.engine import BrokenIndex
from tests.index.records import KEY, found, open_documents, paths, record


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "documents")


def segments(index):
    return index.db.execute("SELECT count(DISTINCT segid) FROM term_idx").get


def test_files_are_readable_by_their_owner_alone(folder, tmp_path):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record("a", "hello")])
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "documents").iterdir()} == {0o600}


def test_updates_leave_few_segments_and_a_merge_leaves_fewer(folder):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record(f"{i:04}", "hello") for i in range(3_100)])
        assert paths(index, "hallo~1", 1) == ["0000"]
        for i in range(80):
            index.upsert([record("same", f"hello {i}")])
            assert segments(index) <= 24
        before = found(index, "hello", 4_000)
        index.merge()
        assert segments(index) <= 2
        assert found(index, "hello", 4_000) == before


def test_a_batch_that_is_indexed_in_a_thread_is_whole_or_was_never_there(folder):
    def records():
        for i in range(0, 8_100, 100):
            yield record(f"{i:04}", "\n".join(f"- hello w{j} a_{j}.py" for j in range(i, i + 100)))

    def failing():
        yield from records()
        raise KeyboardInterrupt

    threads = threading.active_count()
    with open_documents(folder, KEY, "sqlite") as index:
        with pytest.raises(KeyboardInterrupt):
            index.upsert(failing())
        assert found(index, "hello", 5) == []
        index.upsert(records())
        assert len(found(index, "hello", 9_000)) == 8_100
        memory = overlay(None, records())
        for query in map(parse_query, ("w7", "a_8050.py", "w8099 w3", "w77*")):
            assert index.query(query, 50) == memory.query(query, 50) != []
        assert threading.active_count() == threads


def test_a_merge_of_more_chunks_than_it_may_write_ends_before_it_is_done(folder):
    with open_documents(folder, KEY, "sqlite") as index:
        for number in range(3):
            texts = (" ".join(f"w{number}x{i}x{word}" for word in range(50)) for i in range(600))
            index.upsert([record(f"{number}-{i}", text) for i, text in enumerate(texts)])
        before = found(index, "w1x7x7 w2x7*", 100)
        index.merge(30)
        assert segments(index) == 3
        assert found(index, "w1x7x7 w2x7*", 100) == before
        index.merge()
        assert segments(index) == 1
        assert found(index, "w1x7x7 w2x7*", 100) == before


def test_nothing_is_left_of_documents_that_are_replaced_and_deleted(folder):
    """FTS5 believes what it is told to delete: the terms must be those that were added."""
    texts = [
        "# Über c++\n\nrunning don't x_y.py 京都駅",
        "- đất nước\n- a `b` https://x.org/a-b?c=d",
        "\ud800 — é",
        "one\x0etwo x\x01y.z \x00three it's",
    ]
    about = {"title": "Der Titel\nABC-1", "tags": ("#Tag", "tag", "naïve c#"), "role": "note"}
    with open_documents(folder, KEY, "sqlite") as index:
        for text in texts:
            index.upsert([record("a", text, **about), record("b", text)])
        index.remove(["a", "b"])
        assert index.db.execute("SELECT term FROM term_key UNION SELECT term FROM heading_key").get is None
        assert index.db.execute("SELECT term FROM compound_key").get is None
        assert index.db.execute("SELECT count(*) FROM chunk").get == 0


def test_control_characters_part_words(folder):
    """FTS5 is told that some of them are letters of its terms."""
    text = "one\x0etwo x\x01y.z \x00three it's"
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record("a", text)])
        memory = overlay(None, [record("a", text)])
        for query in map(parse_query, ("one", "two", "y.z", "three", "its", "x")):
            assert index.query(query, 5) == memory.query(query, 5) != []


def test_a_merge_removes_the_words_of_deleted_documents(folder, tmp_path):
    with open_documents(folder, KEY, "sqlite") as index:
        index.upsert([record("a", "hello"), record("b", "xylophone")])
        index.remove(["b"])
        index.merge()
        assert paths(index, "hello") == ["a"]
        assert paths(index, "xylo*") == []
        assert index.sources()[0].lexicon("stems", "xylo") == []
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
