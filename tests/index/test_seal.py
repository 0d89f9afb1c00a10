"""Nobody else's index is ever opened, and nothing outside the folder is ever touched."""

import os
import pickle
import shutil

import pytest

from memtool.index.documents.whoosh_documents import LISTING
from memtool.index.engine import BrokenIndex
from memtool.index.seal import NAME, clear, is_sealed, seal
from tests.index.records import KEY, open_documents, paths, record


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "documents"
    with open_documents(str(folder), KEY) as index:
        index.upsert([record("a", "hello")])
    return folder


class Bomb:
    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return open, (str(self.target), "w")


def bomb_the_contents(folder, target):
    """The folder's table of contents, where Whoosh unpickles its segments, made to create a file."""
    (toc,) = folder.glob("*.toc")
    content = toc.read_bytes()
    start = content.rindex(b"\x80", 0, content.rindex(b"W3Segment"))
    toc.write_bytes(content[:start] + pickle.dumps(Bomb(target)))


def test_the_bomb_would_go_off(folder, tmp_path):
    from whoosh.index import open_dir

    bomb_the_contents(folder, tmp_path / "exploded")
    with pytest.raises(Exception):  # noqa: B017
        open_dir(str(folder)).reader()
    assert (tmp_path / "exploded").exists()


@pytest.mark.parametrize("key_of_the_stranger", [KEY, b"s" * 32])
def test_a_planted_pickle_is_never_loaded(folder, tmp_path, key_of_the_stranger):
    target = tmp_path / "exploded"
    bomb_the_contents(folder, target)
    if key_of_the_stranger != KEY:
        seal(str(folder), key_of_the_stranger)
    with pytest.raises(BrokenIndex):
        open_documents(str(folder), KEY, wait=0, writes=False)
    with open_documents(str(folder), KEY) as index:
        assert index.why_empty
        assert index.stamps() == {}
        assert paths(index, "hello") == []
    assert not target.exists()


def test_a_later_table_of_contents_breaks_the_seal(folder):
    (toc,) = folder.glob("*.toc")
    shutil.copy(toc, folder / "_MAIN_999.toc")
    assert not is_sealed(str(folder), KEY)


@pytest.mark.parametrize("suffix", ["kept.col", "ages.col", "trm"])
def test_a_file_of_a_sealed_segment_breaks_the_seal(folder, suffix):
    (segment,) = folder.glob("*.seg")
    segment.with_suffix(f".{suffix}").write_text("x")
    assert not is_sealed(str(folder), KEY)


def test_what_a_killed_writer_left_does_not(folder):
    left = [folder / "MAIN_abcdefgh.seg", folder / "_MAIN_7.toc.1736937000.2399883"]
    for path in left:
        path.write_text("half")
    (folder / "MAIN.tmp").mkdir()
    (folder / "MAIN.tmp" / "x.run").write_text("half")
    assert is_sealed(str(folder), KEY)
    with open_documents(str(folder), KEY) as index:
        assert paths(index, "hello") == ["a"]
        index.upsert([record("b", "hello")])
    assert not any(path.exists() for path in left)


def test_any_change_to_any_file_breaks_the_seal(folder):
    for file in sorted(folder.iterdir()):
        if file.name == NAME:
            continue
        content, times = file.read_bytes(), file.stat()
        file.write_bytes(content)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert not is_sealed(str(folder), KEY), file
        seal(str(folder), KEY)
        assert is_sealed(str(folder), KEY)


def test_a_missing_file_breaks_the_seal(folder):
    (folder / LISTING).unlink()
    assert not is_sealed(str(folder), KEY)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"files": {}, "mac": "é"}', '{"files": [], "mac": ""}', "[" * 99999]
)
def test_a_seal_that_is_none_fits_nothing(folder, content):
    (folder / NAME).write_text(content)
    assert not is_sealed(str(folder), KEY)


def test_a_copy_of_an_index_is_not_sealed(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copy2)
    assert not is_sealed(str(tmp_path / "copy"), KEY)


def test_a_link_for_a_sealed_file_breaks_the_seal(folder, tmp_path):
    file = folder / LISTING
    file.rename(tmp_path / "moved")
    file.symlink_to(tmp_path / "moved")
    assert not is_sealed(str(folder), KEY)


def test_clearing_never_follows_links(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    (folder / "link").symlink_to(outside)
    (folder / "file-link").symlink_to(outside / "precious")
    clear(str(folder))
    assert os.listdir(folder) == []
    assert (outside / "precious").read_text() == "x"


def test_a_folder_inside_is_not_ours_to_delete(folder):
    (folder / "photos").mkdir()
    (folder / "photos" / "precious").write_text("x")
    (folder / NAME).unlink()
    with pytest.raises(BrokenIndex, match="photos"):
        open_documents(str(folder), KEY)
    assert (folder / "photos" / "precious").exists()


def test_an_index_folder_that_is_a_link_is_refused(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(BrokenIndex):
        open_documents(str(tmp_path / "link"), KEY)
    assert is_sealed(str(folder), KEY)
