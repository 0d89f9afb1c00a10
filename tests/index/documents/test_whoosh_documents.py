"""What Whoosh alone has: segments that a query reads one by one."""

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
