"""Building segments on several cores: this process reads, and shares the building with forked workers."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Generic, Protocol, TypeVar

from memtool.index.engine import DocumentRecord

_BATCH = 40_000
"""Characters that are handed over at once: encoded, they mostly fit into a pipe, so that nobody waits."""
_MOST_WORKERS = 3
"""Workers besides this process, which hardly reads faster than four build; each takes some 50 MB."""
_MOST_WAITING = 2
"""Batches that a worker has at a time: one in work, one in its pipe."""
_MOST_POSTINGS = 8_000_000
"""Postings of a segment: 32 MB in memory, of some 45 MB of text."""
_LENGTH = 8


Segment = TypeVar("Segment")
"""A segment of an engine's index, which can be pickled."""


class SegmentMaker(Protocol[Segment]):
    """Makes one segment of the documents that it is given; `size` counts their postings."""

    size: int

    def add(self, record: DocumentRecord) -> None:
        """Add a document."""
        ...

    def finish(self) -> list[Segment]:
        """The segment of what was added; none if nothing was."""
        ...


class SegmentWorkers(Generic[Segment]):
    """Builds segments of documents: alone while they are few, and after `alone` characters with workers.

    Workers are forked where a fork is safe, which it is not beside other threads, and only on Linux.
    """

    def __init__(self, new: Callable[[], SegmentMaker[Segment]], alone: int) -> None:
        self._alone = alone
        self._new = new
        self._own = _Segments(new)
        self._workers: list[_Worker[Segment]] = []
        self._most = _worker_count()
        self._batch: list[DocumentRecord] = []
        self._batch_size = self._total = 0
        self.lost: set[str] = set()

    def add(self, record: DocumentRecord) -> None:
        """Index a document. Raises whatever building raises."""
        self._batch.append(record)
        size = sum(len(chunk.text) for chunk in record.chunks)
        self._batch_size += size
        self._total += size
        if self._batch_size >= _BATCH:
            self._hand_over()

    def finish(self) -> Iterator[Segment]:
        """The segments of what was added, one after another, so that the caller can release each.

        Afterwards `lost` has the paths of documents that were lost with their worker.
        """
        self._hand_over()
        for worker in self._workers:
            worker.end()
        segments = self._own.finish()
        while segments:
            yield segments.pop()
        for worker in self._workers:
            built = worker.result()
            if built is None:
                self.lost |= worker.paths
            while built:
                yield built.pop()
        self._workers = []

    def cancel(self) -> None:
        """End the workers; what they wrote is in no table of contents, and the next commit deletes it."""
        for worker in self._workers:
            worker.kill()
        self._workers = []

    def _hand_over(self) -> None:
        batch, self._batch, self._batch_size = self._batch, [], 0
        if self._total >= self._alone and len(self._workers) < self._most:
            try:
                self._workers.append(_Worker(self._new, self._workers))
            except OSError:  # the system has no more processes or pipes
                self._most = len(self._workers)
        for worker in self._workers:
            if worker.takes(batch):
                return
        self._own.add(batch)


def _worker_count() -> int:
    """How many workers may be started beside this process."""
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return min(_MOST_WORKERS, len(os.sched_getaffinity(0)) - 1) if is_safe else 0


class _Segments(Generic[Segment]):
    """Segments of bounded size."""

    def __init__(self, new: Callable[[], SegmentMaker[Segment]]) -> None:
        self._new = new
        self._builder = new()
        self._finished: list[Segment] = []

    def add(self, records: Iterable[DocumentRecord]) -> None:
        for record in records:
            self._builder.add(record)
            if self._builder.size >= _MOST_POSTINGS:
                self._finished += self._builder.finish()
                self._builder = self._new()

    def finish(self) -> list[Segment]:
        finished, self._finished = [*self._finished, *self._builder.finish()], []
        self._builder = self._new()
        return finished


class _Worker(Generic[Segment]):
    """A forked process that builds segments of the batches it is sent.

    It ends when its pipe does: with its result after an empty batch, with none if this process died.
    """

    def __init__(self, new: Callable[[], SegmentMaker[Segment]], others: list[_Worker[Segment]]) -> None:
        """Fork the worker; `others` have pipes that it must not hold open. Raises OSError."""
        self.paths: set[str] = set()
        self._waiting = 0
        self._has_ended = False
        pipes: list[int] = []
        # the worker never takes an interrupt from the terminal: its parent decides
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            self._process = os.fork()
        except OSError:
            for handle in pipes:
                os.close(handle)
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            raise
        theirs, requests, replies, results = pipes
        if self._process == 0:
            status = 1
            with contextlib.suppress(BaseException):  # the parent sees that there is no result
                for handle in (requests, replies, *(end for other in others for end in other.ends())):
                    os.close(handle)
                with open(theirs, "rb") as incoming, open(results, "wb", buffering=0) as outgoing:
                    _serve(new, incoming, outgoing)
                status = 0
            os._exit(status)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        os.close(theirs)
        os.close(results)
        self._requests: BinaryIO | None = open(requests, "wb", buffering=0)  # noqa: SIM115
        self._replies = io.FileIO(replies)

    def ends(self) -> list[int]:
        """This process's ends of the pipes."""
        requests = [] if self._requests is None else [self._requests.fileno()]
        return [*requests, self._replies.fileno()]

    def takes(self, batch: list[DocumentRecord]) -> bool:
        """Hand over a batch, if the worker has time for it. Of one that died, nothing is sent any more."""
        while self._waiting and select.select([self._replies], [], [], 0)[0]:
            if not self._replies.read(1):
                self._close()
                break
            self._waiting -= 1
        if self._requests is None or self._waiting >= _MOST_WAITING:
            return False
        self.paths.update(record.path for record in batch)
        self._waiting += 1
        try:
            _send(self._requests, pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        except BrokenPipeError:
            self._close()
        return True

    def end(self) -> None:
        """Say that nothing follows."""
        if self._requests is not None:
            with contextlib.suppress(BrokenPipeError):
                _send(self._requests, b"")
            self._close()

    def result(self) -> list[Segment] | None:
        """The worker's segments, once it has ended; None if it died."""
        built: list[Segment] | None = None
        with self._replies, io.BufferedReader(self._replies) as replies:
            replies.read(self._waiting)
            with contextlib.suppress(EOFError, pickle.UnpicklingError):  # it died before the end
                built = pickle.load(replies)  # noqa: S301 - from the process that was forked
        return built if self._wait() == 0 else None

    def kill(self) -> None:
        """End the worker at once, if it has not ended."""
        self._close()
        self._replies.close()
        if not self._has_ended:
            os.kill(self._process, signal.SIGKILL)
            self._wait()

    def _wait(self) -> int:
        _, status = os.waitpid(self._process, 0)
        self._has_ended = True  # its number may be another process's now
        return status

    def _close(self) -> None:
        if self._requests is not None:
            self._requests.close()
            self._requests = None


def _send(pipe: BinaryIO, content: bytes) -> None:
    _write(pipe, len(content).to_bytes(_LENGTH, "big") + content)


def _write(pipe: BinaryIO, content: bytes) -> None:
    """Write all of a content: one write of a pipe may end early, such as when the process is stopped."""
    view = memoryview(content)
    while view:
        view = view[pipe.write(view) :]


def _serve(new: Callable[[], SegmentMaker[Any]], incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Build segments of the batches that come in, answer each with a byte, and the empty one with all."""
    segments = _Segments(new)
    while True:
        content = incoming.read(int.from_bytes(_exactly(incoming, _LENGTH), "big"))
        if not content:
            with io.BufferedWriter(outgoing) as writer:
                pickler = pickle.Pickler(writer, pickle.HIGHEST_PROTOCOL)
                pickler.fast = True  # a segment has no object twice, and remembering them takes 20 MB
                pickler.dump(segments.finish())
            return
        segments.add(pickle.loads(content))  # noqa: S301 - from the process that forked this one
        outgoing.write(b".")


def _exactly(pipe: BinaryIO, length: int) -> bytes:
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content
