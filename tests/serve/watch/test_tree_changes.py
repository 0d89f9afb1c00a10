"""Changes are counted before whoever made them can ask, and never missed where they are counted."""

from __future__ import annotations

import os
import subprocess

import pytest

from memtool.serve.watch.tree_changes import TreeChanges
from tests.trees import make


@pytest.fixture
def tree(tmp_path):
    """A tree and the count of its changes."""
    root = make(tmp_path / "w", {"a.md": "a", "memory/b.md": "b", "memory/deep/c.md": "c", "other/d.md": "d"})
    changes = TreeChanges(str(root), lambda folder: folder.partition("/")[0] == "memory")
    changes.cover()
    if changes.count() is None:
        pytest.skip("this file system reports no changes")
    yield root, changes
    changes.close()


def rewrite(root):
    (root / "memory/deep/c.md").write_text("changed")


def touch(root):
    os.utime(root / "memory/b.md", ns=(1, 1))


def replace(root):
    (root / "new").write_text("x")
    (root / "new").rename(root / "memory/b.md")


@pytest.mark.parametrize(
    "change",
    [rewrite, touch, replace, lambda root: (root / "a.md").unlink(), lambda root: (root / "z.md").touch()],
)
def test_each_change_of_a_file_is_counted_at_once(tree, change):
    root, changes = tree
    before = changes.count()
    assert changes.count() == before
    change(root)
    assert changes.count() > before


def test_changes_are_counted_by_folder(tree):
    root, changes = tree
    deep, others = ({"memory/deep"}.__contains__, {"", "memory"}.__contains__)
    before = changes.count(deep), changes.count(others)
    rewrite(root)
    assert changes.count(deep) > before[0]
    assert changes.count(others) == before[1]


def test_what_cannot_be_memory_is_not_counted(tree):
    root, changes = tree
    before = changes.count()
    make(root, {"other/d.md": "changed", "memory/.c.md.swp": "z", ".memtool/index/x": "y"})
    (root / "memory/b.md").read_text()
    assert changes.count() == before


def test_after_a_change_of_folders_nothing_is_known_until_they_are_watched_again(tree):
    root, changes = tree
    before = changes.count()
    (root / "memory/later").mkdir()
    (root / "memory/later/e.md").write_text("e")
    assert changes.count() is None
    changes.cover()
    covered = changes.count()
    assert covered > before
    (root / "memory/later/e.md").write_text("changed")
    assert changes.count() > covered


def test_a_root_that_moves_is_not_known(tree):
    root, changes = tree
    root.rename(root.with_name("moved"))
    assert changes.count() is None
    changes.cover()
    assert changes.count() is None


def test_a_file_system_that_others_change_is_compared_each_time():
    changes = TreeChanges("/proc/self", lambda _: False)
    changes.cover()
    assert changes.count() is None


def test_a_tree_with_a_hard_link_is_not_covered(tree):
    root, changes = tree
    os.link(root / "memory/b.md", root.parent / "outside.md")
    (root / "memory/new").mkdir()
    changes.count()
    changes.cover()
    assert changes.count() is None
    (root.parent / "outside.md").unlink()
    changes.cover()
    assert changes.count() is not None


def test_nothing_is_known_after_a_mount_anywhere(tree, tmp_path):
    _, changes = tree
    (tmp_path / "m").mkdir()
    mount = ["mount", "-t", "tmpfs", "none", tmp_path / "m"]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount")
    try:
        assert changes.count() is None
        changes.cover()
        assert changes.count() is not None
    finally:
        subprocess.run(["umount", tmp_path / "m"], check=True)
