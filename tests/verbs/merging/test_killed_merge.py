"""A merge driver that is killed at any of its operations on files leaves versions that merge again."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from memtool.core.records.turn import Message, TextPart, Turn, turn_id
from memtool.formats import turn as turn_format
from memtool.store.files.merged_paths import merged_paths
from memtool.store.files.staging import TEMPORARY_SUFFIX
from memtool.verbs.merging.merge import merge_into
from tests.trees import NOW, contents, make, opened

FACTS = "memory/semantic/facts.md"
TURN = f"memory/history/turns/2025/01/15/{1:020}.json"
OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.chmod", "os.truncate"}
"""Python's events for what opens, makes, replaces or removes a file; see sys.addaudithook."""


def turn(said: str) -> str:
    """A turn file of a machine that has numbered it 1."""
    return turn_format.render(
        Turn(turn_id(1), 1, "2025-01-15T10:00:00Z", (Message("user", (TextPart(said),)),))
    )


def facts(*names: str) -> str:
    """A file of facts."""
    return "# Facts\n\n" + "".join(f"- [tool] The {name} is new ^m-{name}\n" for name in names)


VERSIONS = {
    FACTS: (facts("kiln"), facts("kiln", "wheel"), facts("kiln", "lamp")),
    TURN: ("", turn("from the laptop"), turn("from the desk")),
}


def driven(folder: Path, path: str) -> None:
    """Merge the versions beside a tree into its file, as git calls the driver."""
    os.chdir(folder / "tree")
    merge_into("../base", path, "../theirs", path, opened(folder / "tree", "native"), NOW, writes=True)


def is_killed(folder: Path, path: str, limit: int) -> bool:
    """Run the driver in a process that is killed right before operation `limit`; False if it has fewer."""
    child = os.fork()
    if child == 0:
        done = 0

        def stop(event: str, _: object) -> None:
            nonlocal done
            if event in OPERATIONS:
                done += 1
                if done == limit:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(stop)
        code = 1
        try:
            driven(folder, path)
            code = 0
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert status in {0, signal.SIGKILL}
    return status != 0


@pytest.mark.parametrize("path", VERSIONS)
def test_a_driver_killed_at_any_operation_leaves_a_file_that_merges_again(tmp_path, path, monkeypatch):
    base, ours, theirs = VERSIONS[path]

    def prepared(name: str) -> Path:
        return make(
            tmp_path / name,
            {
                "base": base,
                "theirs": theirs,
                f"tree/{path}": ours,
                "tree/memtool.toml": 'layout = "native"\n',
            },
        )

    monkeypatch.chdir(tmp_path)  # restored when the test ends
    whole = prepared("whole")
    driven(whole, path)
    merged = (whole / "tree" / path).read_text()
    assert merged != ours
    limit = 1
    while is_killed(folder := prepared(str(limit)), path, limit):
        assert (folder / "tree" / path).read_text() in {ours, merged}
        driven(folder, path)
        found = {name: text for name, text in contents(folder).items() if not name.endswith(TEMPORARY_SUFFIX)}
        assert found == contents(whole)
        assert merged_paths(str(folder / "tree")).keys() == merged_paths(str(whole / "tree")).keys()
        limit += 1
    assert limit > 10
    assert list(merged_paths(str(whole / "tree"))) == ([TURN] if path == TURN else [])
