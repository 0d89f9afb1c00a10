"""Merging files, as git's merge driver and outside a workspace."""

from __future__ import annotations

import pytest

from tests.trees import make, memtool

BASE = "# Facts\n\n- [place] Osh ^m-1\n"


@pytest.mark.parametrize("path", ["memory/semantic/facts.md", "deep/list.toml"])
def test_records_are_recognised_by_name_outside_a_workspace(tmp_path, path):
    for name, addition in (("base", ""), ("ours", "- [tool] A wheel\n"), ("theirs", "- [tool] A kiln\n")):
        (tmp_path / name).write_text(BASE + addition)
    result = memtool("merge", "base", "ours", "theirs", "--path", path, home=tmp_path, cwd=tmp_path)
    if path.startswith("memory/"):
        assert result.returncode == 0, result.stderr
        assert (tmp_path / "ours").read_text() == BASE + "- [tool] A kiln\n- [tool] A wheel\n"
    else:
        assert result.returncode == 1
        assert (tmp_path / "ours").read_text() == BASE + "- [tool] A wheel\n"


def test_two_turns_of_one_number_are_not_combined(tmp_path):
    texts = {"ours": '{\n"a": 1,\n"b": 2\n}\n', "theirs": '{\n"a": 1,\n"c": 3,\n"b": 2\n}\n'}
    for name, text in (texts | {"base": '{\n"a": 0,\n"b": 2\n}\n'}).items():
        (tmp_path / name).write_text(text)
    path = "memory/history/turns/2026/01/02/00000000000000000001.json"
    result = memtool("merge", "base", "ours", "theirs", "--path", path, home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert (tmp_path / "ours").read_text() == texts["ours"]


def test_a_dry_run_writes_nothing_and_a_missing_version_is_an_error(tmp_path):
    for name, text in (("base", BASE), ("ours", BASE), ("theirs", BASE + "- [tool] A kiln\n")):
        (tmp_path / name).write_text(text)
    assert (
        memtool("--dry-run", "merge", "base", "ours", "theirs", home=tmp_path, cwd=tmp_path).returncode == 0
    )
    assert (tmp_path / "ours").read_text() == BASE
    result = memtool("merge", "base", "ours", "missing", home=tmp_path, cwd=tmp_path)
    assert "missing: no such file" in result.stderr
    assert (tmp_path / "ours").read_text() == BASE


def test_a_missing_version_is_a_wrong_command_line(tmp_path):
    (tmp_path / "base").write_text(BASE)
    result = memtool("merge", "base", "base", "missing", home=tmp_path, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (2, "memtool: missing: no such file\n")


def test_a_merge_into_a_memory_file_writes_that_file_and_none_outside(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "memory/semantic/facts.md": BASE})
    for name, text in (("base", BASE), ("theirs", BASE + "- [tool] A kiln\n"), ("outside", "# Memory\n")):
        (tmp_path / name).write_text(text)
    other = memtool(
        "merge",
        "../base",
        "memory/semantic/facts.md",
        "../theirs",
        "--path",
        "MEMORY.md",
        cwd=root,
        home=tmp_path,
    )
    assert (other.returncode, other.stdout) == (2, "")
    assert "--path" in other.stderr
    assert (root / "memory/semantic/facts.md").read_text() == BASE
    (root / "MEMORY.md").symlink_to(tmp_path / "outside")
    link = memtool("merge", "../base", "MEMORY.md", "../theirs", cwd=root, home=tmp_path)
    assert (link.returncode, link.stdout) == (13, "")
    assert (tmp_path / "outside").read_text() == "# Memory\n"
