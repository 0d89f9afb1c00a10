"""The watcher, as a real process: it sees every kind of change, and never makes an answer worse."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtool.serve.watch.client import ask
from memtool.serve.watch.daemon import is_alive
from memtool.serve.watch.units import service_definition
from tests.trees import clean_environment, make, memtool

SOON = 30.0
"""Seconds that a busy machine is given; the promise itself is measured by `make bench`."""


def until(done, what):
    deadline = time.monotonic() + SOON
    while not done():
        assert time.monotonic() < deadline, what
        time.sleep(0.005)


class Watched:
    """A workspace with a watcher in the background."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home

    def run(self, *arguments):
        return memtool("--root", str(self.root), *arguments, home=self.home)

    def finds(self, *words):
        return self.run("search", *words).stdout

    @property
    def pid(self):
        return int((self.root / ".memtool" / "watch.pid").read_text())

    def committed(self):
        """A stamp that is another one after each commit of the index."""
        try:
            return (self.root / ".memtool" / "index" / "seal").stat().st_mtime_ns
        except FileNotFoundError:
            return None

    def indexes(self, change):
        """Make a change, and wait until the watcher has indexed it without being asked anything."""
        before = self.committed()
        change()
        until(lambda: self.committed() not in {before, None}, "the watcher did not index the change")


@pytest.fixture
def watched(tmp_path):
    root = make(tmp_path / "w", {"memory/notes/inbox/a.md": "# Harbour\n\nThe pilot boat is red.\n"})
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    watched = Watched(root, tmp_path)
    started = watched.run("watch", "--daemon")
    assert started.returncode == 0, started.stderr
    yield watched
    watched.run("watch", "stop")


def test_it_answers_searches_and_says_so(watched):
    assert watched.finds("pilot") == "memory/notes/inbox/a.md:3: The pilot boat is red.\n"
    assert watched.run("watch", "status").stdout == f"running\t{watched.pid}\n"
    assert f"running, process {watched.pid}" in watched.run("status").stdout
    reply = ask(str(watched.root), {"ask": "status"})
    assert reply is not None
    assert reply["pid"] == watched.pid


def test_it_indexes_every_kind_of_change_by_itself(watched):
    inbox = watched.root / "memory" / "notes" / "inbox"

    def append():
        with (inbox / "a.md").open("a") as file:
            file.write("\nThe anchor is rusty.\n")

    def rename_over():
        (inbox / ".a.md.swp").write_text("# Harbour\n\nThe tug is green.\n")
        (inbox / ".a.md.swp").rename(inbox / "a.md")

    watched.indexes(append)
    assert "anchor" in watched.finds("anchor")
    watched.indexes(rename_over)
    assert watched.finds("anchor") == ""
    assert "tug" in watched.finds("tug")
    watched.indexes(lambda: (inbox / "a.md").rename(inbox / "b.md"))
    assert watched.finds("tug") == "memory/notes/inbox/b.md:3: The tug is green.\n"
    watched.indexes(lambda: inbox.rename(inbox.parent / "zettel"))
    assert watched.finds("tug") == "memory/notes/zettel/b.md:3: The tug is green.\n"
    watched.indexes(lambda: make(watched.root, {"memories/deep/er/c.md": "The buoy blinks.\n"}))
    assert watched.finds("buoy") == "memories/deep/er/c.md:1: The buoy blinks.\n"
    watched.indexes(lambda: shutil.rmtree(watched.root / "memories"))
    assert watched.finds("buoy") == ""


def test_a_folder_that_is_moved_away_and_back_is_still_watched(watched):
    watched.indexes(lambda: (watched.root / "memory").rename(watched.root / "elsewhere"))
    assert watched.finds("pilot") == ""
    watched.indexes(lambda: (watched.root / "elsewhere").rename(watched.root / "memory"))
    assert "pilot" in watched.finds("pilot")
    watched.indexes(lambda: make(watched.root, {"memory/notes/inbox/late.md": "The lighthouse.\n"}))


def test_a_change_is_found_by_the_very_next_search(watched):
    for number in range(10):
        make(watched.root, {"memory/notes/inbox/a.md": f"The boat has number {number}{number}.\n"})
        assert f"number {number}{number}" in watched.finds(f"{number}{number}")


def test_an_index_removed_under_it_is_built_anew(watched):
    shutil.rmtree(watched.root / ".memtool" / "index")
    make(watched.root, {"memory/notes/inbox/n.md": "The keel is oak.\n"})
    assert "keel" in watched.finds("keel")
    assert "pilot" in watched.finds("pilot")


def test_it_ends_when_its_folder_is_removed(watched):
    pid = watched.pid
    shutil.rmtree(watched.root / ".memtool")
    assert "pilot" in watched.finds("pilot")
    until(lambda: not is_alive(pid), "it lives on, and nobody can reach or stop it")


def test_it_ends_when_its_workspace_is_replaced(watched, tmp_path):
    pid = watched.pid
    shutil.copytree(watched.root, tmp_path / "new", ignore=shutil.ignore_patterns(".memtool"))
    watched.root.rename(tmp_path / "old")
    (tmp_path / "new").rename(watched.root)
    until(lambda: not is_alive(pid), "it lives on, and nobody can reach or stop it")


def test_the_end_of_a_watcher_leaves_the_files_of_its_successor(watched, tmp_path):
    pid = watched.pid
    os.kill(pid, signal.SIGSTOP)
    shutil.copytree(watched.root, tmp_path / "new", ignore=shutil.ignore_patterns(".memtool"))
    watched.root.rename(tmp_path / "old")
    (tmp_path / "new").rename(watched.root)
    assert watched.run("watch", "--daemon").returncode == 0
    os.kill(pid, signal.SIGCONT)
    until(lambda: not is_alive(pid), "it lives on, and nobody can reach or stop it")
    assert watched.run("watch", "status").stdout == f"running\t{watched.pid}\n"


def test_it_ends_when_its_workspace_is_gone(watched):
    pid = watched.pid
    shutil.rmtree(watched.root)
    until(lambda: not is_alive(pid), "it lives on")


def test_there_is_one_at_a_time(watched):
    second = watched.run("watch", "--daemon")
    assert second.returncode == 11
    assert "a watcher is already running for" in second.stderr
    assert watched.run("watch").returncode == 11


def test_its_socket_and_files_are_private(watched):
    folder = watched.root / ".memtool"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_it_stops_cleanly_and_leaves_nothing_running(watched):
    pid = watched.pid
    assert watched.run("watch", "stop").stdout == f"stopped\t{pid}\n"
    assert not (watched.root / ".memtool" / "socket").exists()
    assert watched.run("watch", "status").returncode == 1
    assert watched.run("watch", "stop").returncode == 1
    assert "pilot" in watched.finds("pilot")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_it_and_another_can_start(watched, number):
    socket = watched.root / ".memtool" / "socket"
    os.kill(watched.pid, number)
    until(lambda: ask(str(watched.root), {"ask": "status"}) is None, "the watcher did not end")
    if number != signal.SIGKILL:
        until(lambda: not socket.exists(), "the socket was left behind")
    assert "pilot" in watched.finds("pilot")
    assert watched.run("watch", "--daemon").returncode == 0
    assert "pilot" in watched.finds("pilot")


def test_it_survives_what_it_cannot_read(watched):
    inbox = watched.root / "memory" / "notes" / "inbox"
    os.mkfifo(inbox / "pipe.md")
    (inbox / "loop.md").symlink_to("loop.md")
    (inbox / "binary.md").write_bytes(bytes(range(256)) * 50)
    (inbox / "broken.md").write_text("---\n: [\n---\nThe rudder.\n")
    assert "rudder" in watched.finds("rudder")
    assert "pilot" in watched.finds("pilot")
    assert watched.run("watch", "status").returncode == 0


def test_nonsense_on_its_socket_harms_nobody(watched):
    import socket

    for nonsense in (b"", b"\n", b"{}\n", b"[1]\n", b"nope\n", b'{"ask": "search"}\n', b"\xff" * 100 + b"\n"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
            talk.connect(str(watched.root / ".memtool" / "socket"))
            talk.sendall(nonsense)
            talk.shutdown(socket.SHUT_WR)
            talk.settimeout(SOON)
            talk.recv(1 << 16)
    assert "pilot" in watched.finds("pilot")


def test_it_answers_in_the_askers_words(watched):
    assert watched.run("search", "pilot", "--role", "nope").returncode == 2
    bad = watched.run("search", "pilot", "--since", "someday")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "invalid day 'someday'" in bad.stderr
    assert watched.run("search", "nothingofthekind").returncode == 1


def test_a_deep_root_has_a_socket_too(tmp_path):
    root = tmp_path / "/".join(["deep" * 10] * 4)
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    watched = Watched(make(root, {"MEMORY.md": "The bilge pump.\n"}), tmp_path)
    try:
        assert watched.run("watch", "--daemon").returncode == 0
        assert watched.run("watch", "status").returncode == 0
        assert "bilge" in watched.finds("bilge")
    finally:
        watched.run("watch", "stop")


def test_in_the_foreground_it_says_what_it_watches(tmp_path):
    root = tmp_path / "w"
    memtool("init", str(root), "--layout", "native", home=tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "memtool", "--root", str(root), "watch"],
        env=clean_environment(tmp_path), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr.readline() == f"memtool: watching {root}\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=SOON)[1] == ""
    assert process.returncode == 0


def test_a_root_that_may_not_be_listed_is_no_internal_error(tmp_path):
    root = make(tmp_path / "w", {"memory/notes/inbox/a.md": "The pilot boat is red.\n"})
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    prefix = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("file modes do not bind root, and there is no setpriv to become somebody else")
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "memtool", "--root", str(root), "watch"],
        env=clean_environment(tmp_path), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr.readline() == f"memtool: watching {root}\n"
    root.chmod(0)
    try:
        assert process.stderr.readline().endswith(f" {root} cannot be watched: permission denied\n")
    finally:
        root.chmod(0o700)
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=SOON)[1]
    assert "internal error" not in rest
    assert process.returncode == 0


@pytest.mark.parametrize("root", ["/plain", "/with space & <sign>", "/per%cent/$x"])
def test_units_name_the_root_safely(root):
    import plistlib
    import shlex

    listed = plistlib.loads(service_definition("launchd", root).encode())
    assert listed["ProgramArguments"][-2:] == [root, "watch"]
    line = next(
        line for line in service_definition("systemd", root).splitlines() if line.startswith("ExecStart=")
    )
    words = shlex.split(line.partition("=")[2])
    assert words[-2].replace("%%", "%").replace("$$", "$") == root


def test_it_indexes_turns_by_itself(watched):
    def turns():
        folder = watched.root / ".memtool" / "transcripts"
        return (folder / "seal").stat().st_mtime_ns if (folder / "seal").exists() else None

    for number in range(1, 3):  # the first makes the folders, the second finds them there
        before = turns()
        said = json.dumps({"role": "user", "content": f"the capstan {number}"})
        assert (
            memtool("--root", str(watched.root), "append-turn", home=watched.home, stdin=said).stdout
            == f"{number}\n"
        )
        until(lambda before=before: turns() not in {before, None}, "the watcher did not index the turn")
        assert f"capstan {number}" in watched.finds(f"+{number} capstan")
    path = next((watched.root / "memory").rglob(f"{2:020}.json"))
    before = turns()
    path.write_text(path.read_text().replace("capstan", "windlas"))  # in place
    until(lambda: turns() != before, "the watcher did not see the edit")
    assert "windlas 2" in watched.finds("windlas")
    assert "capstan 2" not in watched.finds("capstan")


def test_it_brings_old_turns_up_to_date_at_its_start(tmp_path):
    path = "memory/history/turns/2025/01/15/00000000000000000001.json"
    old = {"id": "turn-1", "seq": 1, "created_at": "2025-01-15T10:30:00Z"}
    old["messages"] = [{"role": "user", "content": "hello"}]
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', path: json.dumps(old)})
    watched = Watched(root, tmp_path)
    assert watched.run("watch", "--daemon").returncode == 0
    try:
        assert json.loads((root / path).read_text())["schema_version"] == 2
    finally:
        watched.run("watch", "stop")
