"""Two machines with one tree in Syncthing: what both wrote offline is merged, `.memtool` stays."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.syncthing import Instance
from tests.trees import make, memtool


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
    """The files of a machine's folder without hidden ones; what vanishes meanwhile is left out."""
    files = {}
    for path in machine.folder.rglob("[!.]*"):
        name = path.relative_to(machine.folder)
        if not name.parts[0].startswith(".") and path.is_file():
            with suppress(FileNotFoundError):
                files[str(name)] = path.read_bytes()
    return files


def are_equal(first: Instance, second: Instance) -> bool:
    """Whether both trees are settled and equal; read twice, as files may change while others are read."""
    return all(first.is_idle() and second.is_idle() and tree(first) == tree(second) for _ in range(2))


def lines_of(content: bytes) -> Counter[bytes]:
    return Counter(line for line in content.splitlines() if line.strip())


def copies(machine: Instance) -> set[str]:
    return {path for path in tree(machine) if ".sync-conflict-" in path}


def test_what_two_machines_wrote_offline_is_in_both_trees_once(machines):
    first, second = machines
    with first, ExitStack() as stack:
        stack.enter_context(second)
        second.wait_until((second.folder / ".stfolder").exists)
        assert "Syncthing now ignores .memtool" in memtool("init", home=first.home, cwd=first.folder).stderr
        run(first, "scan", "-m", "My name is Odil.")
        run(first, "save", "The studio has two kilns")
        first.scan()
        second.wait_until(lambda: bool(tree(second)) and are_equal(first, second))
        assert not (second.folder / ".memtool").exists()
        run(second, "init")
        before = tree(first)
        stack.close()
        for machine, minute, glaze in ((first, 31, "red"), (second, 32, "blue")):
            message = f"Remember that the {glaze} desk is in the office. I prefer {glaze} tea."
            run(machine, "scan", "-m", message, minute=minute)
            run(machine, "save", "--category", "context", f"The studio has a {glaze} kiln", minute=minute)
            exchange = ("--user-text", f"is it {glaze}?", "--agent-text", f"it is {glaze}")
            run(machine, "append-daily", *exchange, minute=minute)
        written = [tree(machine) for machine in machines]
        first.scan()
        with second:
            second.scan()
            first.wait_until(lambda: bool(copies(first)) and are_equal(first, second))
            found = copies(first)
            run(first, "merge", "--conflicts")
            first.scan()
            second.wait_until(lambda: not copies(second) and are_equal(first, second))
    merged = tree(first)
    both_changed = {path for path in before if before[path] not in {side[path] for side in written}}
    assert {"MEMORY.md", "SESSION-STATE.md", "memory/semantic/facts.md"} <= both_changed
    assert len(found) == len(both_changed)
    for path in both_changed:
        sides = [lines_of(side[path]) for side in written]
        assert lines_of(merged[path]) == sides[0] | sides[1], path
    assert "merge --conflicts" in run(first, "log")
    assert "merge --conflicts" not in run(second, "log")
