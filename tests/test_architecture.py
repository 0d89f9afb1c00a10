"""The house rules: who may import whom, and what no room may do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent / "memtool"

EVERYONE = {"errors", "values"}
"""What every room may import."""

MAY_IMPORT = {
    "errors": set(),
    "values": set(),
    "core": set(),
    "formats": {"core"},
    "transcripts": {"core"},
    "layouts": set(),
    "index": {"core"},
    "store": {"core", "formats", "layouts"},
    "verbs": {"core", "formats", "transcripts", "layouts", "store", "index"},
    "watch": {"core", "store", "index", "verbs"},
    "mcp": {"core", "store", "verbs"},
    "adapters": {"core", "store", "verbs"},
    "cli": {"core", "store", "verbs", "watch", "mcp"},
    "__main__": {"cli"},
    "__init__": set(),
}
OWNER = {
    "frontmatter": "formats",
    "yaml": "formats",
    "whoosh": "index",
    "sqlite_vec": "index",
    "jsonschema": "store",
    "pathspec": "store",
    "watchdog": "watch",
    "click": "cli",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "anthropic": "adapters",
}
PURE = {"core", "formats", "transcripts"}
IMPURE_MODULES = {
    "os", "io", "sys", "time", "random", "uuid", "tempfile", "shutil", "subprocess", "threading", "socket",
}  # fmt: skip
IMPURE_CALLS = {"now", "today", "utcnow", "open", "print", "input"}
LAZY = {
    "whoosh",
    "jsonschema",
    "watchdog",
    "frontmatter",
    "yaml",
    "numpy",
    "mcp",
    "mcp_types",
    "anyio",
    "pydantic",
    "anthropic",
    "apsw",
    "pathspec",
    "fasteners",
    "tiktoken",
    "tokenizers",
}
MEMORY_FILE = re.compile(
    r"(MEMORY|SESSION-STATE|HEARTBEAT|AGENTS?|SOUL|USER|WORKING_MEMORY|working-buffer|head)\.(md|json)$"
)


def room_of(path: Path, house: Path) -> str:
    return path.relative_to(house).parts[0].removesuffix(".py")


def violations(house: Path) -> Iterator[str]:
    """Every place where a module does what its room may not."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(house.rglob("*.py"))}
    early = imported_early(house, trees)
    for path, tree in trees.items():
        name = str(path.relative_to(house))
        yield from (f"{name}: {fault}" for fault in faults(room_of(path, house), tree, path))
        if path in early:
            for module in sorted({module.partition(".")[0] for module in top_level(tree)} & LAZY):
                yield f"{name}: {module} is imported at the top, so every command pays for it"


def top_level(tree: ast.Module) -> list[str]:
    return [module for node in tree.body for module in imported(node)]


def imported_early(house: Path, trees: dict[Path, ast.Module]) -> set[Path]:
    """The modules that come in with some command before it knows what it has to do."""
    by_name = {
        "memtool." + str(path.relative_to(house).with_suffix("")).replace("/", "."): path for path in trees
    }
    early: set[Path] = set()
    waiting = [path for path in trees if room_of(path, house) in {"cli", "__main__"}]
    while waiting:
        path = waiting.pop()
        if path not in early:
            early.add(path)
            waiting += [by_name[name] for name in top_level(trees[path]) if name in by_name]
    return early


def faults(room: str, tree: ast.Module, path: Path) -> Iterator[str]:
    if room not in MAY_IMPORT:
        yield f"no room is called {room}"
        return
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    allowed = MAY_IMPORT[room] | {"__version__"} | (EVERYONE if room not in EVERYONE else set())
    for node in ast.walk(tree):
        for module in imported(node):
            first, _, rest = module.partition(".")
            if first == "memtool":
                other = rest.split(".")[0]
                if other and other != room and other not in allowed:
                    found.add(f"{room} may not import {other}")
            if OWNER.get(first, room) != room:
                yield f"{first} belongs to {OWNER[first]}"
            if room in PURE and first in IMPURE_MODULES and id(node) not in typing_only:
                yield f"a pure room imports {first}"
            if (
                room in PURE
                and module == "pathlib"
                and any(alias.name == "Path" for alias in getattr(node, "names", []))
            ):
                yield "a pure room imports Path"
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if room in PURE and called in IMPURE_CALLS:
                yield f"a pure room calls {called}()"
            if room == "verbs" and called in {"now", "today", "utcnow"}:
                yield f"a verb reads the clock with {called}()"
            if room not in {"store", "index", "watch"} and called in {"rename", "unlink", "rmtree", "mkdir"}:
                yield f"{called}() outside the door"
            if (
                room not in {"store", "index", "watch", "cli", "layouts"}
                and called == "open"
                and isinstance(node.func, ast.Name)
            ):
                yield "open() outside the door"
        if isinstance(node, ast.Attribute) and room == "verbs" and node.attr == "environ":
            yield "a verb reads the environment"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and MEMORY_FILE.search(node.value):
            yield f"a memory file is named in code: {node.value!r}"
        if isinstance(node, ast.Compare) and "layout.name" in ast.unparse(node):
            yield "a layout is asked for its name"
    yield from sorted(found)
    if path.read_text(encoding="utf-8").count("\n") > 300:
        yield "longer than 300 lines"


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        inner = (
            [f"{node.module}.{alias.name}" for alias in node.names]
            if node.module.startswith("memtool")
            else []
        )
        return inner if node.module == "memtool" else [node.module, *inner]
    return []


def test_every_room_keeps_the_rules():
    assert list(violations(HOUSE)) == []


@pytest.mark.parametrize(
    ("room", "code", "fault"),
    [
        ("core", "import os", "a pure room imports os"),
        ("core", "from pathlib import Path", "a pure room imports Path"),
        ("core", "from memtool.store.disk import Disk", "core may not import store"),
        ("formats", "stamp = datetime.now()", "a pure room calls now()"),
        ("index", "from memtool.layouts.layout import Layout", "index may not import layouts"),
        ("store", "from memtool.index.engine import Engine", "store may not import index"),
        ("verbs", "import click", "click belongs to cli"),
        ("verbs", "import anthropic", "anthropic belongs to adapters"),
        ("adapters", "from memtool.cli.session import Session", "adapters may not import cli"),
        ("cli", "from memtool.adapters.anthropic import Tool", "cli may not import adapters"),
        ("verbs", "day = date.today()", "a verb reads the clock with today()"),
        ("verbs", "import os\nhome = os.environ['HOME']", "a verb reads the environment"),
        ("verbs", "text = open('x').read()", "open() outside the door"),
        ("cli", "import os\nos.unlink('x')", "unlink() outside the door"),
        ("cli", "import fasteners", "fasteners is imported at the top, so every command pays for it"),
        ("verbs", "if workspace.layout.name == 'q15': pass", "a layout is asked for its name"),
        ("cli", "NAME = 'MEMORY.md'", "a memory file is named in code: 'MEMORY.md'"),
        ("attic", "x = 1", "no room is called attic"),
    ],
)
def test_a_planted_violation_is_found(tmp_path, room, code, fault):
    planted = tmp_path / room / "planted.py"
    planted.parent.mkdir()
    planted.write_text(code + "\n", encoding="utf-8")
    assert list(violations(tmp_path)) == [f"{room}/planted.py: {fault}"]


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["memories", "--help"], ["scan", "--help"], ["search", "--help"], ["get", "--help"]],
)
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys\nfrom memtool.cli.main import run\nrun(sys.argv[1:])\n"
        f"heavy = [name for name in {sorted(LAZY | {'tomllib'})} if name in sys.modules]\n"
        "print(heavy, file=sys.stderr)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert result.stderr == "[]\n"
