"""The disk: files are written whole or not at all, private, and never through a link."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.errors import Locked, OutsideWorkspace, StaleWrite, UnreadableFile, Unwritable
from memtool.store import lock
from memtool.store.files.disk import Disk, etag_of
from memtool.store.files.listing import list_tree
from memtool.store.files.posix import appended_since
from memtool.store.files.staging import TEMPORARY_SUFFIX
from tests.faulty import FaultyDisk, Stopped

A = PurePosixPath("deep/a.md")


@pytest.fixture
def disk(tmp_path):
    return Disk(str(tmp_path))


def test_a_new_file_and_its_folders_are_private(disk, tmp_path):
    disk.create(A, "text\n")
    assert stat.S_IMODE((tmp_path / A).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700


def test_create_never_overwrites(disk):
    disk.create(A, "first")
    with pytest.raises(StaleWrite):
        disk.create(A, "second")
    assert disk.read(A).text == "first"


def test_replace_demands_the_text_that_was_read(disk, tmp_path):
    disk.create(A, "one")
    etag = disk.read(A).etag
    (tmp_path / A).write_text("two")
    with pytest.raises(StaleWrite):
        disk.replace(A, "three", etag)
    assert disk.read(A).text == "two"


def test_lines_appended_between_reading_and_replacing_are_carried_over(disk, tmp_path):
    disk.create(A, "one\n")
    (tmp_path / "staged").write_text("new\n")
    (tmp_path / A).write_text("one\nforeign\n")
    disk.swap(PurePosixPath("staged"), A, etag_of(b"one\n"))
    assert (tmp_path / A).read_text() == "new\nforeign\n"


def test_what_an_editor_saved_just_before_an_exchange_is_put_back(disk, tmp_path):
    disk.create(A, "one\n")
    (tmp_path / "staged").write_text("new\n")
    (tmp_path / A).write_text("edited\n")
    with pytest.raises(StaleWrite):
        disk.swap(PurePosixPath("staged"), A, etag_of(b"one\n"))
    assert (tmp_path / A).read_text() == "edited\n"


def test_a_file_that_an_editor_made_meanwhile_is_not_overwritten(disk, tmp_path):
    (tmp_path / "staged").write_text("ours\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / A).write_text("theirs\n")
    with pytest.raises(StaleWrite):
        disk.publish(PurePosixPath("staged"), A)
    assert (tmp_path / A).read_text() == "theirs\n"


@given(st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"") + b"\n")), st.data())
def test_appended_lines_are_found_by_the_etag_before_them(lines, data):
    content = b"".join(lines)
    count = data.draw(st.integers(0, len(lines)))
    before = b"".join(lines[:count])
    if before:
        assert appended_since(content, etag_of(before)) == content[len(before) :]
    assert appended_since(content, etag_of(b"no such text")) is None


def test_replace_keeps_the_mode_and_the_link(disk, tmp_path):
    disk.create(A, "one")
    (tmp_path / A).chmod(0o640)
    (tmp_path / "alias.md").symlink_to("deep/a.md")
    disk.replace(PurePosixPath("alias.md"), "two", etag_of(b"one"))
    assert (tmp_path / "alias.md").is_symlink()
    assert disk.read(A).text == "two"
    assert stat.S_IMODE((tmp_path / A).stat().st_mode) == 0o640


def test_append_begins_on_a_line_of_its_own(disk, tmp_path):
    disk.create(A, "torn")
    disk.append(A, "whole\n")
    assert (tmp_path / A).read_text() == "torn\nwhole\n"


def test_append_ends_lines_as_the_file_does(disk, tmp_path):
    disk.create(A, "one\r\n")
    disk.append(A, "two\nthree\n")
    assert (tmp_path / A).read_bytes() == b"one\r\ntwo\r\nthree\r\n"


def test_append_ends_lines_as_the_file_does_behind_a_line_without_an_end(disk, tmp_path):
    disk.create(A, "one\r\n\r\nand a last line that an editor left open")
    disk.append(A, "two\n")
    assert (tmp_path / A).read_bytes() == (b"one\r\n\r\nand a last line that an editor left open\r\ntwo\r\n")


def test_append_to_nothing_is_stale(disk):
    with pytest.raises(StaleWrite):
        disk.append(A, "x")


def test_move_never_lands_on_something(disk):
    disk.create(A, "a")
    disk.create(PurePosixPath("b.md"), "b")
    with pytest.raises(StaleWrite):
        disk.move(A, PurePosixPath("b.md"), etag_of(b"a"))
    disk.move(A, PurePosixPath("c/d.md"), etag_of(b"a"))
    assert disk.read(A) is None
    assert disk.read(PurePosixPath("c/d.md")).text == "a"


def test_remove_demands_the_etag(disk):
    disk.create(A, "a")
    with pytest.raises(StaleWrite):
        disk.remove(A, etag_of(b"other"))
    disk.remove(A, etag_of(b"a"))
    assert disk.read(A) is None


@given(st.binary(max_size=200))
def test_any_bytes_come_back_as_they_were(tmp_path_factory, content):
    root = tmp_path_factory.mktemp("bytes")
    (root / "a").write_bytes(content)
    disk = Disk(str(root))
    document = disk.read(PurePosixPath("a"))
    disk.replace(PurePosixPath("a"), document.text, document.etag)
    assert (root / "a").read_bytes() == content


def test_half_a_surrogate_pair_is_written_as_a_replacement_character(disk):
    disk.create(A, "\ud800 x")
    assert disk.read(A).text == "\ufffd x"


def test_what_is_no_file_is_unreadable_at_once(disk, tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    for name in ("pipe.md", "folder.md"):
        with pytest.raises(UnreadableFile, match="not a file"):
            disk.read(PurePosixPath(name))
        with pytest.raises(UnreadableFile, match="not a file"):
            disk.stat(PurePosixPath(name))


def test_a_link_out_of_the_tree_is_neither_read_nor_written(disk, tmp_path_factory, tmp_path):
    secret = tmp_path_factory.mktemp("outside") / "secret.md"
    secret.write_text("secret")
    (tmp_path / "link.md").symlink_to(secret)
    for action in (
        disk.read,
        disk.stat,
        lambda path: disk.append(path, "x"),
        lambda path: disk.create(path, "x"),
    ):
        with pytest.raises(OutsideWorkspace):
            action(PurePosixPath("link.md"))
    assert secret.read_text() == "secret"


def test_a_file_where_a_folder_should_be_is_one_sentence(disk, tmp_path):
    (tmp_path / "deep").write_text("I am a file")
    assert disk.read(A) is None
    with pytest.raises(Unwritable, match="not a directory"):
        disk.create(A, "x")


def test_a_stop_at_any_operation_leaves_the_old_text_or_the_new(tmp_path):
    (tmp_path / "a.md").write_text("old")
    stops = 0
    while True:
        (tmp_path / "a.md").write_text("old")
        disk = FaultyDisk(str(tmp_path), stop_at=stops)
        try:
            disk.replace(PurePosixPath("a.md"), "new", etag_of(b"old"))
            break
        except Stopped:
            assert (tmp_path / "a.md").read_text() in {"old", "new"}
        stops += 1
    assert stops >= 5


def test_a_listing_shows_files_and_says_what_it_passed_by(tmp_path):
    disk = Disk(str(tmp_path))
    disk.create(A, "x")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "closed").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to("/etc/passwd")
    (tmp_path / f".x{TEMPORARY_SUFFIX}").write_text("half")
    found = list_tree(str(tmp_path), lambda folder: folder != "closed")
    assert list(found.files) == ["deep/a.md"]
    assert dict(found.skipped) == {"pipe.md": "a pipe", "link.md": "a symbolic link"}


def test_a_root_that_is_gone_is_unreadable_not_empty(tmp_path):
    assert list_tree(str(tmp_path / "gone"), lambda _: True).unreadable == (
        ("", "the folder does not exist"),
    )


def test_a_folder_is_moved_whole_and_never_onto_something(disk, tmp_path):
    disk.create(A, "a")
    disk.create(PurePosixPath("b/c.md"), "c")
    with pytest.raises(StaleWrite):
        disk.move_tree(A.parent, PurePosixPath("b"))
    disk.move_tree(A.parent, PurePosixPath("b/inner"))
    assert (tmp_path / "b/inner/a.md").read_text() == "a"
    assert not (tmp_path / "deep").exists()


def test_a_link_is_moved_itself_and_leads_where_it_did(disk, tmp_path):
    disk.create(A, "a")
    (tmp_path / "link").symlink_to("deep")
    disk.move_tree(PurePosixPath("link"), PurePosixPath("one/two/link"))
    assert (tmp_path / "one/two/link").is_symlink()
    assert (tmp_path / "one/two/link/a.md").read_text() == "a"
    assert disk.read(A).text == "a"


def test_another_thread_waits_for_the_lock_and_not_for_ever(tmp_path):
    caught = []

    def work():
        try:
            with lock.hold(str(tmp_path), 0.05):
                pass
        except Locked as error:
            caught.append(str(error))

    with lock.hold(str(tmp_path), 1):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(caught) == 1


def test_documents_that_are_read_together_are_those_that_are_read_one_by_one(disk, tmp_path):
    for name in ("b", "a"):
        disk.create(PurePosixPath(f"deep/{name}.md"), f"{name}\n")
    (tmp_path / "deep" / "link.md").symlink_to("a.md")
    names = ("b", "missing", "link", "a")
    documents = [*disk.read_documents(PurePosixPath(f"deep/{name}.md") for name in names)]
    assert [documents[0], documents[2]] == [disk.read(PurePosixPath(f"deep/{name}.md")) for name in "ba"]
    assert isinstance(documents[1], UnreadableFile)
    assert "deep/link.md" in str(documents[1])
