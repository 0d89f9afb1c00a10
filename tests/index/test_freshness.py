from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.document import FileStat
from memtool.index.engine import FileStamp
from memtool.index.freshness import RACY_NS, Diff, compare_stamps

OLD = FileStat(10, 1_000, 1_000, 7)
LATER = 1_000 + RACY_NS


def stamp(stat=OLD, at=LATER):
    return FileStamp.of(stat, at, "etag")


def test_what_has_not_changed_is_left_alone():
    found = compare_stamps({"a": OLD}, {"a": stamp()})
    assert found == Diff()
    assert not found


def test_added_and_gone():
    assert compare_stamps({"b": OLD, "a": OLD}, {"c": stamp()}) == Diff(added=("a", "b"), removed=("c",))


def test_every_part_of_a_stat_counts():
    for changed in (
        FileStat(11, 1_000, 1_000, 7),
        FileStat(10, 999, 1_000, 7),
        FileStat(10, 1_000, 1_001, 7),
        FileStat(10, 1_000, 1_000, 8),
    ):
        assert compare_stamps({"a": changed}, {"a": stamp()}) == Diff(changed=("a",))


def test_a_file_indexed_just_after_a_change_is_doubtful():
    assert compare_stamps({"a": OLD}, {"a": stamp(at=LATER - 1)}) == Diff(doubtful=("a",))
    touched = FileStat(10, 0, 1_000, 7)
    assert compare_stamps({"a": touched}, {"a": stamp(touched, LATER - 1)}) == Diff(doubtful=("a",))


def test_a_file_from_the_future_is_doubtful():
    future = FileStat(10, 10**19, 1_000, 7)
    assert compare_stamps({"a": future}, {"a": stamp(future)}) == Diff(doubtful=("a",))


def test_nothing_under_a_folder_that_could_not_be_listed_is_gone():
    indexed = {"x/a": stamp(), "x/y/b": stamp(), "xx": stamp(), "x": stamp()}
    assert compare_stamps({}, indexed, ["x"]) == Diff(removed=("xx",))
    assert compare_stamps({}, indexed, ["x/"]).removed == ("x", "xx")
    assert compare_stamps({}, indexed, [""]) == Diff()


STATS = st.builds(FileStat, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 1))
NAMES = st.sampled_from(["a", "b", "d/a", "d/b", "e"])


@given(
    st.dictionaries(NAMES, STATS),
    st.dictionaries(NAMES, st.builds(FileStamp.of, STATS, st.integers(0, 2 * RACY_NS), st.just("e"))),
    st.sets(st.sampled_from(["d", "e", ""])),
)
def test_every_path_is_settled_once(listed, indexed, unreadable):
    found = compare_stamps(listed, indexed, unreadable)
    parts = [*found.added, *found.changed, *found.removed, *found.doubtful]
    assert len(parts) == len(set(parts))
    assert set(found.added) == set(listed) - set(indexed)
    assert set(found.removed) <= set(indexed) - set(listed)
    for path in set(listed) - set(parts):
        same = indexed[path]
        assert FileStat(*same[:4]) == listed[path]
