"""What commands cost, in counts that do not depend on the machine: a guard against growth.

Seconds are measured by `make bench`. Here each command runs in a process of its own on a small indexed tree.
Counted are the modules it imports, the regular expressions that it compiles although it ran before, the calls
of memtool's own functions, and the files and folders of the workspace that it opens, lists, creates, renames
or removes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import memtool
from tests.hooks import prompt
from tests.trees import clean_environment, make

EXCHANGE = ["--user-text", "Which glaze?", "--agent-text", "Celadon."]
PACKAGE = Path(memtool.__file__).parent
COUNTS = ("modules", "patterns", "calls", "file operations")
ALLOWANCE = 1.15
"""A count may be this many times the one measured: versions of Python and of libraries differ."""
SMALL = 3
"""What a count may exceed in any case; 15 % of a small count is less than one."""

COMMANDS = {
    "search --exact": (["search", "--exact", "--role", "all", "celadon"], (206, 18, 6041, 8)),
    "--help": (["--help"], (69, 19, 90, 0)),
    "search": (["search", "celadon", "glaze"], (255, 33, 4238, 21)),
    "hook": (["hook"], (359, 22, 9934, 52)),
    "scan": (["scan", "-m", "I prefer green tea."], (217, 9, 4264, 28)),
    "append-daily": (
        ["append-daily", *EXCHANGE],
        (173, 14, 1508, 18),
    ),
}
"""Commands in the order in which they are measured, and what each cost when this was last updated."""

PROBE = """
import json, os, sys
import re  # a hook imports it late or not at all; `re` itself compiles nothing
compiler = re._compiler
package, root, output = sys.argv[1:4]
counts = {"modules": 0, "patterns": 0, "calls": 0, "file operations": 0}
generate = compiler._code  # called once for each pattern that no cache has

def count_pattern(*arguments):
    counts["patterns"] += 1
    return generate(*arguments)

EVENTS = {"open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link"}

def count_operation(event, arguments):
    if event in EVENTS and str(arguments[0]).startswith(root):
        counts["file operations"] += 1

def count_call(frame, event, _):
    code = frame.f_code
    # Python 3.12 and later run these comprehensions without a call
    if event == "call" and code.co_filename.startswith(package) and not code.co_name.endswith("comp>"):
        counts["calls"] += 1

before = {*sys.modules}
compiler._code = count_pattern
sys.addaudithook(count_operation)
sys.argv = ["memtool", *sys.argv[4:]]
from memtool.__main__ import main
sys.setprofile(count_call)
try:
    main()
finally:
    sys.setprofile(None)
    counts["modules"] = len({*sys.modules} - before)
    with open(output, "w") as file:
        json.dump(counts, file)
"""


def measure(root: Path, arguments: list[str]) -> tuple[int, ...]:
    """Run a command, which finds no watcher, and return its counts in the order of `COUNTS`."""
    output = root.parent / "counts.json"
    result = subprocess.run(
        [sys.executable, "-c", PROBE, str(PACKAGE), str(root), str(output), *arguments],
        cwd=root,
        env=clean_environment(
            root.parent,
            MEMTOOL_WATCH="off",
            MEMTOOL_NOW="2025-01-15T12:00:00Z",
            XDG_CACHE_HOME=str(root.parent.parent / "cache"),
        ),
        input=json.dumps(prompt("Which celadon glaze is it?", cwd=str(root), session_id=None)).encode(),
        capture_output=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode()
    counts = json.loads(output.read_text())
    return tuple(counts[name] for name in COUNTS)


def indexed_tree(folder: Path) -> Path:
    notes = {
        f"memory/notes/zettel/note-{number:02}.md": f"# Glaze {number}\n\nCeladon fires at {number}.\n"
        for number in range(40)
    }
    root = make(folder / "tree", {"memtool.toml": 'layout = "native"\n', **notes})
    measure(root, ["search", "celadon"])  # indexes it
    return root


def test_no_command_costs_more_than_it_did(tmp_path):
    earlier, root = indexed_tree(tmp_path / "earlier"), indexed_tree(tmp_path / "now")
    for arguments, _ in COMMANDS.values():
        measure(earlier, arguments)  # the same cache of patterns
    measured = {name: measure(root, arguments) for name, (arguments, _) in COMMANDS.items()}
    grown = [
        f"{name}: {count:,} {what}, {before:,} before"
        for name, (_, known) in COMMANDS.items()
        for what, count, before in zip(COUNTS, measured[name], known, strict=True)
        if count > max(before * ALLOWANCE, before + SMALL)
    ]
    advice = (
        "If a command grew by mistake, do its work later or not at all; `python -X importtime -m memtool`"
        f" shows imports. If it has to grow, write {measured} into COMMANDS and say why in the commit."
    )
    assert not grown, "\n".join([*grown, advice])
