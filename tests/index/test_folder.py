"""A folder that is replaced while its index is opened, made or written leads nowhere."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from memtool.index.documents.sqlite_documents import SqliteDocuments
from memtool.index.documents.whoosh_documents import WhooshDocuments
from memtool.index.engine import BrokenIndex
from memtool.index.facts.facts import Facts
from memtool.index.folder import OpenFolder
from memtool.index.opening import lock_index, open_index
from tests.index.records import KEY, record
from tests.trees import contents

BY_HANDLE = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="handles have no paths here")
SWAPS = ["outer link", "inner link", "outer folder", "inner folder"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "w/.memtool/index"
    path.parent.mkdir(parents=True)
    return path


def swap(path: Path, how: str) -> None:
    """Put a link, or another folder, in place of the folder or the one that it is in; it holds the same."""
    place = path.parent if how.startswith("outer") else path
    outside = path.parents[2] / "outside"
    shutil.copytree(path.parent, outside)
    place.rename(path.parents[2] / "away")
    target = outside if how.startswith("outer") else outside / path.name
    if how.endswith("link"):
        place.symlink_to(target)
    else:
        target.rename(place)


@pytest.mark.parametrize("how", SWAPS)
@pytest.mark.parametrize("kind", [WhooshDocuments, SqliteDocuments, Facts])
def test_it_may_be_replaced_while_it_is_opened(path, kind, how):
    open_index(kind, str(path), KEY).close()
    before = contents(path)

    class Swapping(kind):
        @classmethod
        def load(cls, folder, *, writes):
            swap(path, how)
            return super().load(folder, writes=writes)

    with pytest.raises(BrokenIndex):
        open_index(Swapping, str(path), KEY, wait=0.0, writes=False)
    assert contents(path) == before


@BY_HANDLE
@pytest.mark.parametrize("how", SWAPS)
@pytest.mark.parametrize("kind", [WhooshDocuments, SqliteDocuments, Facts])
def test_it_may_be_replaced_while_it_is_made(path, kind, how):
    class Swapping(kind):
        @classmethod
        def create(cls, folder):
            swap(path, how)
            super().create(folder)

    with pytest.raises(BrokenIndex):
        open_index(Swapping, str(path), KEY, wait=0.0)
    assert contents(path) == {}


@pytest.mark.parametrize("how", SWAPS)
@pytest.mark.parametrize("kind", [WhooshDocuments, SqliteDocuments])
def test_it_may_be_replaced_while_it_is_written(path, kind, how):
    index = open_index(kind, str(path), KEY)
    swap(path, how)
    before = contents(path)
    with pytest.raises(BrokenIndex):
        index.upsert([record("a", "hello")])
    index.close()
    assert contents(path) == before


@pytest.mark.parametrize("name", ["index.lock", "index"])
def test_a_lock_is_made_beside_no_link(path, tmp_path, name):
    (path.parent / name).symlink_to(tmp_path / "nowhere")
    if name == "index":
        shutil.rmtree(path.parent)
        path.parent.symlink_to(tmp_path)
    with pytest.raises(BrokenIndex), lock_index(str(path), 0.0):
        raise AssertionError
    assert [entry.name for entry in tmp_path.iterdir()] == ["w"]


@BY_HANDLE
def test_no_handle_is_left_open(path):
    before = len(os.listdir("/proc/self/fd"))
    for kind in (WhooshDocuments, SqliteDocuments, Facts):
        index = open_index(kind, str(path), KEY)
        index.close()
        index.close()
        (path / "seal").write_bytes(b"x")
        with pytest.raises(BrokenIndex):
            open_index(kind, str(path), KEY, wait=0.0, writes=False)
    with pytest.raises(BrokenIndex):
        open_index(Facts, f"{path}-none", KEY, wait=0.0, writes=False)
    with OpenFolder.open(str(path)) as folder:
        assert folder.is_in_place()
    assert len(os.listdir("/proc/self/fd")) == before
