"""What Whoosh alone has: segments that a query reads one by one."""

import msgspec
import pytest

from memtool.index.seal import seal
from tests.index.records import KEY, found, open_documents, record


def test_a_merge_after_small_changes_leaves_the_largest_segment_as_it_is(tmp_path):
    with open_documents(str(tmp_path / "documents"), KEY) as index:
        index.upsert([record(f"{i:03}", "hello") for i in range(200)])
        for i in range(4):
            index.upsert([record("same", f"hello {i}")])
        before = found(index, "hello", 300)
        index.merge()
        assert len(index.sources()) == 2
        assert found(index, "hello", 300) == before


def test_a_merge_writes_no_more_chunks_than_it_may(tmp_path):
    with open_documents(str(tmp_path / "documents"), KEY) as index:
        for number, size in enumerate((60, 50, 4, 3, 2, 1)):
            index.upsert([record(f"{number}-{i}", "hello") for i in range(size)])
        before = found(index, "hello", 200)
        for _ in range(2):
            index.merge(6)
            assert sorted(source.count() for source in index.sources()) == [4, 6, 50, 60]
        assert found(index, "hello", 200) == before
        index.merge()
        assert [source.count() for source in index.sources()] == [120]


FOLDERS = "", "b/", "b c/", "ß/", "],"
PATHS = [f"{folder}{name}.md" for folder in FOLDERS for name in ("a", "a b", "é", "z!")]


@pytest.mark.parametrize("paths", [PATHS, [*PATHS, "],"], [*PATHS, 'a"b\\.md', "\udcff.md"], PATHS[:1], []])
def test_the_stamp_of_each_document_is_found_in_the_listing(tmp_path, paths):
    records = [record(path, path) for path in reversed(paths)]
    with open_documents(str(tmp_path / "documents"), KEY) as index:
        index.upsert(records)
    with open_documents(str(tmp_path / "documents"), KEY) as index:
        stamps = index.stamps()
        assert [stamps.get(each.path) for each in records] == [each.stamp for each in records]
        assert [stamps.get(path) for path in ("", "a", "a.md ", "b/", "zz", "]")] == [None] * 6
        assert len(stamps) == len(paths)


def test_stamps_are_found_in_a_listing_without_order(tmp_path):
    folder = tmp_path / "documents"
    records = [record(path, path) for path in PATHS]
    with open_documents(str(folder), KEY) as index:
        index.upsert(records)
    listing = msgspec.json.decode((folder / "documents.json").read_bytes())
    del listing["count"]
    listing["documents"] = dict(reversed(listing["documents"].items()))
    (folder / "documents.json").write_bytes(msgspec.json.encode(listing))
    seal(str(folder), KEY)
    with open_documents(str(folder), KEY) as index:
        stamps = index.stamps()
        assert [stamps.get(each.path) for each in records] == [each.stamp for each in records]
        assert len(stamps) == len(PATHS)
