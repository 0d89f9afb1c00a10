"""Events: what happened is named, what was lost is said, and the own folder is never watched."""

from __future__ import annotations

import logging
import threading

import pytest

from memtool.serve.watch.events import WHOLE_TREE, FileEvents
from tests.trees import make

SOON = 10.0


@pytest.fixture
def seen(tmp_path):
    """A tree whose events are waited for and taken."""
    files = ("memory/a.md", "memory/.git/x.md", "memory/node_modules/x/x.md", "other/b.md")
    root = make(tmp_path / "w", dict.fromkeys(files, "text"))
    woken = threading.Event()
    events = FileEvents(
        str(root), lambda folder: folder.partition("/")[0] in {"memory", "memories"}, woken.set
    )
    events.start()

    def take(until):
        paths = set()
        while not until(paths):
            assert woken.wait(SOON), paths
            woken.clear()
            paths |= events.take()
        return paths

    yield root, events, take
    events.stop()


def test_a_change_is_named_by_its_path(seen):
    root, _, take = seen
    (root / "memory" / "a.md").write_text("changed")
    assert take(bool) == {"memory/a.md"}


def test_what_cannot_hold_memory_is_not_watched(seen):
    root, _, take = seen
    for path in ("other/b.md", ".memtool/index/x", "memory/.a.md.swp", "memory/.git/x.md"):
        make(root, {path: "changed"})
    make(root, {"memory/node_modules/x/x.md": "changed"})
    (root / "memory" / "last.md").write_text("x")
    assert take(lambda paths: "memory/last.md" in paths) == {"memory/last.md"}


def test_a_folder_that_comes_later_is_watched_once_covered(seen):
    root, events, take = seen
    (root / "memories").mkdir()
    assert WHOLE_TREE in take(lambda paths: WHOLE_TREE in paths)
    events.cover()
    (root / "memories" / "c.md").write_text("c")
    assert "memories/c.md" in take(lambda paths: "memories/c.md" in paths)


def test_lost_events_mean_that_anything_may_have_happened(seen):
    _, _, take = seen
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; events were lost")
    assert take(bool) == {WHOLE_TREE}


def test_a_folder_that_cannot_be_watched_is_said(tmp_path, caplog):
    events = FileEvents(str(tmp_path / "missing"), lambda folder: True, lambda: None)
    with pytest.raises(FileNotFoundError):
        events.start()
    events.stop()
    assert "missing/ cannot be watched: No such file or directory" in caplog.text
