"""A watcher that is too busy to answer is running all the same, and can be ended."""

import os
import signal

from memtool.watch.daemon import running, start, stop
from tests.trees import clean_environment, make


def test_a_watcher_that_does_not_answer_is_seen_and_ended(tmp_path):
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})
    assert running(str(root)) is None
    pid = start(str(root), [], clean_environment(tmp_path))
    (root / ".memtool/socket").unlink()  # as if it never came to listen
    try:
        assert running(str(root)) == pid
        assert stop(str(root)) == pid
    finally:
        if running(str(root)):
            os.kill(pid, signal.SIGKILL)
    assert running(str(root)) is None
