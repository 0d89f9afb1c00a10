"""The private folder: opened once and without following links; of its files only regular ones are opened."""

from __future__ import annotations

import fcntl
import os
import socket
import stat

import pytest

from memtool.errors import Locked, MemtoolError, OutsideWorkspace
from memtool.serve.watch import client, daemon
from memtool.store import lock
from memtool.store.files import derived, private
from tests.trees import clean_environment, make, opened


def test_it_is_made_private_and_hidden_from_git(tmp_path):
    with private.opened(str(tmp_path), "inner") as handle:
        assert os.path.samestat(os.fstat(handle), (tmp_path / ".memtool/inner").stat())
    for folder in (".memtool", ".memtool/inner"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700
    assert (tmp_path / ".memtool/.gitignore").read_text() == "*\n"


def test_a_missing_one_is_made_only_on_demand(tmp_path):
    with pytest.raises(FileNotFoundError), private.opened(str(tmp_path), make=False):
        raise AssertionError
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [".memtool", ".memtool/inner"])
@pytest.mark.parametrize("kind", ["link", "dangling link", "file", "pipe"])
def test_nothing_else_stands_for_a_folder(tmp_path, name, kind):
    root, outside = make(tmp_path / "w", {}), make(tmp_path / "outside", {})
    (root / name).parent.mkdir(exist_ok=True)
    plant(root / name, kind, outside)
    with (
        pytest.raises(OutsideWorkspace, match="is not a folder; remove it"),
        private.opened(str(root), "inner"),
    ):
        raise AssertionError
    assert not list(outside.iterdir())


def test_a_link_put_in_its_place_in_mid_command_leads_nowhere(tmp_path):
    root, outside = make(tmp_path / "w", {}), make(tmp_path / "outside", {})
    with private.opened(str(root), "inner") as handle:
        (root / ".memtool").rename(tmp_path / "away")
        (root / ".memtool").symlink_to(outside)
        os.close(private.open_file(handle, "new", os.O_WRONLY | os.O_CREAT))
    assert (tmp_path / "away/inner/new").exists()
    assert not list(outside.iterdir())


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="a socket has no path by a handle")
def test_a_socket_is_bound_in_the_folder_that_was_opened(tmp_path):
    root, outside = make(tmp_path / ("deep" * 30), {}), make(tmp_path / "outside", {})
    with private.opened(str(root)) as folder, socket.socket(socket.AF_UNIX) as listener:
        (root / ".memtool").rename(tmp_path / "away")
        (root / ".memtool").symlink_to(outside)
        listener.bind(client.address(folder, str(root)))
        listener.listen()
        assert client.ask(str(root), {"ask": "status"}) is None
    assert (tmp_path / "away/socket").exists()
    assert not list(outside.iterdir())


def plant(path, kind, target):
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "file":
        path.write_text("x")
    else:
        path.symlink_to(target if kind == "link" else path.parent / "nowhere")


def lock_it(root):
    with lock.hold(str(root), 0.0):
        raise AssertionError


def journal_it(root):
    """A journal that cannot be written stops no commit; its failure is reported."""
    workspace = opened(root)
    reports = []
    workspace.say = reports.append
    with workspace.journal.recording((), ["j-1"]):
        pass
    raise OutsideWorkspace(reports[0])


PLACES = {
    "lock": lock_it,
    "watch.lock": lambda root: daemon.hold_watcher_lock(str(root)).__enter__(),
    "watch.pid": lambda root: daemon.hold_watcher_lock(str(root)).__enter__(),
    "watch.log": lambda root: daemon.start(str(root), [], clean_environment(root)),
    "journal/00000001.jsonl": journal_it,
}


@pytest.mark.parametrize("kind", ["pipe", "link", "dangling link"])
@pytest.mark.parametrize("name", PLACES)
def test_nothing_else_stands_for_a_file_and_nothing_waits_for_it(tmp_path, name, kind):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    target = tmp_path / "target"
    target.write_text("theirs")
    (root / ".memtool" / name).parent.mkdir(parents=True)
    plant(root / ".memtool" / name, kind, target)
    with pytest.raises(OutsideWorkspace, match="not a file; remove it"):
        PLACES[name](root)
    assert target.read_text() == "theirs"
    assert daemon.condition(str(root)).process is None


@pytest.mark.parametrize("kind", ["pipe", "link", "dangling link"])
def test_what_stands_for_a_derived_file_is_replaced(tmp_path, kind):
    root, target = make(tmp_path / "w", {".memtool/.gitignore": "*"}), tmp_path / "target"
    target.write_text("theirs")
    plant(root / ".memtool/file", kind, target)
    assert derived.read(str(root), "file") is None
    derived.write(str(root), "file", b"ours")
    assert derived.read(str(root), "file") == b"ours"
    assert target.read_text() == "theirs"


def test_temporary_files_of_dead_writers_are_swept_and_those_of_living_ones_stay(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', ".memtool/unfinished/1-1": "dead"})
    living = root / ".memtool/unfinished/2-2"
    with living.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with opened(root).lock():
            assert [*living.parent.iterdir()] == [living]
    derived.write(str(root), "lint/kept", b"new")
    assert derived.read(str(root), "lint/kept") == b"new"
    with opened(root).lock():
        assert not [*living.parent.iterdir()]


def test_the_lock_is_waited_for_and_free_again(tmp_path):
    child = os.fork()
    if not child:
        os._exit(_hold_until_told(tmp_path))
    while not (tmp_path / "held").exists():
        os.sched_yield()
    with pytest.raises(Locked), lock.hold(str(tmp_path), 0.05):
        raise AssertionError
    (tmp_path / "go").touch()
    with lock.hold(str(tmp_path), 30.0):
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with lock.hold(str(tmp_path), 0.0):
        pass


def _hold_until_told(folder):
    try:
        with lock.hold(str(folder), 1.0):
            (folder / "held").touch()
            while not (folder / "go").exists():
                os.sched_yield()
    except (OSError, MemtoolError):
        return 1
    return 0


def test_a_folder_removed_under_a_waiting_writer_is_made_anew(tmp_path):
    with lock.hold(str(tmp_path), 0.0):
        (tmp_path / ".memtool").rename(tmp_path / "away")
    with lock.hold(str(tmp_path), 0.0):
        assert (tmp_path / ".memtool/lock").exists()
