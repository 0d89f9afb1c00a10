"""A watcher that is too busy to answer is running all the same, and can be ended."""

import json
import os
import signal
import socket
import threading

from memtool.serve.watch.daemon import WatcherCondition, condition, running, start, stop
from tests.trees import clean_environment, make


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


def _answer(other):
    talk, _ = other.accept()
    with talk:
        talk.recv(1 << 12)
        talk.sendall(json.dumps({"version": "0.0", "mismatch": True}).encode() + b"\n")
