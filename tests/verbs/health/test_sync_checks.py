"""Programs that synchronise the tree leave out `.memtool`: init arranges it, and doctor checks it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess

import pytest

from tests.trees import contents, make, memtool

NATIVE = {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "# Memory\n"}


def checked(root):
    result = memtool("--json", "doctor", home=root.parent, cwd=root)
    return next(row for row in map(json.loads, result.stdout.splitlines()) if row["check"] == "sync")


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ("", "wrong"),
        ("/agent [a]/.memtool\n", "wrong"),
        ("/agent \\[a\\]/.memtool\n", "ok"),
        (".memtool", "ok"),
        ("(?d)(?i).memtool", "ok"),
        ("**/.memtool", "ok"),
        ("\\[a\\]/.memtool", "wrong"),
        ("agent*/.mem*", "ok"),
        (".*\n", "ok"),
        ("/agent*\n", "ok"),
        ("!/agent*\n.memtool\n", "wrong"),
        (".memtool\n!/agent*\n", "ok"),
        ("// .memtool\n", "wrong"),
        ("#include more\n", "ok"),
        ("#include missing\n", "wrong"),
        ("#include .stignore\n", "wrong"),
        ("[", "wrong"),
        ("/.memtool\n", "wrong"),
    ],
)
def test_doctor_reads_syncthings_patterns_and_its_command_mends_them(tmp_path, lines, state):
    make(tmp_path, {".stfolder/x": "", ".stignore": lines, "more": ".memtool\n"})
    root = make(tmp_path / "agent [a]", NATIVE)
    found = checked(root)
    assert found["state"] == state, found
    if state == "wrong" and "!" not in lines:
        subprocess.run(found["run"], shell=True, check=True)
        assert checked(root)["state"] == "ok"


def test_the_line_of_init_comes_before_the_users_and_is_written_once(tmp_path):
    make(tmp_path, {".stfolder/x": "", ".stignore": "#escape=|\n!/agent\n*.tmp"})
    root = make(tmp_path / "agent", NATIVE)
    for _ in range(2):
        assert memtool("init", home=tmp_path, cwd=root).returncode == 0
        assert (tmp_path / ".stignore").read_text() == "#escape=|\n/agent/.memtool\n!/agent\n*.tmp"
    assert checked(root)["state"] == "ok"


@pytest.mark.parametrize("name", ["agent", "a\nb"])
def test_a_linked_ignore_file_and_a_name_with_a_line_break_change_nothing(tmp_path, name):
    make(tmp_path, {"profile": "export A=1\n", "sync/.stfolder/x": "", "sync/.stignore": "*.tmp\n"})
    if name == "agent":
        (tmp_path / "sync/.stignore").unlink()
        (tmp_path / "sync/.stignore").symlink_to(tmp_path / "profile")
    root = make(tmp_path / "sync" / name, NATIVE)
    before = contents(tmp_path / "sync").get(".stignore")
    result = memtool("init", home=tmp_path, cwd=root)
    assert (result.returncode, "was not changed" in result.stderr) == (0, True)
    assert contents(tmp_path / "sync").get(".stignore") == before
    assert (tmp_path / "profile").read_text() == "export A=1\n"


def test_init_writes_no_ignore_file_where_nothing_is_synchronised_nor_in_a_dry_run(tmp_path):
    root = make(tmp_path / "agent", NATIVE)
    assert "leave" not in memtool("init", home=tmp_path, cwd=root).stderr
    assert not {*contents(tmp_path)} & {".stignore", "agent/.stignore"}
    make(tmp_path, {".stfolder/x": ""})
    result = memtool("init", "--dry-run", home=tmp_path, cwd=root)
    assert "Syncthing would ignore agent/.memtool" in result.stderr
    assert not (tmp_path / ".stignore").exists()


def test_dropbox_gets_its_attribute(tmp_path):
    try:
        os.setxattr(tmp_path, "user.memtool", b"1")
    except OSError as error:
        pytest.skip(f"this file system has no attributes of users: {error}")
    make(tmp_path, {".dropbox.cache/x": ""})
    root = make(tmp_path / "agent", NATIVE)
    assert checked(root)["run"] == f"attr -s com.dropbox.ignored -V 1 {shlex.quote(str(root / '.memtool'))}"
    assert memtool("init", home=tmp_path, cwd=root).returncode == 0
    assert os.getxattr(root / ".memtool", "user.com.dropbox.ignored") == b"1"
    assert checked(root)["state"] == "ok"


def test_a_folder_of_macos_is_noted(tmp_path):
    root = make(tmp_path / "Library/Mobile Documents/com~apple~CloudDocs/agent", NATIVE)
    found = checked(root)
    assert (found["state"], found["run"]) == ("note", "memtool help sync")


def test_git_does_not_track_it(tmp_path):
    root = make(tmp_path / "agent", NATIVE)
    assert memtool("save", "The kiln is old", home=tmp_path, cwd=root).returncode == 0
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    assert checked(root)["state"] == "ok"
    subprocess.run(["git", "add", "-f", ".memtool"], cwd=root, check=True)
    found = checked(root)
    assert found["state"] == "wrong"
    subprocess.run(found["run"], shell=True, check=True, stdout=subprocess.DEVNULL)
    assert checked(root)["state"] == "ok"
