"""The guard lets no name out of the root."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.errors import OutsideWorkspace
from memtool.store.files import path_guard

HOSTILE = [
    "/etc/passwd", "../x", "a/../../x", "a/..", "..", ".", "", "a\0b", "%2e%2e/x", "%252e%252e/x", "a%2fb",
    "..\\x", "a\\..\\x", "C:\\x", "C:/x", "~/x", "~root/x", "\\\\host\\share", "a\nb", "a" * 300, "a/" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused(tmp_path, name):
    with pytest.raises(OutsideWorkspace):
        path_guard.resolve(str(tmp_path), name)


@pytest.mark.parametrize(
    "name", ["a.md", "a b/ü 日本.md", "memory/2025-01-15.md", "a..b/...md", "100%.md", "x:y.md"]
)
def test_an_ordinary_name_passes(tmp_path, name):
    assert str(path_guard.resolve(str(tmp_path), name)) == name


steps = st.sampled_from(
    ["..", ".", "a", "link", "up", "%2e%2e", "..%2f", "\\", "", "/", "deep", "loop", "\0", "~"]
)


@given(st.lists(steps, max_size=8).map("/".join))
def test_no_generated_path_leads_outside(hostile_tree, name):
    try:
        place = path_guard.resolve(str(hostile_tree), name)
    except OutsideWorkspace:
        return
    assert os.path.realpath(hostile_tree / str(place)).startswith(f"{hostile_tree}/")
    assert os.path.realpath(hostile_tree / name) == f"{hostile_tree}/{place}"


@pytest.fixture(scope="module")
def hostile_tree(tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.md").write_text("secret")
    root = tmp_path_factory.mktemp("root").resolve()
    (root / "a").mkdir()
    (root / "a" / "deep").symlink_to("../a")
    (root / "link").symlink_to(outside)
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to("loop")
    return root


def test_a_link_inside_the_root_is_followed(tmp_path):
    (tmp_path / "real.md").write_text("x")
    (tmp_path / "alias.md").symlink_to("real.md")
    assert str(path_guard.resolve(str(tmp_path), "alias.md")) == "real.md"


def test_the_root_may_be_a_link_itself(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "door").symlink_to("tree")
    from memtool.store.files.disk import Disk

    disk = Disk(str(tmp_path / "door"))
    disk.create(path_guard.check_name("a.md"), "x")
    assert (tmp_path / "tree" / "a.md").read_text() == "x"


def test_a_root_that_became_a_link_is_refused(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    assert str(path_guard.resolve(str(root), "a.md")) == "a.md"
    root.rename(tmp_path / "moved")
    root.symlink_to("moved")
    with pytest.raises(OutsideWorkspace):
        path_guard.resolve(str(root), "a.md")
