"""Two machines with one tree in Syncthing: what both wrote offline is merged, `.memtool` stays."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.syncthing import Instance
from tests.trees import contents, make, memtool


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Instance, Instance]:
    if shutil.which("syncthing") is None:
        pytest.skip("syncthing is not installed: the test with two machines did not run")
    first, second = (Instance(tmp_path / name, make(tmp_path / f"tree-{name}", {})) for name in ("a", "b"))
    for instance in (first, second):
        instance.introduce([first, second])
    return first, second


def run(machine: Instance, *arguments: str, minute: int = 30) -> str:
    now = {"MEMTOOL_NOW": f"2025-01-15T10:{minute}:00Z"}
    result = memtool(*arguments, home=machine.home, cwd=machine.folder, environment=now)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tree(machine: Instance) -> dict[str, bytes]:
    """The files of a machine's folder without those of Syncthing and `.memtool`."""
    return {path: text for path, text in contents(machine.folder).items() if not path.startswith(".st")}


def lines_of(content: bytes) -> Counter[bytes]:
    return Counter(line for line in content.splitlines() if line.strip())


def copies(machine: Instance) -> set[str]:
    return {path for path in tree(machine) if ".sync-conflict-" in path}


def test_what_two_machines_wrote_offline_is_in_both_trees_once(machines):
    first, second = machines
    with first, ExitStack() as stack:
        stack.enter_context(second)
        second.wait_until((second.folder / ".stfolder").exists)
        assert "Syncthing leaves out .memtool" in memtool("init", home=first.home, cwd=first.folder).stderr
        run(first, "scan", "-m", "My name is Odil.")
        run(first, "save", "The studio has two kilns")
        first.scan()
        second.wait_until(lambda: bool(tree(second)) and tree(second) == tree(first))
        assert not (second.folder / ".memtool").exists()
        run(second, "init")
        stack.close()
        for machine, minute, glaze in ((first, 31, "red"), (second, 32, "blue")):
            message = f"Remember that the {glaze} desk is in the office. I prefer {glaze} tea."
            run(machine, "scan", "-m", message, minute=minute)
            run(machine, "save", f"The {glaze} glaze cracks", minute=minute)
            exchange = ("--user-text", f"is it {glaze}?", "--agent-text", f"it is {glaze}")
            run(machine, "append-daily", *exchange, minute=minute)
        written = [contents(machine.folder) for machine in machines]
        first.scan()
        with second:
            second.scan()
            first.wait_until(lambda: bool(copies(first)) and tree(first) == tree(second))
            found = copies(first)
            run(first, "merge", "--conflicts")
            first.scan()
            second.wait_until(lambda: not copies(second) and tree(first) == tree(second))
    merged = tree(first)
    changed = {path for path in merged if path.endswith(".md") and written[0][path] != written[1][path]}
    assert {"MEMORY.md", "SESSION-STATE.md", "memory/2025-01-15.md", "memory/semantic/facts.md"} <= changed
    for path in changed:
        sides = [lines_of(side[path]) for side in written]
        assert lines_of(merged[path]) == sides[0] | sides[1], path
    assert len(found) >= len(changed)
    assert "merge --conflicts" in run(first, "log")
    assert "merge --conflicts" not in run(second, "log")
