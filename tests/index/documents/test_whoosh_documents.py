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
