"""A watcher that is too busy to answer is running all the same, and can be ended."""

import contextlib
import itertools
import json
import os
import signal
import socket
import threading

import pytest

from memtool import __version__
from memtool.core.records.search import SearchArguments
from memtool.serve.watch import client
from memtool.serve.watch.client import ACCEPTED, SOCKET
from memtool.serve.watch.daemon import WatcherCondition, condition, running, start, stop
from memtool.serve.watch.protocol import SearchMessage
from memtool.serve.watch.service import Watcher
from memtool.store.config.sources import integrity_key
from memtool.verbs.indexing.indexes import SearchIndexes
from tests.trees import clean_environment, make, memtool, opened


def test_a_watcher_that_does_not_answer_is_seen_and_ended(tmp_path, monkeypatch):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    assert running(str(root)) is None
    pid = start(str(root), [], clean_environment(tmp_path))
    (root / ".memtool/socket").unlink()  # as if it never came to listen
    try:
        assert running(str(root)) == pid
        assert condition(str(root)) == WatcherCondition(busy=pid)
        with socket.socket(socket.AF_UNIX) as other:  # one of another version there
            monkeypatch.chdir(root)
            other.bind(".memtool/socket")  # a path of a socket is at most 107 bytes long
            other.listen()
            answering = threading.Thread(target=_answer, args=[other])
            answering.start()
            assert condition(str(root)) == WatcherCondition(other=pid)
            answering.join()
        assert stop(str(root)) == pid
    finally:
        if running(str(root)):
            os.kill(pid, signal.SIGKILL)
    assert running(str(root)) is None


@pytest.mark.parametrize(
    "blocks",
    [
        [b'{"version": "'],
        [b"[1, 2]\n"],
        [b"[" * 100_000 + b"\n"],
        [b"\xff\n"],
        [f'{{"version": "{__version__}", "response": [1]}}\n'.encode()],
        [f'{{"version": "{__version__}", "error": 5, "exit": "x"}}\n'.encode()],
        [ACCEPTED, b'{"vers'],
        [],
        itertools.repeat(b"["),
    ],
    ids=["cut", "array", "deep", "bytes", "response", "error", "killed at work", "silent", "dripping"],
)
def test_any_bad_reply_is_no_watcher(tmp_path, monkeypatch, blocks):
    folder = tmp_path / ".memtool"
    folder.mkdir()
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(SOCKET)
        listener.listen()
        answering = threading.Thread(target=_send, args=[listener, blocks])
        answering.start()
        assert client.search(str(tmp_path), SearchArguments("kiln"), {}, timeout=0.3) is None
        answering.join()


def _send(listener, blocks):
    talk, _ = listener.accept()
    with talk, contextlib.suppress(OSError):  # the client is gone
        talk.recv(1 << 12)
        for block in blocks:
            talk.sendall(block)
        if not blocks:
            talk.recv(1)


def test_searches_do_without_a_stopped_watcher(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', "MEMORY.md": "- the kiln is red\n"})
    pid = start(str(root), [], clean_environment(tmp_path))
    os.kill(pid, signal.SIGSTOP)
    try:
        found = memtool("--root", str(root), "search", "kiln", home=tmp_path)
        assert (found.returncode, "MEMORY.md" in found.stdout) == (0, True)
        status = memtool("--root", str(root), "watch", "status", home=tmp_path)
        assert (status.returncode, status.stdout) == (3, f"not answering\t{pid}\n")
    finally:
        assert stop(str(root)) == pid
    assert running(str(root)) is None


def test_a_message_of_a_client_that_gave_up_is_not_worked_on(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    workspace = opened(root)
    indexes = SearchIndexes(workspace, integrity_key(environment, make=True), wait=1.0)
    worked_on = []
    watcher = Watcher(indexes, worked_on.append)
    message = {"version": __version__, "ask": "search", "arguments": ["kiln"], "environment": {}}
    client_end, served = socket.socketpair()
    client_end.sendall(json.dumps(message).encode() + b"\n")
    client_end.close()
    watcher.serve(served)
    assert worked_on == []
    for goes in (b"", client.GO):
        client_end, served = socket.socketpair()
        client_end.sendall(json.dumps(message).encode() + b"\n")
        asking = threading.Thread(target=watcher.serve, args=[served])
        asking.start()
        assert client_end.recv(1) == ACCEPTED
        client_end.sendall(goes) if goes else client_end.shutdown(socket.SHUT_WR)
        asking.join()
        client_end.close()
    assert worked_on == [SearchMessage(__version__, SearchArguments("kiln"), {})]


def _answer(other):
    talk, _ = other.accept()
    with talk:
        talk.recv(1 << 12)
        talk.sendall(json.dumps({"version": "0.0", "mismatch": True}).encode() + b"\n")
