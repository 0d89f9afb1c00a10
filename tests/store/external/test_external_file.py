"""Files of other programs: replaced whole, a copy of what was there beside them, and text files alone."""

from __future__ import annotations

import os
import stat

import pytest

from memtool.errors import StaleWrite, UnreadableFile
from memtool.store.external import external_file
from tests.trees import NOW


def test_a_file_that_is_not_there_is_made_private_with_its_folders(tmp_path):
    path = tmp_path / "home" / ".claude" / "settings.json"
    before = external_file.read_file(str(path))
    assert before.text is None
    assert external_file.write_file(before, "{}\n", NOW) is None
    assert path.read_text() == "{}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_keeps_its_mode_and_a_copy_of_its_old_text(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("old")
    path.chmod(0o644)
    copy = external_file.write_file(external_file.read_file(str(path)), "new", NOW)
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert copy == str(tmp_path / "settings.json.20250115T103000Z.memtool-backup")
    assert (tmp_path / copy).read_text() == "old"
    second = external_file.write_file(external_file.read_file(str(path)), "newer", NOW)
    assert second == str(tmp_path / "settings.json.20250115T103000Z-2.memtool-backup")
    assert (tmp_path / second).read_text() == "new"


def test_a_link_stays_and_what_it_leads_to_is_changed(tmp_path):
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text("old")
    link = tmp_path / "home" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    external_file.write_file(external_file.read_file(str(link)), "new", NOW)
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_what_changed_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("old")
    before = external_file.read_file(str(path))
    path.write_text("theirs")
    with pytest.raises(StaleWrite):
        external_file.write_file(before, "new", NOW)
    assert path.read_text() == "theirs"
    absent = external_file.read_file(str(tmp_path / "none.json"))
    (tmp_path / "none.json").write_text("theirs")
    with pytest.raises(StaleWrite):
        external_file.write_file(absent, "new", NOW)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.mkdir(), "is a folder, not a file"),
        (os.mkfifo, "is a pipe, not a file"),
        (lambda path: path.write_bytes(b"\xff{}"), "is not UTF-8 text"),
        (lambda path: path.write_bytes(b"{}\0"), "contains NUL bytes"),
    ],
)
def test_what_is_no_text_file_is_refused(tmp_path, make, why):
    make(tmp_path / "settings.json")
    with pytest.raises(UnreadableFile, match=why):
        external_file.read_file(str(tmp_path / "settings.json"))


def test_a_file_goes_with_its_empty_folder_and_leaves_a_copy_only_if_asked(tmp_path):
    path = tmp_path / "memtool" / "HOOK.md"
    external_file.write_file(external_file.read_file(str(path)), "ours", NOW)
    assert external_file.write_file(external_file.read_file(str(path)), None, NOW, with_backup=False) is None
    assert not path.parent.exists()
