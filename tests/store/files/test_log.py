"""The log: a line a failure, private and bounded, without secrets, and never the cause of another failure."""

from __future__ import annotations

import os
import stat

import pytest

from memtool.store.files import derived, log, private
from tests.trees import NOW

SECRET = "ghp_" + "a1B2" * 9


def test_a_line_is_added_with_its_time_and_nobody_else_may_read_it(tmp_path):
    assert log.append_line(str(tmp_path), NOW, "hook: one")
    assert log.append_line(str(tmp_path), NOW, "hook: two")
    path = tmp_path / ".memtool" / "log"
    assert path.read_text() == "2025-01-15T10:30:00Z hook: one\n2025-01-15T10:30:00Z hook: two\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_holds_no_secret_no_line_end_and_no_control(tmp_path):
    log.append_line(str(tmp_path), NOW, f"a\nb\r\x1b[31mc\ud800 {SECRET} " + "x" * 5000)
    [line] = (tmp_path / ".memtool" / "log").read_text().splitlines()
    assert SECRET not in line
    assert "\x1b" not in line
    assert line.startswith("2025-01-15T10:30:00Z a b c� [REDACTED:github-token] xxx")
    assert len(line) < 1100


def test_it_is_bounded_and_the_newest_lines_stay(tmp_path):
    file = tmp_path / ".memtool" / "log"
    log.append_line(str(tmp_path), NOW, "line 0")
    with file.open("a") as lines:
        lines.writelines(f"2025-01-15T10:30:00Z line {number}\n" for number in range(log.MAX_LOG_BYTES // 30))
    for number in range(1000, 1300):
        log.append_line(str(tmp_path), NOW, f"line {number} " + "is long " * 50)
    content = file.read_text()
    assert log.MAX_LOG_BYTES // 3 < len(content) <= log.MAX_LOG_BYTES
    assert "line 1299 is long" in content.splitlines()[-1]
    assert all(line.startswith("2025-01-15T10:30:00Z line ") for line in content.splitlines())


@pytest.mark.parametrize("kind", ["fifo", "link", "folder"])
def test_what_stands_in_its_place_is_left_alone(tmp_path, kind):
    folder = tmp_path / ".memtool"
    folder.mkdir()
    target = tmp_path / "target"
    target.write_text("theirs")
    if kind == "fifo":
        os.mkfifo(folder / "log")
    elif kind == "link":
        (folder / "log").symlink_to(target)
    else:
        (folder / "log").mkdir()
    assert not log.append_line(str(tmp_path), NOW, "x")
    assert target.read_text() == "theirs"


def test_no_private_folder_is_made_where_a_link_stands(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / ".memtool").symlink_to(tmp_path / "theirs")
    assert not log.append_line(str(tmp_path), NOW, "x")
    assert list((tmp_path / "theirs").iterdir()) == []


def test_a_small_file_is_kept_whole_and_read_back(tmp_path):
    derived.write(str(tmp_path), "told.json", b"{}")
    derived.write(str(tmp_path), "told.json", b'{"a": 1}')
    assert derived.read(str(tmp_path), "told.json") == b'{"a": 1}'
    assert derived.read(str(tmp_path), "none") is None
    assert derived.read(str(tmp_path), "told.json", most=3) is None
    assert {path.name for path in (tmp_path / ".memtool").rglob("*") if path.is_file()} == {
        ".gitignore",
        "told.json",
    }


def test_a_pipe_in_place_of_a_small_file_is_not_waited_for(tmp_path):
    private.make(str(tmp_path))
    os.mkfifo(tmp_path / ".memtool" / "told.json")
    assert derived.read(str(tmp_path), "told.json") is None
    derived.write(str(tmp_path), "told.json", b"{}")
    assert derived.read(str(tmp_path), "told.json") == b"{}"
