"""Limits of inotify: a watcher that reaches one names the command that raises it, and misses no change.

Each limit is set in a user namespace, so that no other process has it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.serve.watch.client import ask
from memtool.serve.watch.daemon import LOG_FILE
from memtool.serve.watch.inotify_limit import limit_reached
from memtool.store.files.queue import QUEUE_FOLDER
from tests.serve.watch.test_watch import Watched, until
from tests.trees import clean_environment, make, memtool

FILES = {
    "memory/notes/inbox/a.md": "The pilot boat is red.\n",
    "memory/notes/.git/b.md": "The pilot boat is hidden.\n",
    "memory/notes/node_modules/c/c.md": "The pilot boat is installed.\n",
}
SET_LIMIT = 'echo "$2" > /proc/sys/user/max_inotify_$1 && shift 2 && exec "$@"'


def in_new_namespace(kind, value, *command, **more):
    """Run a command with a limit of its own."""
    enter = ["unshare", "--user", "--map-root-user", "sh", "-c", SET_LIMIT, "sh", kind, str(value)]
    return subprocess.run([*enter, *command], check=False, capture_output=True, text=True, **more)


class Limited(Watched):
    """A workspace whose watcher has a limit of its own."""

    def start(self, kind, value):
        """Start the watcher."""
        command = [sys.executable, "-m", "memtool", "--root", str(self.root), "watch", "--daemon"]
        started = in_new_namespace(kind, value, *command, env=clean_environment(self.home))
        assert started.returncode == 0, started.stderr

    def set_limit(self, kind, value):
        """Give the watcher another limit."""
        enter = ["nsenter", "--user", "--preserve-credentials", "--target", str(self.pid)]
        command = [*enter, "sh", "-c", SET_LIMIT, "sh", kind, str(value), "true"]
        subprocess.run(command, check=True, capture_output=True)

    @property
    def queues(self):
        """The queues of inotify that the watcher holds."""
        handles = [os.readlink(path) for path in Path(f"/proc/{self.pid}/fd").iterdir()]
        return handles.count("anon_inode:inotify")

    @property
    def limit(self):
        reply = ask(str(self.root), {"ask": "status"})
        assert reply is not None
        return reply["limit"]


@pytest.fixture
def limited(tmp_path):
    if not shutil.which("unshare") or in_new_namespace("watches", 1, "true").returncode:
        pytest.skip("this system does not allow a user namespace with limits of its own")
    root = make(tmp_path / "w", FILES)
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    limited = Limited(root, tmp_path)
    yield limited
    limited.run("watch", "stop")


@pytest.mark.parametrize("kind", ["watches", "instances"])
def test_a_limit_is_shown_everywhere_with_the_command_that_raises_it(limited, kind):
    limited.start(kind, 0)
    raised = json.loads(limited.run("watch", "status", "--json").stdout)["limit"]
    setting, command = f"user.max_inotify_{kind}", raised["command"]
    assert (raised["setting"], raised["value"]) == (setting, 0)
    assert command.startswith(f"sudo sysctl {setting}=")
    shown = f"limit\t{setting} = 0\t{command}\n"
    assert limited.run("watch", "status").stdout == f"running\t{limited.pid}\n{shown}"
    sentence = f"the limit on inotify {kind} has been reached ({setting} = 0)"
    assert f"{sentence}: {command}\n" in limited.run("status").stdout
    assert json.loads(limited.run("status", "--json").stdout)["watcher"]["limit"] == raised
    checks = map(json.loads, limited.run("doctor", "--json").stdout.splitlines())
    check = next(check for check in checks if check["check"] == "watcher")
    assert (check["state"], check["run"]) == ("note", command)
    assert sentence in check["detail"]
    log = (limited.root / ".memtool" / LOG_FILE).read_text()
    assert log.count(sentence) == 1
    assert log.count(command) == 1


def test_a_change_is_indexed_and_found_without_a_watch(limited):
    limited.start("watches", 3)
    assert limited.queues == 0
    inbox = limited.root / "memory/notes/inbox"
    limited.indexes(lambda: make(inbox, {"d.md": "The pilot boat is green.\n"}))
    assert limited.finds("pilot").splitlines() == [
        "memory/notes/inbox/a.md:1: The pilot boat is red.",
        "memory/notes/inbox/d.md:1: The pilot boat is green.",
    ]
    (inbox / "d.md").write_text("The pilot boat is blue.\n")
    assert limited.finds("blue") == "memory/notes/inbox/d.md:1: The pilot boat is blue.\n"


def test_an_event_that_a_hook_queues_later_is_dealt_with_without_a_watch(limited):
    def is_taken(number):
        make(limited.root, {f"{QUEUE_FOLDER}/{number:020}-a": "no valid event\n"})
        return lambda: not (limited.root / QUEUE_FOLDER / f"{number:020}-a").exists()

    is_first_taken = is_taken(1)
    limited.start("watches", 0)
    until(is_first_taken, "the watcher left what was queued before its start")
    for number in range(2, 4):  # the first quiet moment after the start may take one of them
        until(is_taken(number), "the watcher left what was queued later")


@pytest.mark.parametrize("has_hard_link", [False, True])
def test_a_watcher_without_a_watch_stops_when_its_tree_is_deleted(limited, has_hard_link):
    if has_hard_link:
        os.link(limited.root / "MEMORY.md", limited.root.parent / "link.md")
    limited.start("watches", 0)
    pid = limited.pid
    limited.root.rename(limited.root.parent / "moved")
    until(lambda: not is_running(pid), "the watcher did not stop")
    log = limited.root.parent / "moved/.memtool" / LOG_FILE
    assert log.read_text().count("\n") <= 4


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_observer_of_a_tree_with_a_hard_link_reaches_it_too(limited):
    os.link(limited.root / "MEMORY.md", limited.root.parent / "link.md")
    limited.start("watches", 1)
    assert limited.limit["setting"] == "user.max_inotify_watches"
    note = limited.root / "memory/notes/inbox/d.md"
    limited.indexes(lambda: note.write_text("The pilot boat is green.\n"))
    assert "green" in limited.finds("green")


def test_hidden_folders_and_packages_take_no_watch(limited):
    limited.start("watches", 3)
    needed = limited.limit["needed"]
    shutil.rmtree(limited.root / "memory/notes/.git")
    shutil.rmtree(limited.root / "memory/notes/node_modules")
    limited.run("watch", "stop")
    limited.start("watches", 3)
    assert limited.limit["needed"] == needed


def test_with_the_limit_that_is_needed_all_folders_are_watched_again(limited):
    limited.start("watches", 3)
    limited.set_limit("watches", limited.limit["needed"] - 1)
    until(lambda: limited.limit["value"] > 3, "the watcher did not try again")
    limited.set_limit("watches", limited.limit["needed"])
    until(lambda: limited.limit is None, "the watcher still reaches a limit")
    assert limited.queues == 1
    assert limited.run("watch", "status").stdout == f"running\t{limited.pid}\n"


def test_an_error_that_is_no_limit_is_none():
    assert limit_reached(PermissionError(13, "denied")) is None
