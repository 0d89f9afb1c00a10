"""The queue of hooks: what finds the workspace locked is recorded once by the next writer, or never lost."""

from __future__ import annotations

import errno
import itertools
import json
import os
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.integrity import sign, verify
from memtool.core.records.entries import Owner
from memtool.errors import (
    DeadlineExceeded,
    Locked,
    StaleWrite,
    UnfinishedCommit,
    UnreadableFile,
    Unwritable,
)
from memtool.store.commit.retry import ATTEMPTS
from memtool.store.files import queue
from memtool.store.files.disk import Disk
from memtool.store.lock import hold
from memtool.store.workspace import Workspace
from memtool.verbs.capture.scan import scan
from memtool.verbs.facts.learn import learn
from memtool.verbs.forgetting.forget import forget
from memtool.verbs.hooks.hook import handle_event
from memtool.verbs.hooks.hook_call import HookOutcome
from memtool.verbs.hooks.hook_queue import load_event
from memtool.verbs.journal.log import LogRequest, log
from memtool.verbs.journal.undo import undo
from tests.hooks import PAGES, claude_log, desk, event, prompt
from tests.trees import NOW, contents, make, memtool, opened

SECRET = "sk-ant-api03-" + "Ab1" * 31 + "AA"


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return make(tmp_path / "w", PAGES)


def hook_while_locked(root: Path, record: dict[str, Any], **more: Any) -> list[str]:
    """Run a hook while another writer has the lock; what it reports."""
    workspace, reply = opened(root), HookOutcome()
    workspace.settings = replace(
        workspace.settings, values={**workspace.settings.values, "lock_timeout": 0.0}
    )
    with hold(str(root), 1.0):
        handle_event(desk(workspace, record, **more), reply)
    return reply.errors


def queued(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((root / ".memtool/queue").glob("*"))}


def write_next(root: Path) -> tuple[Workspace, list[str]]:
    """Run another command that writes; the workspace, and what it reports."""
    workspace, notices = opened(root), list[str]()
    workspace.say = notices.append
    learn(workspace, "correction", "It is 48 mugs", NOW, None)
    return workspace, notices


def state(root: Path) -> str:
    return (root / "SESSION-STATE.md").read_text() if (root / "SESSION-STATE.md").exists() else ""


def test_prompts_are_recorded_once_and_in_order_by_the_next_writer(root):
    assert hook_while_locked(root, prompt("I prefer green tea"))[0].endswith(
        "the event was queued; the next command that writes to the workspace will record it"
    )
    hook_while_locked(root, prompt("I prefer black tea", session_id="s2"))
    assert state(root) == ""
    write_next(root)
    assert queued(root) == {}
    write_next(root)
    lines = [line.partition("**: ")[2] for line in state(root).splitlines() if "**: " in line]
    assert lines == ["I prefer green tea", "I prefer black tea"]
    authors = [line.entry.records[0].author for line in log(opened(root), LogRequest())]
    assert [(author.command, author.session) for author in authors if "hook" in author.command] == [
        ("hook claude-code UserPromptSubmit", "s2"),
        ("hook claude-code UserPromptSubmit", "s1"),
    ]


def test_a_queued_event_is_private_and_says_no_secret_and_nothing_that_is_not_to_be_kept(root):
    text = f"I prefer tea. My key is {SECRET}. Please don't remember this: I love Ada."
    hook_while_locked(root, prompt(text))
    [(name, content)] = queued(root).items()
    assert (root / ".memtool/queue" / name).stat().st_mode & 0o777 == 0o600
    assert b"I prefer tea" in content
    assert SECRET.encode() not in content
    assert b"Ada" not in content


@pytest.mark.parametrize(
    "text",
    [
        "Actually, my name is Odil, not Adil. I prefer green tea. Remember that the kiln is booked.",
        f"Always sign with my first name. The password is {SECRET}.",
        "> I prefer rum\n\nI prefer \u201csmall\u201d cups.\n```\nI prefer code\n```\nI moved to Ghent.",
        "<task-notification>I prefer forged rum</task-notification> I prefer tea.",
    ],
)
def test_a_queued_prompt_leaves_what_the_prompt_itself_leaves(root, tmp_path, text):
    owner = Owner("user", "odil")
    hook_while_locked(root, prompt(text), owner=owner, record_owners={"user": "odil", "session": "s1"})
    with opened(root).lock():
        pass
    direct = make(tmp_path / "direct", PAGES)
    scan(opened(direct), text, now=NOW, owner=owner, triggers=DEFAULT_TRIGGERS, session="s1")
    assert contents(root) == contents(direct)


def test_a_turn_is_imported_once_however_often_its_end_is_queued(root, tmp_path):
    path = claude_log(tmp_path / "log.jsonl", [("How hot?", "1240 degrees.")])
    for answer in ("1240 degrees.", "1240 degrees, as said."):
        hook_while_locked(root, event("Stop", transcript_path=str(path), last_assistant_message=answer))
    assert len(queued(root)) == 2
    write_next(root)
    assert queued(root) == {}
    assert len([*root.rglob("history/turns/**/*.json")]) == 1
    assert (root / "memory/2025-01-15.md").read_text().count("1240 degrees") == 1


def test_the_end_of_a_session_is_done_by_the_next_writer(root, tmp_path):
    path = claude_log(tmp_path / "log.jsonl", [(f"I use glaze {n} for the bowls", "Fine.") for n in range(6)])
    errors = hook_while_locked(root, event("SessionEnd", transcript_path=str(path)))
    assert len(errors) == 1  # the lock is not waited for a second time
    write_next(root)
    assert len([*root.rglob("history/turns/**/*.json")]) == 6
    assert (root / "memory/episodic/2025-01-15-s1.md").exists()


def test_the_same_event_by_way_of_a_watcher_is_queued_once(root):
    for event_id in ("a1", "a1", "a2"):
        hook_while_locked(root, prompt("I prefer green tea"), event_id=event_id)
    assert [name.partition("-")[2] for name in queued(root)] == ["a1", "a2"]


def test_of_two_processes_that_handle_an_event_one_records_it(root):
    hook_while_locked(root, prompt("I prefer green tea"), event_id="a1")
    for event_id in ("a1", "a1", "a2", "a2"):
        reply = HookOutcome()
        handle_event(desk(opened(root), prompt("I prefer green tea"), event_id=event_id), reply)
        assert reply.errors == []
    hook_while_locked(root, prompt("I prefer green tea"), event_id="a2")
    assert write_next(root)[1] == []
    assert queued(root) == {}
    assert state(root).count("**: I prefer green tea") == 2


class LateDisk(Disk):
    """A disk on which the time of a hook is over before operation number `late_at`, from 0."""

    late_at = 0

    def step(self, operation: str, path: PurePosixPath) -> None:
        self.late_at -= 1
        if self.late_at == -1:
            raise DeadlineExceeded


def test_a_prompt_is_recorded_once_at_whichever_operation_its_time_is_over(root, tmp_path):
    queued_later = "the event was queued; the next command that writes to the workspace will record it"
    reported = [f"scan: timed out; {queued_later}"]
    for late_at in itertools.count():
        tree = Path(shutil.copytree(root, tmp_path / str(late_at) / "w"))
        disk = LateDisk(str(tree))
        disk.late_at = late_at
        workspace, reply = opened(tree), HookOutcome()
        workspace.disk = disk
        handle_event(desk(workspace, prompt("I prefer green tea")), reply)
        assert reply.errors == ([] if disk.late_at >= 0 else reported)
        write_next(tree)
        assert state(tree).count("**: I prefer green tea") == 1
        assert queued(tree) == {}
        if disk.late_at >= 0:
            break
    assert late_at > 5


class EditedDisk(Disk):
    """A disk on which a person saves long-term memory right before each time that memtool does."""

    edits = 0

    def step(self, operation: str, path: PurePosixPath) -> None:
        if (operation, path.name) == ("rename", "MEMORY.md"):
            self.edits += 1
            Path(self.root, path).write_text(f"# Edited {self.edits} times\n")


def test_a_prompt_whose_files_change_again_and_again_is_queued(root):
    workspace, reply = opened(root), HookOutcome()
    disk = EditedDisk(str(root))
    workspace.disk = disk
    handle_event(desk(workspace, prompt("I prefer green tea")), reply)
    assert disk.edits >= ATTEMPTS
    [error] = reply.errors
    assert error.startswith("scan: MEMORY.md changed while memtool was working")
    assert error.endswith(
        "; the event was queued; the next command that writes to the workspace will record it"
    )
    assert state(root) == ""
    write_next(root)
    assert state(root).count("**: I prefer green tea") == 1
    assert (root / "MEMORY.md").read_text().count("I prefer green tea") == 1
    assert queued(root) == {}


PATH = PurePosixPath("MEMORY.md")


@pytest.mark.parametrize("records", [False, True])
@pytest.mark.parametrize(
    ("error", "is_conflict"),
    [
        (Locked(PATH, 1.0), True),
        (StaleWrite(PATH), True),
        (UnfinishedCommit("no", "space", is_recorded=True), True),
        (Unwritable("the disk is full"), False),
        (DeadlineExceeded(), False),
        (UnreadableFile("it is a folder"), None),
    ],
)
def test_an_event_is_missed_after_an_error_that_passes(error, is_conflict, records):
    reply = HookOutcome()
    with reply.step("history", "nothing is stored", records=records):
        raise error
    assert reply.failures == [error]
    is_missed = is_conflict is True or (records and is_conflict is False)
    assert (reply.missed is not None) == is_missed
    assert (reply.errors == []) == is_missed


def test_an_answer_that_comes_too_late_records_nothing(root):
    reply = HookOutcome()
    handle_event(desk(opened(root), prompt("I prefer green tea"), until=0.0), reply)
    assert reply.is_late
    assert state(root) == ""
    assert queued(root) == {}


def test_what_memtool_did_not_queue_here_is_set_aside_and_never_recorded(root, tmp_path):
    hook_while_locked(root, prompt("I prefer green tea"))
    [(name, content)] = queued(root).items()
    other = make(tmp_path / "other", PAGES)
    make(other, {f".memtool/queue/{name}": content})  # authentic, but of another workspace
    forged = content.replace(b"green", b"swamp")
    make(other, {f".memtool/queue/{'9' * 20}-00": forged, ".memtool/queue/strange name": b"x"})
    (other / f".memtool/queue/{'8' * 20}-00").mkdir()
    _, notices = write_next(other)
    assert "tea" not in "".join(map(str, contents(other).values()))
    aside = sorted(os.listdir(other / ".memtool/queue.aside"))
    assert aside == sorted([name, f"{'9' * 20}-00", f"{'8' * 20}-00"])
    assert (
        sum(
            "does not contain a valid hook event for this workspace and was moved to .memtool/queue.aside/"
            in one
            for one in notices
        )
        == 3
    )
    assert len(queue.other_files(str(other))) == 4
    assert write_next(other)[1] == []


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../outside", "nowhere", "00000000000000000001-aa"])
def test_a_link_in_the_queue_is_set_aside_and_what_follows_is_recorded(root, target):
    hook_while_locked(root, prompt("I prefer green tea"))
    name = f"{1:020}-aa"
    (root / ".memtool/queue" / name).symlink_to(target)
    make(root, {f".memtool/queue.aside/{name}": "an earlier one"})
    assert load_event(opened(root), name, b"key") is None
    _, [notice] = write_next(root)
    assert notice.endswith(
        f"contain a valid hook event for this workspace and was moved to .memtool/queue.aside/{name}-2"
    )
    assert (root / f".memtool/queue.aside/{name}-2").is_symlink()
    assert queued(root) == {}
    assert "I prefer green tea" in state(root)


class OneUnreadable(Disk):
    """A disk on which one queued event cannot be read."""

    name = ""

    def read_bytes(self, path):
        if PurePosixPath(path).name != self.name:
            return super().read_bytes(path)
        try:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be read: {os.strerror(errno.EMFILE)}") from error


def test_an_event_that_cannot_be_read_now_waits_and_is_recorded_later(root, monkeypatch):
    hook_while_locked(root, prompt("I prefer green tea"))
    [name] = queued(root)
    hook_while_locked(root, prompt("I prefer rye bread"))
    monkeypatch.setattr(OneUnreadable, "name", name)
    workspace, notices = opened(root, disk=OneUnreadable), list[str]()
    workspace.say = notices.append
    learn(workspace, "correction", "It is 48 mugs", NOW, None)
    assert notices == [
        f".memtool/queue/{name} cannot be read: Too many open files; the hook event stays in the queue"
    ]
    assert [*queued(root)] == [name]
    assert "rye bread" in state(root)
    assert queue.other_files(str(root)) == []
    assert write_next(root)[1] == []
    assert state(root).count("I prefer green tea") == 1


def test_an_event_of_a_newer_version_waits_for_it(root):
    hook_while_locked(root, prompt("I prefer green tea"))
    [(name, content)] = queued(root).items()
    key = opened(root).key()
    record = {**json.loads(verify(content, key)), "version": 2, "root": {"of": "another kind"}}
    path = root / ".memtool/queue" / name
    path.write_bytes(sign(json.dumps(record).encode(), key))
    for _ in range(2):
        assert write_next(root)[1] == [
            (
                f".memtool/queue/{name} was queued by a newer version of memtool; update memtool; "
                "the hook event stays in the queue"
            )
        ]
    path.write_bytes(content)
    assert write_next(root)[1] == []
    assert "I prefer green tea" in state(root)


def test_what_cannot_be_set_aside_holds_up_nothing(root, tmp_path):
    hook_while_locked(root, prompt("I prefer green tea"))
    make(root, {f".memtool/queue/{1:020}-aa": "strange"})
    (root / ".memtool/queue.aside").symlink_to(tmp_path)
    _, [notice] = write_next(root)
    assert notice.startswith(
        f".memtool/queue/{1:020}-aa does not contain a valid hook event for this workspace, and "
        "memtool could not move it out of the queue ("
    )
    assert [*queued(root)] == [f"{1:020}-aa"]
    assert "I prefer green tea" in state(root)


def test_a_renamed_workspace_records_what_was_queued_under_its_old_name(root):
    hook_while_locked(root, prompt("I prefer green tea"))
    renamed = root.rename(root.with_name("renamed"))
    assert write_next(renamed)[1] == []
    assert "I prefer green tea" in state(renamed)


def test_a_full_queue_keeps_its_oldest_events_and_says_so(root):
    names = [f"{number:020}-{'0' * 32}" for number in range(queue.MAX_EVENTS)]
    make(root, {f".memtool/queue/{name}": b"x" for name in names})
    errors = hook_while_locked(root, prompt("I prefer green tea"))
    assert "is full; its 1000 hook events are waiting" in errors[0]
    assert errors[1].endswith("and is stored only as part of its turn")
    assert [*queued(root)] == names


def test_nothing_is_queued_incognito(root):
    workspace, reply = opened(root).read_only(), HookOutcome()
    with hold(str(root), 1.0):
        handle_event(desk(workspace, prompt("I prefer green tea")), reply)
    assert not (root / ".memtool/queue").exists()


def test_forget_forgets_what_is_queued(root):
    hook_while_locked(root, prompt("I prefer green tea"))
    workspace = opened(root)
    workspace.writes = False
    [notice] = forget(workspace, ForgetRequest(match="green tea"), NOW).notices
    assert notice == "1 hook event has not been recorded yet and was not searched"
    report = forget(opened(root), ForgetRequest(match="green tea"), NOW)
    assert sum(report.receipt.counts.values()) >= 2
    assert [path for path in root.rglob("*") if path.is_file() and b"green tea" in path.read_bytes()] == []
    hook_while_locked(root, prompt("I prefer green tea"))  # what was forgotten comes back no other way
    write_next(root)
    assert [path for path in root.rglob("*") if path.is_file() and b"green tea" in path.read_bytes()] == []


def test_search_and_a_dry_run_of_forget_say_that_they_do_not_read_the_queue(root, tmp_path):
    commands = (
        ("search", "quince"),
        ("search", "--exact", "quince"),
        ("--dry-run", "forget", "--match", "quince"),
    )
    assert [memtool(*command, home=tmp_path / "home", cwd=root).returncode for command in commands] == [
        1,
        1,
        1,
    ]
    hook_while_locked(root, prompt("I prefer quince"))
    for command in commands:
        done = memtool(*command, home=tmp_path / "home", cwd=root)
        assert done.returncode == 3
        assert "1 hook event has not been recorded yet and was not searched" in done.stderr


def test_undo_takes_back_what_log_shows_last_and_leaves_the_queue_to_the_next_writer(root):
    write_next(root)
    hook_while_locked(root, prompt("I prefer green tea"))
    report = undo(opened(root))
    assert [entry.paths for entry in report.entries] == [("learnings/corrections.md",)]
    assert len(queued(root)) == 1


def test_what_can_never_be_recorded_is_set_aside_and_what_follows_is_recorded(root, tmp_path):
    path = claude_log(tmp_path / "log.jsonl", [("How hot?", "1240 degrees.")])
    hook_while_locked(root, event("Stop", transcript_path=str(path)))
    hook_while_locked(root, prompt("I prefer green tea"))
    path.write_text("no transcript\n")
    [notice] = write_next(root)[1]
    assert notice.startswith("a queued hook event could not be recorded; see .memtool/queue.aside/")
    assert len(queue.other_files(str(root))) == 1
    assert "I prefer green tea" in state(root)


def test_status_and_doctor_tell_what_waits(root, tmp_path):
    hook_while_locked(root, prompt("I prefer green tea"))

    def told(command: str) -> str:
        return memtool("--json", command, home=tmp_path / "home", cwd=root).stdout

    assert json.loads(told("status"))["queued"] == 1
    checks = {line["check"]: line for line in map(json.loads, told("doctor").splitlines())}
    assert checks["queue"]["state"] == "note"
    detail = "1 hook event waiting to be recorded by the next command that writes to the workspace"
    assert checks["queue"]["detail"] == detail
    [name] = queued(root)
    (root / ".memtool/queue" / name).unlink()
    (root / ".memtool/queue" / name).symlink_to("/etc/passwd")
    checks = {line["check"]: line for line in map(json.loads, told("doctor").splitlines())}
    assert checks["queue"]["state"] == "wrong"
    assert checks["queue"]["run"].startswith("ls -l ")
    assert memtool("learn", "error", "it is 5", home=tmp_path / "home", cwd=root).returncode == 0
    assert [*queued(root)] == []
