"""Turns with one number that git brings are renumbered by the next command that writes, with real git."""

from __future__ import annotations

import json
import shutil
import time

import pytest

from memtool.store.files import git_state
from memtool.store.files.disk import Disk
from tests.trees import make, memtool, opened
from tests.verbs.merging.test_finish import TURNS, history, put, turn
from tests.verbs.merging.test_git_driver import PATH, clones, commit, git, pull, run

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
assert clones  # the fixture


def append(folder, home, said, at):
    result = memtool(
        "append-turn",
        home=home,
        cwd=folder / "agent",
        stdin=json.dumps({"role": "user", "content": said}),
        environment={"PATH": PATH, "MEMTOOL_NOW": at},
    )
    assert result.returncode == 0, result.stderr
    return result


def unfinished_merge(clones, home, desk_day="02"):
    """Commit on the laptop a merge of its turns with those of the desk, as git made it."""
    laptop, desk, phone = clones
    append(laptop, home, "first", "2026-01-02T08:00:00Z")
    commit(laptop)
    for folder in (desk, phone):
        pull(folder, laptop)
        run(folder / "agent", home, "save", f"The {folder.name} is new")
        commit(folder)
    append(laptop, home, "laptop 1", "2026-01-02T09:00:00Z")
    commit(laptop)
    append(desk, home, "desk 1", f"2026-01-{desk_day}T10:00:00Z")
    commit(desk)
    pull(laptop, desk)


NUMBERED = {1: "first", 2: "laptop 1", 3: "desk 1"}


@pytest.mark.parametrize(("command", "desk_day"), [("save", "02"), ("scan", "03"), ("append-turn", "02")])
def test_a_clone_that_only_pulls_the_merge_renumbers_with_the_next_command(
    clones, tmp_path, command, desk_day
):
    laptop, desk, phone = clones
    unfinished_merge(clones, tmp_path, desk_day)
    for folder in (desk, phone):
        pull(folder, laptop)
        text = "My name is Nilufar"
        stdin = json.dumps({"role": "user", "content": text}) if command == "append-turn" else text
        result = run(folder / "agent", tmp_path, command, *([text] if command == "save" else []), stdin=stdin)
        assert "after conversation histories were merged" in result.stderr
        assert {number: said for number, said in history(folder / "agent").items() if number < 4} == NUMBERED
        assert "renumbered" not in run(folder / "agent", tmp_path, "save", "The wheel is new").stderr
        assert not (folder / "agent/.memtool/merged").exists()


def test_clones_that_finish_one_merge_by_themselves_end_with_the_same_turns(clones, tmp_path):
    laptop, desk, phone = clones
    unfinished_merge(clones, tmp_path)
    for folder in (desk, phone):
        pull(folder, laptop)
    for folder in clones:
        append(folder, tmp_path, f"{folder.name} 2", "2026-01-04T09:00:00Z")
        commit(folder)
    for folder in (desk, phone, desk):
        pull(laptop, folder)
        append(laptop, tmp_path, f"after {folder.name}", "2026-01-05T09:00:00Z")
        commit(laptop)
        pull(folder, laptop)
    run(laptop / "agent", tmp_path, "save", "The wheel is new")
    run(desk / "agent", tmp_path, "save", "The wheel is new")
    texts = ["first", "laptop 1", "desk 1", "laptop 2", "desk 2", "phone 2"]
    texts += ["after desk", "after phone", "after desk"]
    assert sorted(history(laptop / "agent").values()) == sorted(texts)
    assert history(laptop / "agent") == history(desk / "agent")


@pytest.mark.parametrize("operation", ["checkout", "rebase", "reset", "worktree"])
def test_every_operation_of_git_that_brings_turns_counts(clones, tmp_path, operation):
    laptop, _, phone = clones
    unfinished_merge(clones, tmp_path)
    git(phone, "fetch", "-q", str(laptop), "main:other")
    root = phone / "agent"
    match operation:
        case "checkout":
            git(phone, "checkout", "-q", "other")
        case "rebase":
            git(phone, "rebase", "-q", "other")
        case "reset":
            git(phone, "reset", "-q", "--hard", "other")
        case "worktree":
            git(phone, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"), "HEAD")
            root = tmp_path / "tree/agent"
            run(root, tmp_path, "save", "The wheel is old")
            git(root, "checkout", "-q", "--", ".")
            git(root, "checkout", "-q", "other")
    run(root, tmp_path, "save", "The wheel is new")
    assert history(root) == NUMBERED


class ObservedDisk(Disk):
    """A disk that keeps the paths of the folders that were listed, and of the files that were read."""

    def __init__(self, root):
        super().__init__(root)
        self.folders_listed, self.files_read = [], []

    def list_folder(self, path):
        self.folders_listed.append(str(path))
        return super().list_folder(path)

    def read_files(self, path, names):
        names = [*names]
        self.files_read += [f"{path}/{name}" for name in names]
        return super().read_files(path, names)


def looked_at(root):
    """The folders that the next command that writes lists before its work, and the files that it reads."""
    workspace = opened(root, disk=ObservedDisk)
    with workspace.lock():
        folders = [folder for folder in workspace.disk.folders_listed if folder.startswith(TURNS)]
        return folders, workspace.disk.files_read


def test_a_command_lists_no_turns_until_git_has_written_and_reads_only_the_turns_since(tmp_path):
    root = make(tmp_path / "tree", {"memtool.toml": 'layout = "native"\n'})
    put(root, *(turn(f"{day}", f"2026-01-{day:02}T08:00:00Z", day) for day in range(1, 29)))
    git(root, "init", "-q")
    git(root, "add", "-A")
    assert looked_at(root) == ([], [])  # the first time, the index is recorded
    put(root, turn("new", "2026-01-29T08:00:00Z", 29))
    assert looked_at(root) == ([], [])
    git(root, "add", "-A")
    hour = 3600 * 10**9
    later = [str(time.time_ns() + hour), *git_state.index_stamp(str(root)).split()[1:]]
    git_state.record_index(str(root), " ".join(later))
    listed, read = looked_at(root)
    assert (len(listed), read) == (3, [])  # turns, year and month
    git_state.record_index(str(root), f"{newest_time(root, 28)} 0 0")
    listed, read = looked_at(root)
    assert read == [f"{TURNS}/2026/01/29/{29:020}.json"]
    assert set(listed[3:]) == {f"{TURNS}/2026/01/29", f"{TURNS}/2026/01/28"}
    assert looked_at(root) == ([], [])


def newest_time(root, number):
    """A time after which a turn was written, as far as the check tells times apart."""
    return (root / f"{TURNS}/2026/01/{number:02}").stat().st_ctime_ns + 2_000_000_001


def test_a_damaged_turn_and_a_file_of_git_that_is_none_stop_no_command(tmp_path):
    root = make(tmp_path / "tree", {"memtool.toml": 'layout = "native"\n', ".git": "gitdir: nowhere\0\n"})
    run(root, tmp_path, "save", "The wheel is new")
    (root / ".git").unlink()
    git(root, "init", "-q")
    git(root, "add", "-A")
    run(root, tmp_path, "save", "The wheel is old")
    put(root, turn("a", "2026-01-02T08:00:00Z", 1), turn("b", "2026-01-02T09:00:00Z", 1))
    damaged = root / TURNS / "2026/01/02" / f"{2:020}.json"
    damaged.write_text("{")
    git(root, "add", "-A")
    assert "is not a valid turn" in run(root, tmp_path, "save", "The cup is new").stderr
    damaged.unlink()
    assert "renumbered 2 turns" in run(root, tmp_path, "save", "The cup is old").stderr
    assert history(root) == {1: "a", 2: "b"}
