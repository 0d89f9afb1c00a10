"""A watcher that ends in the middle of a prompt's hook: the hook handles the prompt, and nothing is lost."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtool.cli.searching import watcher_answers
from memtool.cli.session import Session
from memtool.serve.watch.client import ACCEPTED, SOCKET
from memtool.serve.watch.service import Watcher
from memtool.store.files.disk import Disk
from tests.hooks import context_of, hook, prompt
from tests.trees import opened

__all__ = ["hook"]


@pytest.fixture
def root(tmp_path):
    return tmp_path / "w"


def watch_until(root: Path, at: int, ready: threading.Event) -> None:
    """Run a watcher that is killed before operation number `at` on the disk, from 0, once it is ready."""
    numbers = itertools.count()

    def step(*_: object) -> None:
        if ready.is_set() and next(numbers) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    Disk.step = step
    session = Session()
    session.given = {"root": str(root), "quiet": True}
    indexes = session.search_indexes(wait=30.0)
    Watcher(indexes, watcher_answers(session, indexes)).run(ready.set)


@contextmanager
def killed_watcher(root: Path, at: int) -> Iterator[None]:
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    process = context.Process(target=watch_until, args=(root, at, ready))
    process.start()
    assert ready.wait(30)
    try:
        yield
    finally:
        process.terminate()
        process.join()


def recorded(root: Path) -> int:
    """How often the prompt is recorded after the next writer."""
    with opened(root).lock():
        pass
    assert list((root / ".memtool/queue").glob("*")) == []
    assert not opened(root).disk.temporaries()
    return (root / "SESSION-STATE.md").read_text().count("**: I prefer tea")


@pytest.mark.parametrize("at", [0, 5, 9, 11, 13])
def test_a_prompt_is_recorded_wherever_the_watcher_is_killed(hook, root, at):
    with killed_watcher(root, at):
        assert "1240 degrees" in context_of(hook(prompt("I prefer tea. The kiln?")))
    assert recorded(root) == 1


@pytest.mark.parametrize("step", ["connected", "read", "accepted", "begun", "half a reply"])
def test_a_prompt_is_recorded_whenever_the_watcher_stops_talking(hook, root, monkeypatch, step):
    (root / ".memtool").mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        with monkeypatch.context() as inside:
            inside.chdir(root / ".memtool")  # a path of a socket is at most 107 bytes long
            listener.bind(SOCKET)
        listener.listen()
        talking = threading.Thread(target=talk_until, args=(listener, step))
        talking.start()
        answer = hook(prompt("I prefer tea. The kiln?"))
        talking.join()
    assert "1240 degrees" in context_of(answer)
    assert recorded(root) == 1


def talk_until(listener: socket.socket, step: str) -> None:
    """Talk to a client as a watcher does, and close the connection after a step."""
    client, _ = listener.accept()
    with client:
        if step == "connected":
            return
        client.recv(1 << 16)
        if step == "read":
            return
        client.sendall(ACCEPTED)
        if step == "accepted":
            return
        client.recv(1)
        if step == "half a reply":
            client.sendall(b'{"version": "')


@pytest.mark.parametrize("seconds", ["0.5", "60"])
def test_a_watcher_answers_a_hook_with_a_time_limit(hook, root, monkeypatch, seconds):
    asked: list[float] = []

    def answer(_: str, message: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        asked.append(timeout)
        return {"response": {"text": message["given"]["seconds"]}}

    monkeypatch.setattr("memtool.serve.watch.client.ask", answer)
    assert hook(prompt("The kiln?"), "--seconds", seconds) == seconds.encode()
    assert asked == [min(float(seconds) / 2, 2.5)]
