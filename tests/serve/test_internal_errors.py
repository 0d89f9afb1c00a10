"""Bugs in threads of servers: one sentence and the exit code of a bug, no traceback."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator

import pytest

from memtool.errors import InternalError
from memtool.serve.internal_errors import thread_errors
from memtool.serve.watch.service import Watcher
from memtool.verbs.indexing.indexes import SearchIndexes
from tests.trees import make, opened


def die() -> None:
    thread = threading.Thread(target=lambda: {}["a bug"])
    thread.start()
    thread.join()


def test_a_thread_that_dies_is_reported_without_a_traceback_and_without_its_words(capsys):
    errors: list[InternalError] = []
    before = threading.excepthook
    with thread_errors(errors.append):
        die()
    assert threading.excepthook is before
    [error] = errors
    assert str(error).startswith("internal error: KeyError at ")
    assert "a bug;" not in str(error)
    assert error.exit_code == 70
    assert capsys.readouterr() == ("", "")


def test_an_mcp_server_ends_as_a_bug_does_where_a_thread_of_it_dies(capfd):
    from memtool.serve.mcp.stdio import run_over_stdio

    async def serve(*_: object) -> None:
        die()
        await asyncio.Event().wait()

    source, client = os.pipe()
    with open(os.devnull, "wb") as sink, pytest.raises(InternalError, match="KeyError at "):
        asyncio.run(run_over_stdio(serve, source, sink.fileno()))
    os.close(client)
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def handled_signals() -> Iterator[None]:
    """Restore the handlers of signals, which a watcher sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    signal.set_wakeup_fd(-1)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handled_signals")
def test_a_watcher_whose_observer_dies_ends_as_a_bug_does(tmp_path, capfd):
    workspace = opened(make(tmp_path / "w", {"MEMORY.md": "# Long-term memory\n"}), "native")
    indexes = SearchIndexes(workspace, bytes(32), wait=1.0)
    watcher = Watcher(indexes, lambda _: pytest.fail("nobody asks"))
    with pytest.raises(InternalError, match="KeyError at "):
        watcher.run(die)
    assert "Traceback" not in capfd.readouterr().err
    assert not (tmp_path / "w/.memtool/socket").exists()
