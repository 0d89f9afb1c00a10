"""The crash law: stop a command at any disk operation, in the middle of a write, or let the operation fail.

Each commit is then there whole or not at all, an error means that nothing was written, and the same command
again gives what it gives without a fault. `make crash` checks every operation, the suite some of them.
"""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest

from memtool.cli.table import COMMANDS as COMMAND_LINE
from memtool.core.facts.salience import Salience, decay_once
from memtool.errors import MemtoolError
from memtool.formats import head
from memtool.formats import salience as salience_format
from memtool.formats import turn as turn_format
from memtool.formats.salience import SalienceFile
from memtool.store.root import PRIVATE_FOLDER
from memtool.store.workspace import Workspace
from tests.commands import COMMANDS, empty, run_append_turn, run_compact, run_on, sample
from tests.faulty import SAVED, Stopped, each_stop
from tests.trees import NOW, contents, opened
from tests.verbs.history.test_upgrade_history import TURNS

LOGS = {
    "learnings-archive",
    "evidence",
    "audit",
    "session-state",
    "session-state-archive",
    "daily-note",
    "working-buffer",
    "session-turns",
}


FAULTS: dict[str, dict[str, Any]] = {
    "stop": {},
    "torn": {"torn": True},
    "raced": {"races": True},
    "full": {"error": errno.ENOSPC, "writes_only": True},
    "input/output": {"error": errno.EIO},
    "quota": {"error": errno.EDQUOT, "torn": True, "writes_only": True},
    "too large": {"error": errno.EFBIG, "torn": True},
}
"""A stop before an operation, one in the middle of its write, and one after a person saved the file that was
just renamed; a disk that is full from then on, an operation that fails once, a quota that is reached in
the middle of a write, and a file that may not grow further."""
_SAMPLED = {"stop": 8, "input/output": 16}
"""Of so many operations of a command the suite checks one; of other kinds of faults one in 10."""
_MOST_SAMPLES = 3
"""Of a command with many operations fewer are checked: about so many of each kind of fault."""
READING = {
    *("replay", "search", "eval", "get", "context", "truncate", "mcp", "log", "trace", "watch", "reindex"),
    *("stats", "doctor", "status", "completion", "help", "episodes"),
    *("fleet", "lsp"),
}
"""Commands that change no file of the tree; the adapters' commands call the verbs of the others."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_crash_law_holds(name, tmp_path):
    law = CrashLaw(name, tmp_path)
    for number, fault in enumerate(FAULTS):
        points = law.points(fault)
        sampled = max(_SAMPLED.get(fault, 10), len(points) // _MOST_SAMPLES)
        for at in points[(len(name) + number) % sampled :: sampled]:
            law.check(fault, at)


def test_every_command_that_writes_is_under_the_crash_law():
    under_law = {name.split()[0] for name in COMMANDS}
    assert {*COMMAND_LINE} - READING <= under_law


class CrashLaw:
    """The crash law for one command: its tree before and after, and the number of its disk operations."""

    def __init__(self, name: str, folder: Path) -> None:
        prepare, self.run = COMMANDS[name]
        self.folder, self.prepared, whole = folder, folder / "prepared", folder / "whole"
        prepare(self.prepared)
        shutil.copytree(self.prepared, whole)
        self.before = contents(whole)
        done = run_on(whole, self.run, None).done
        self.expected = contents(whole)
        self._operations = done
        self.is_one_commit = sum(operation.startswith("journal ") for operation in done) <= 2
        assert self.expected != self.before

    def points(self, fault: str) -> list[int]:
        """The numbers of the operations at which a fault is possible; nobody edits private files."""
        if fault == "raced":
            private = f"compare {PRIVATE_FOLDER}/"
            races = [at for at, name in enumerate(self._operations) if name.startswith("compare ")]
            return [at for at in races if not self._operations[at].startswith(private)]
        operations = ("write ", "append ") if FAULTS[fault].get("torn") else ("",)
        return [at for at, operation in enumerate(self._operations) if operation.startswith(operations)]

    def check(self, fault: str, at: int) -> None:
        """Run the command with a fault at one operation, then without; raises AssertionError."""
        root = self.folder / f"{fault.partition('/')[0]}{at}"
        shutil.copytree(self.prepared, root)
        expects_error, failed = "error" in FAULTS[fault], False
        try:
            run_on(root, self.run, at, **FAULTS[fault])
        except Stopped:
            assert not expects_error
            opened(root, "native")  # takes the unfinished commit back
            if fault == "raced":
                saved = root / self._operations[at].partition(" ")[2]
                assert saved.read_bytes() == SAVED, f"{fault} at {at}: what a person saved is lost"
                shutil.rmtree(root)
                return
        except (MemtoolError, AssertionError):  # a hook reports errors, which its test asserts away
            assert expects_error
            failed = True
        left = contents(root)
        if self.is_one_commit:
            assert not failed or left == self.before, f"{fault} at {at}: something was written"
            assert left in (self.before, self.expected), f"{fault} at {at}: a part was written"
        assert_nothing_half_written(left, self.before, self.expected)
        if not self.is_one_commit or left == self.before:
            run_on(root, self.run, None)
            found = contents(root)
            if self.is_one_commit:
                assert found == self.expected, f"{fault} at {at}: not the same when run again"
            assert_same(opened(root, "native"), found, self.expected)
        settled = contents(root)
        with opened(root, "native").lock():
            pass  # the next writer
        assert contents(root) == settled, f"{fault} at {at}: the next writer does something once more"
        assert not opened(root, "native").disk.temporaries(), f"{fault} at {at}: a temporary file is left"
        shutil.rmtree(root)


def test_a_history_is_a_log_whose_numbers_stay_right_wherever_its_writer_stopped(tmp_path):
    root = tmp_path / "w"
    sample(root)
    for _ in each_stop(root, lambda disk: run_append_turn(opened(root, "native", disk=disk))):
        for path in (root / TURNS).rglob("*.json"):
            turn_format.parse(path.read_text())  # never half a turn
        run_on(root, run_append_turn, None)
        written = sorted(path.stem for path in (root / TURNS).rglob("*.json"))
        assert [int(stem) for stem in written] in ([1, 2, 3, 5], [1, 2, 3, 5, 6])  # 4 is in quarantine
        assert head.parse((root / "memory/history/state/head.json").read_text()).last_seq == int(written[-1])


def test_facts_are_stored_before_the_summary_wherever_compact_stops(tmp_path):
    facts, summary = Path("semantic/captured.md"), Path("journal/2025-01-15.md")
    whole = tmp_path / "whole"
    empty(whole)
    run_on(whole, run_compact, None, layout="q15")
    expected = contents(whole)
    root = tmp_path / "w"
    empty(root)
    for _ in each_stop(root, lambda disk: run_compact(opened(root, "q15", disk=disk))):
        assert not (root / summary).exists() or (root / facts).read_bytes() == expected[str(facts)]
        run_on(root, run_compact, None, layout="q15")
        assert contents(root) == expected


def assert_nothing_half_written(
    left: dict[str, bytes], before: dict[str, bytes], expected: dict[str, bytes]
) -> None:
    for path, content in left.items():
        if not path.endswith(".memtool-tmp"):
            assert content in {before.get(path), expected.get(path)}, f"{path} is neither old nor new"


def assert_same(workspace: Workspace, found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    counts = {str(workspace.layout.path("salience"))}
    assert found.keys() - counts == expected.keys() - counts
    for path, content in found.items():
        located = workspace.role_of(path)
        if located is not None and located.role == "salience":
            whole = salience_format.parse(expected.get(path, b"{}").decode())
            assert_counted(salience_format.parse(content.decode()), whole)
        elif located is not None and located.role in LOGS:
            assert set(content.split(b"\n")) == set(expected[path].split(b"\n")), path
        else:
            assert content == expected[path], path


def assert_counted(found: SalienceFile, expected: SalienceFile) -> None:
    """Each fact as expected, or with the run that was stopped counted too: an access, or a night, more."""
    for name in {*found.facts, *expected.facts}:
        one, whole = found.facts.get(name, Salience()), expected.facts.get(name, Salience())
        assert one.accesses - whole.accesses in {0, 1}, name
        assert one.decay in {whole.decay, decay_once(whole, NOW).decay}, name
