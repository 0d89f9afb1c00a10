"""Packed snapshots say the same as listings by path."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.document import FileStat
from memtool.core.records.tree_snapshot import PackedFiles, TreeSnapshot, pack_stat

NAMES = st.sampled_from(["a", "b.md", "é", "x\udcff", "two\nlines"])
TIMES = st.integers(-3, 3) | st.integers(-(2**63) + 1, 2**63 - 1)
STATS = st.builds(FileStat, st.integers(0, 9), TIMES, TIMES, st.integers(2**64 - 2, 2**64 - 1))
TREES = st.dictionaries(st.sampled_from(["", "memory", "memory/notes"]), st.dictionaries(NAMES, STATS))


def packed(tree):
    return {
        folder: PackedFiles.of([*files], [pack_stat(*files[name]) for name in files])
        for folder, files in tree.items()
    }


def by_path(tree):
    return {
        f"{folder}/{name}" if folder else name: stat
        for folder, files in tree.items()
        for name, stat in files.items()
    }


@given(TREES)
def test_a_snapshot_lists_its_files(tree):
    snapshot = TreeSnapshot(0, packed(tree))
    assert snapshot.listing().files == by_path(tree)
    assert snapshot.count() == len(by_path(tree))


@given(TREES, TREES)
def test_what_changed_is_what_differs_by_path(before, after):
    old, new = by_path(before), by_path(after)
    expected = {path: new.get(path) for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
    assert TreeSnapshot(0, packed(after)).changed_since(packed(before)) == expected


@given(TREES, TIMES)
def test_files_changed_since_are_left_out(tree, at_ns):
    kept = {folder: files.changed_before(at_ns) for folder, files in packed(tree).items()}
    assert TreeSnapshot(0, kept).listing().files == {
        path: stat for path, stat in by_path(tree).items() if max(stat.mtime_ns, stat.ctime_ns) < at_ns
    }


def test_times_that_no_file_system_should_have_are_the_last_that_can_be_stored():
    assert pack_stat(1, 2**80, -(2**80), 2) == pack_stat(1, 2**63 - 1, 1 - 2**63, 2)
