"""Commits are all or nothing: what fails is rolled back, what is killed is taken back by the next writer."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import threading
from pathlib import Path, PurePosixPath

import msgspec
import pytest

from memtool.cli.deadline import TimeLimit
from memtool.core.integrity import sign, verify
from memtool.core.records.document import etag_of
from memtool.core.records.plan import (
    Append,
    Create,
    Move,
    MoveTree,
    Permit,
    Remove,
    RemoveTree,
    Replace,
)
from memtool.errors import DeadlineExceeded, MemtoolError, StaleWrite, UnfinishedCommit, Unwritable
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config.sources import integrity_key
from memtool.store.files.disk import Disk
from memtool.store.files.staging import INTENT_PATH, STAGING_FOLDER
from tests.faulty import SAVED, FaultyDisk, Stopped
from tests.shared_folder import acting_as, folder_for_all
from tests.trees import contents, make, opened

FILES = {
    "memtool.toml": 'layout = "native"\n',
    "log.md": "# Log\nfirst\n",
    "page.md": "old\n",
    "old/name.md": "moved\n",
    "gone.md": "gone\n",
    "tree/a.md": "a\n",
    "tree/b/c.md": "c\n",
    "away/d.md": "d\n",
}


def p(name: str) -> PurePosixPath:
    return PurePosixPath(name)


PLAN = (
    Create(p("new/deep/file.md"), "created\n"),
    Append(p("new/deep/file.md"), "appended to it\n"),
    Append(p("log.md"), "second\n" * 2000),
    Replace(p("page.md"), "new\n", etag_of(b"old\n")),
    Append(p("page.md"), "more\n"),
    Move(p("old/name.md"), p("new/name.md"), etag_of(b"moved\n")),
    Create(p("old/name.md"), "moved\n"),
    Remove(p("gone.md"), etag_of(b"gone\n")),
    MoveTree(p("tree"), p("new/tree")),
    RemoveTree(p("away")),
    MoveTree(p("link"), p("new/deep/link")),
    Permit(p("log.md"), 0o640, 0o600),
)
"""Every kind of change, several of them on the same paths."""


@pytest.fixture
def root(tmp_path):
    root = make(tmp_path / "w", FILES)
    (root / "log.md").chmod(0o600)
    (root / "link").symlink_to("tree/a.md")
    return root


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def state(root):
    links = {
        name: os.readlink(root / name) for name in ("link", "new/deep/link") if (root / name).is_symlink()
    }
    return contents(root), links, (root / "log.md").stat().st_mode, (root / "new").exists()


def commit(root, plan=PLAN, disk=Disk):
    workspace = opened(root, disk=disk)
    with workspace.lock():
        workspace.commit(plan)


def whole(root, tmp_path):
    """The state after the whole plan, and the number of its operations."""
    copy = tmp_path / "whole"
    shutil.copytree(root, copy, symlinks=True)
    disks = []
    commit(copy, disk=lambda folder: disks.append(FaultyDisk(folder)) or disks[-1])
    return state(copy), len(disks[-1].done)


def left_behind(root):
    folder = root / STAGING_FOLDER
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("torn", [False, True])
def test_a_commit_that_is_killed_anywhere_is_taken_back_by_the_next_writer(root, tmp_path, torn):
    before = state(root)
    after, operations = whole(root, tmp_path)
    seen = set()
    for stop_at in range(operations):
        copy = tmp_path / f"stop{stop_at}"
        shutil.copytree(root, copy, symlinks=True)
        with pytest.raises(Stopped):
            commit(copy, disk=lambda folder, k=stop_at: FaultyDisk(folder, k, torn=torn))
        restored = state_after_opening(copy)
        seen.add(restored == after)
        assert restored in (before, after), stop_at
        if restored == before:
            commit(copy)
            assert state(copy) == after, stop_at
        with opened(copy).lock():
            assert left_behind(copy) == []
    assert seen == {True, False}


def state_after_opening(root):
    opened(root)
    return state(root)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EFBIG])
@pytest.mark.parametrize("is_persistent", [False, True])
def test_an_operation_that_fails_leaves_the_tree_as_it_was(root, tmp_path, number, is_persistent):
    before = state(root)
    after, operations = whole(root, tmp_path)
    for fail_at in range(operations):
        copy = tmp_path / f"fail{fail_at}"
        shutil.copytree(root, copy, symlinks=True)
        disk = lambda folder, k=fail_at: FaultyDisk(folder, k, error=number, writes_only=is_persistent)  # noqa: E731
        try:
            commit(copy, disk=disk)
        except Unwritable:
            assert state(copy) == before, fail_at
        else:  # the journal, or what is removed at the end
            assert state(copy) == after, fail_at
        assert not (copy / INTENT_PATH).exists()


def test_what_cannot_be_taken_back_at_once_is_taken_back_by_the_next_writer(root):
    before = state(root)

    class Dying(Disk):
        """A disk that fails for good at the third change."""

        def step(self, operation, path):
            if operation != "compare" and (root / "page.md").read_text() == "new\n":
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(
        UnfinishedCommit, match="the next memtool command that writes files will revert these changes"
    ):
        commit(root, disk=Dying)
    assert state(root) != before
    assert state_after_opening(root) == before


def test_what_was_another_users_is_put_back_when_a_commit_fails(monkeypatch):
    user, other = 4001, 4002
    with folder_for_all() as folder:
        monkeypatch.setenv("HOME", str(folder))
        root = make(folder / "w", {"memtool.toml": 'layout = "native"\n', "a.md": "a\n", "other/b.md": "b\n"})
        for path in (folder, root, root / "memtool.toml"):
            os.chown(path, user, user)
        for path in (root / "a.md", root / "other", root / "other/b.md"):
            os.chown(path, other, other)
        (root / "a.md").chmod(0o644)
        (root / "other").chmod(0o755)
        (root / "other/b.md").chmod(0o644)
        before = contents(root)
        first, second = Replace(p("a.md"), "new\n", etag_of(b"a\n")), Remove(p("other/b.md"), etag_of(b"b\n"))
        with acting_as(user):
            workspace = opened(root, "native", HOME=str(folder))
            with pytest.raises(Unwritable, match=r"other/b\.md"), workspace.lock():
                workspace.commit((first, second))
            with opened(root, "native", HOME=str(folder)).lock():
                pass  # the next writer is not blocked
        assert contents(root) == before
        assert (root / "a.md").stat().st_uid == other


def test_a_commit_takes_back_what_an_earlier_one_left_under_the_same_lock(root):
    before = state(root)

    class Failing(Disk):
        """A disk that fails from the third change until it is repaired."""

        is_repaired = False

        def step(self, operation, path):
            is_third = operation != "compare" and (root / "page.md").read_text() == "new\n"
            if is_third and not self.is_repaired:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    workspace = opened(root, disk=Failing)
    with workspace.lock():
        with pytest.raises(UnfinishedCommit):
            workspace.commit(PLAN)
        assert state(root) != before
        workspace.disk.is_repaired = True
        workspace.commit((Create(p("one.md"), "one\n"),))
    assert contents(root) == {**before[0], "one.md": b"one\n"}
    assert state(root)[1:] == before[1:]


def test_a_time_limit_that_ends_during_a_commit_ends_after_it(root):
    class Slow(Disk):
        """A disk on which the alarm of a time limit goes off at each operation."""

        def step(self, operation, path):
            signal.raise_signal(signal.SIGALRM)

    workspace = opened(root, disk=Slow)
    with pytest.raises(DeadlineExceeded), workspace.lock(), TimeLimit(60, 60):
        workspace.commit(PLAN)
    assert (root / "new/deep/file.md").read_text() == "created\nappended to it\n"
    assert (root / "page.md").read_text() == "new\nmore\n"
    assert left_behind(root) == []


def test_an_alarm_that_another_thread_receives_waits_for_the_end_of_a_commit(root):
    def receive():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        signal.raise_signal(signal.SIGALRM)

    class Slow(Disk):
        def step(self, operation, path):
            other = threading.Thread(target=receive)
            other.start()
            other.join()

    workspace = opened(root, disk=Slow)
    with pytest.raises(DeadlineExceeded), workspace.lock(), TimeLimit(60, 60):
        workspace.commit(PLAN)
    assert (root / "new/deep/file.md").read_text() == "created\nappended to it\n"
    assert left_behind(root) == []


def stopped_before(root, operation):
    """Run the plan and stop before its first operation that begins so."""
    probe = []

    class Stopping(Disk):
        def step(self, name, path):
            if f"{name} {path}".startswith(operation) or probe:
                probe.append(name)
                raise Stopped(operation)

    with pytest.raises(Stopped):
        commit(root, disk=Stopping)


def test_what_a_person_wrote_after_the_kill_stays(root):
    stopped_before(root, "fsync folder")
    (root / "page.md").write_text("by hand\n")
    with (root / "log.md").open("a") as log:
        log.write("by hand\n")
    opened(root)
    assert (root / "page.md").read_text() == "by hand\n"
    assert (root / "log.md").read_text() == FILES["log.md"] + "by hand\n"
    assert (root / "gone.md").read_text() == "gone\n"


def test_a_record_of_another_user_or_tree_is_not_followed(root, tmp_path, monkeypatch):
    stopped_before(root, "fsync folder")
    killed = state(root)
    copy = tmp_path / "clone"
    shutil.copytree(root, copy, symlinks=True)
    assert state_after_opening(copy) == killed  # the same key, and another root
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))
    assert any("the command's changes were not reverted" in notice for notice in opened(root).notices)
    assert state(root) == killed
    assert not (root / INTENT_PATH).exists()


def test_a_forged_record_changes_nothing(root):
    forged = {"type": "remove", "path": "page.md", "kept": "page.md"}
    record = {"root": str(root), "boot": "", "changes": [forged], "journal": None}
    make(root, {str(INTENT_PATH): b"\0" * 32 + msgspec.json.encode(record)})
    before = state(root)
    assert state_after_opening(root) == before


def test_nothing_of_a_failed_commit_is_in_the_journal(root):
    with pytest.raises(StaleWrite):
        commit(root, (Append(p("log.md"), "x\n"), Replace(p("page.md"), "new\n", etag_of(b"other"))))

    class Full(Disk):
        def step(self, operation, path):
            if operation == "append":
                raise OSError(errno.ENOSPC, "no space left on device")

    with pytest.raises(Unwritable, match="it was not changed"):
        commit(root, (Append(p("log.md"), "x\n"),), disk=Full)
    assert [*opened(root).journal.newest_first()] == []


@pytest.mark.parametrize(
    "change", [Replace(p("page.md"), "new\n", etag_of(b"old\n")), Remove(p("page.md"), etag_of(b"old\n"))]
)
def test_what_a_person_saved_in_the_last_moment_survives_a_kill_before_it_is_seen(root, change, tmp_path):
    copy = tmp_path / "whole"
    shutil.copytree(root, copy, symlinks=True)
    probe = FaultyDisk(str(copy))
    commit(copy, (change,), disk=lambda _: probe)
    disk = FaultyDisk(str(root), probe.done.index("compare page.md"), races=True)
    with pytest.raises(Stopped):
        commit(root, (change,), disk=lambda _: disk)
    assert not (root / "page.md").exists() or (root / "page.md").read_text() == "new\n"
    opened(root)
    assert (root / "page.md").read_bytes() == SAVED
    with opened(root).lock():
        assert left_behind(root) == []


def test_a_record_whose_content_was_lost_in_a_power_failure_is_dropped(root):
    make(root, {str(INTENT_PATH): b"", str(STAGING_FOLDER / "1-0"): b"staged\n"})
    before = state(root)
    assert state_after_opening(root) == before
    assert left_behind(root) == []


class SwappingDisk(FaultyDisk):
    """A disk on which a link to a copy takes the place of a folder before operation `swap_at`."""

    def __init__(self, root, name, outside, swap_at):
        super().__init__(root)
        self._place, self._outside, self._swap_at = Path(root, name), outside, swap_at

    def step(self, operation, path):
        if len(self.done) == self._swap_at:
            if self._place.exists():
                shutil.copytree(self._place, self._outside, symlinks=True)
                self._place.rename(self._place.with_name("swapped"))
            else:
                self._outside.mkdir()
            self._place.symlink_to(self._outside)
            self.before = files_in(self._outside)
        super().step(operation, path)


def files_in(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize("name", [".memtool", "new"])
def test_a_folder_that_becomes_a_link_in_mid_command_leads_nowhere(root, tmp_path, name):
    make(root, {".memtool/tmp/x": "x"})
    _, operations = whole(root, tmp_path)
    for swap_at in range(operations):
        copy, outside = tmp_path / f"swap{swap_at}", tmp_path / f"outside{swap_at}"
        shutil.copytree(root, copy, symlinks=True)
        disk = SwappingDisk(str(copy), name, outside, swap_at)
        with contextlib.suppress(MemtoolError):
            commit(copy, disk=lambda _, disk=disk: disk)
        assert files_in(outside) == disk.before, swap_at


def test_one_rename_needs_no_record(root):
    disks = []
    workspace = opened(root, disk=lambda folder: disks.append(FaultyDisk(folder)) or disks[-1])
    for change in (
        Create(p("a.md"), "a\n"),
        Move(p("gone.md"), p("b.md"), etag_of(b"gone\n")),
        RemoveTree(p("tree")),
    ):
        with workspace.lock():
            workspace.commit((change,))
    assert not any("intent" in operation for operation in disks[0].done)


def test_a_stale_write_is_decided_anew(root):
    calls = []

    @retry_when_stale
    def verb(workspace):
        with workspace.lock():
            document = workspace.read(p("page.md"))
            if not calls:  # an editor saves in between
                (root / "page.md").write_text("edited\n")
            calls.append(document.text)
            workspace.commit((Replace(p("page.md"), f"{document.text}more\n", document.etag),))

    verb(opened(root))
    assert calls == ["old\n", "edited\n"]
    assert (root / "page.md").read_text() == "edited\nmore\n"


def test_temporary_files_are_ignored_by_git_and_swept_by_the_next_writer(root):
    with pytest.raises(Stopped):
        commit(
            root,
            (Replace(p("page.md"), "secret\n", etag_of(b"old\n")),),
            disk=lambda folder: FaultyDisk(folder, 2),
        )
    assert left_behind(root)
    assert (root / ".memtool/.gitignore").read_text() == "*\n"
    with opened(root).lock():
        assert left_behind(root) == []


def test_a_folder_that_is_removed_takes_nothing_with_it_that_a_link_in_it_leads_to(root):
    (root / "tree/out").symlink_to("../away")
    commit(root, (RemoveTree(p("tree")),))
    assert not (root / "tree").exists()
    assert (root / "away/d.md").read_text() == "d\n"


def test_a_target_on_another_file_system_has_its_temporary_files_beside_it(root):
    class Volume(Disk):
        """A tree whose folder `tree` is a volume of its own."""

        def _device(self, place):
            return -1 if place.parts[0] == "tree" else super()._device(place)

    plan = (Replace(p("tree/a.md"), "new\n", etag_of(b"a\n")), RemoveTree(p("tree/b")))
    commit(root, plan, disk=Volume)
    assert [path.name for path in (root / "tree").iterdir()] == ["a.md"]
    assert (root / "tree/a.md").read_text() == "new\n"


def test_a_record_that_a_power_failure_brought_back_is_dropped_after_its_commit(root, tmp_path):
    after, _ = whole(root, tmp_path)
    stopped_before(root, f"unlink {INTENT_PATH}")
    key = integrity_key({}, make=False)
    intent = msgspec.json.decode(verify((root / INTENT_PATH).read_bytes(), key))
    earlier = msgspec.json.encode({**intent, "boot": "an earlier one"})
    (root / INTENT_PATH).write_bytes(sign(earlier, key))
    assert state_after_opening(root) == after


def test_paths_are_relative_to_a_root_that_may_be_a_link(root, tmp_path):
    (tmp_path / "alias").symlink_to(root)
    commit(Path(tmp_path / "alias"))
    assert (root / "page.md").read_text() == "new\nmore\n"
