"""Filesystem events: the observer's threads only queue the path that each event is about."""

from __future__ import annotations

import logging
import os
import queue
import warnings
from collections.abc import Callable

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

from memtool.serve.watch.inotify_limit import limit_reached
from memtool.serve.watch.tree_changes import WHOLE_TREE
from memtool.store.files.listing import is_package_folder

_KINDS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileClosedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
"""Without this filter, watchdog's own reading of folders floods its queue on trees of ten thousand."""


class FileEvents(FileSystemEventHandler):
    """Watches the folders of a tree that can hold memory, and queues the path of each event.

    Paths are relative to the root; a folder that was created, deleted or moved, and lost events, are queued
    as WHOLE_TREE. `wake` is called, on a thread of the observer, after each one.
    """

    def __init__(self, root: str, enters: Callable[[str], bool], wake: Callable[[], None]) -> None:
        self._root = root
        self._enters = enters
        self._wake = wake
        self._paths: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._moved: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._observer = Observer()
        self._watches: dict[str, ObservedWatch] = {}
        self._lost = _Lost(self)

    def start(self) -> None:
        """Start watching; every later event is queued. Raises OSError as `cover` does."""
        logging.getLogger("watchdog").addHandler(self._lost)
        # watchdog warns at length about a folder that was moved away and back, which is no fault
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="watchdog")
        self._observer.start()
        self._watch("", recursive=False)
        self.cover()

    def stop(self) -> None:
        """Stop watching, and wait for the observer's threads."""
        logging.getLogger("watchdog").removeHandler(self._lost)
        self._observer.stop()
        self._observer.join(5.0)

    def cover(self) -> None:
        """Watch each existing folder right under the root that can hold memory, and no other.

        A watch follows its folder when that is renamed, so moved folders are watched again. Raises OSError
        where a limit of the system is reached.
        """
        while not self._moved.empty():
            if watch := self._watches.pop(self._moved.get(), None):
                self._observer.unschedule(watch)
        existing = {
            entry.name
            for entry in os.scandir(self._root)
            if not _is_ignored(entry.name)
            and entry.is_dir(follow_symlinks=False)
            and self._enters(entry.name)
        }
        for name in self._watches.keys() - existing - {""}:
            self._observer.unschedule(self._watches.pop(name))
        for name in existing - self._watches.keys():
            self._watch(name, recursive=True)

    def _watch(self, name: str, *, recursive: bool) -> None:
        """Watch a folder, or log why it cannot be watched; searches see its changes all the same.

        Raises OSError where a limit of the system is reached.
        """
        path = os.path.join(self._root, name)
        try:
            self._watches[name] = self._observer.schedule(
                self, path, recursive=recursive, event_filter=_KINDS
            )
        except OSError as error:
            if limit_reached(error) is not None:
                raise
            logging.getLogger(__name__).warning("%s cannot be watched: %s", path, error.strerror or error)

    def take(self) -> set[str]:
        """The paths queued since the last call."""
        paths: set[str] = set()
        while not self._paths.empty():
            paths.add(self._paths.get())
        return paths

    def put(self, path: str) -> None:
        """Queue a path."""
        self._paths.put(path)
        self._wake()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Called by the observer: queue the path, and for a move both."""
        if event.is_directory:
            if event.event_type != "modified":
                self._moved_folder(os.fsdecode(event.src_path), os.fsdecode(event.dest_path))
            return
        for path in (os.fsdecode(event.src_path), os.fsdecode(event.dest_path)):
            if path and not _is_ignored(relative := os.path.relpath(path, self._root)):
                self.put(relative)

    def _moved_folder(self, *paths: str) -> None:
        for path in paths:
            if path and not _is_ignored(os.path.relpath(path, self._root)):
                if os.path.dirname(path) == self._root:
                    self._moved.put(os.path.basename(path))
                self.put(WHOLE_TREE)


def _is_ignored(path: str) -> bool:
    """Whether a path is hidden, or in a folder that is hidden or has installed packages."""
    return any(name.startswith(".") or is_package_folder(name) for name in path.split(os.sep))


class _Lost(logging.Handler):
    """A handler of watchdog's log, which reports lost events there; then the whole tree is compared."""

    def __init__(self, events: FileEvents) -> None:
        super().__init__(logging.WARNING)
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging."""
        self._events.put(WHOLE_TREE)
