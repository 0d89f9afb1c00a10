"""Changed files are known before whoever changed them can ask, and none is missed where they are known."""

from __future__ import annotations

import os
import subprocess

import pytest

from memtool.serve.watch.tree_changes import TreeChanges
from tests.trees import make


class Followed:
    """The changes of a tree since they were taken last."""

    def __init__(self, changes):
        self._changes = changes
        self.position = None

    def take(self, matters=lambda _: True):
        """The changed files; None if any may have changed, "missed" if changes may be missed."""
        since = self._changes.since(self.position, matters)
        if since is None:
            return "missed"
        self.position, paths = since
        return paths


@pytest.fixture
def tree(tmp_path):
    """A tree, its changes, and the same changes as they are taken one after the other."""
    root = make(tmp_path / "w", {"a.md": "a", "memory/b.md": "b", "memory/deep/c.md": "c", "other/d.md": "d"})
    changes = TreeChanges(str(root), lambda folder: folder.partition("/")[0] == "memory")
    changes.cover()
    followed = Followed(changes)
    if followed.take() == "missed":
        pytest.skip("this file system reports no changes")
    yield root, changes, followed
    changes.close()


def rewrite(root):
    (root / "memory/deep/c.md").write_text("changed")


def touch(root):
    os.utime(root / "memory/b.md", ns=(1, 1))


def replace(root):
    (root / "new").write_text("x")
    (root / "new").rename(root / "memory/b.md")


CHANGES = {
    rewrite: ["memory/deep/c.md"],
    touch: ["memory/b.md"],
    replace: ["memory/b.md", "new"],
    lambda root: (root / "a.md").unlink(): ["a.md"],
    lambda root: (root / "z.md").touch(): ["z.md"],
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_changed_file_is_known_at_once(tree, change):
    root, changes, followed = tree
    assert not changes.take()
    change(root)
    assert sorted(followed.take()) == CHANGES[change]
    assert changes.take()
    assert followed.take() == []
    assert not changes.take()


def test_each_asker_has_its_own_position(tree):
    root, changes, followed = tree
    other = Followed(changes)
    assert other.take() is None
    rewrite(root)
    assert followed.take() == ["memory/deep/c.md"]
    touch(root)
    assert followed.take() == ["memory/b.md"]
    assert sorted(other.take()) == ["memory/b.md", "memory/deep/c.md"]


def test_changes_are_told_apart_by_folder(tree):
    root, _, followed = tree
    position = followed.position
    rewrite(root)
    assert followed.take({"", "memory"}.__contains__) == []
    followed.position = position
    assert followed.take({"memory/deep"}.__contains__) == ["memory/deep/c.md"]


def test_where_very_many_files_have_changed_any_may_have(tree):
    root, changes, followed = tree
    for number in range(10_001):
        (root / f"memory/deep/{number}.md").touch()
        changes.take()  # the kernel's own queue is shorter
    assert followed.take() is None
    rewrite(root)
    assert followed.take() == ["memory/deep/c.md"]
    changes.cover()
    assert followed.take() == []


def test_what_cannot_be_memory_is_no_change(tree):
    root, changes, followed = tree
    make(root, {"other/d.md": "changed", "memory/.c.md.swp": "z", ".memtool/index/x": "y"})
    (root / "memory/b.md").read_text()
    assert followed.take() == []
    assert not changes.take()


@pytest.mark.parametrize(
    "change",
    [
        lambda root: make(root, {"memory/later/e.md": "e"}),
        lambda root: (root / "memory/deep").chmod(0o500),
        lambda root: (root / "memory/deep").rename(root / "memory/other"),
    ],
    ids=["new", "rights", "name"],
)
def test_after_a_change_of_folders_changes_may_be_missed_until_they_are_watched_again(tree, change):
    root, changes, followed = tree
    change(root)
    assert followed.take() == "missed"
    assert changes.take()
    changes.cover()
    assert followed.take() is None
    (root / "memory/b.md").write_text("changed")
    assert followed.take() == ["memory/b.md"]


def test_a_root_that_moves_is_not_known(tree):
    root, changes, followed = tree
    root.rename(root.with_name("moved"))
    assert followed.take() == "missed"
    changes.cover()
    assert followed.take() == "missed"


def test_a_file_system_that_others_change_is_compared_each_time():
    changes = TreeChanges("/proc/self", lambda _: False)
    changes.cover()
    assert changes.since(None) is None


def test_a_tree_with_a_hard_link_is_not_covered(tree):
    root, changes, followed = tree
    os.link(root / "memory/b.md", root.parent / "outside.md")
    (root / "memory/new").mkdir()
    followed.take()
    changes.cover()
    assert followed.take() == "missed"
    (root.parent / "outside.md").unlink()
    changes.cover()
    assert followed.take() is None


def test_nothing_is_known_after_a_mount_anywhere(tree, tmp_path):
    _, changes, followed = tree
    (tmp_path / "m").mkdir()
    mount = ["mount", "-t", "tmpfs", "none", tmp_path / "m"]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount")
    try:
        assert followed.take() == "missed"
        changes.cover()
        assert followed.take() is None
    finally:
        subprocess.run(["umount", tmp_path / "m"], check=True)
