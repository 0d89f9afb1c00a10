"""The rules of imports: which layer and which package may import which, and what no layer may do."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "memtool"

EVERYONE = {"errors"}
"""What every layer may import."""

LAYERS = {
    "errors": set(),
    "core": set(),
    "formats": {"core"},
    "transcripts": {"core"},
    "layouts": {"core"},
    "index": {"core"},
    "fleet": {"core", "index"},
    "store": {"core", "formats", "layouts"},
    "verbs": {"core", "formats", "transcripts", "layouts", "store", "index", "fleet"},
    "serve": {"core", "store", "verbs"},
    "cli": {"core", "store", "verbs", "serve"},
    "__main__": {"cli"},
    "__init__": set(),
}
"""The layers that each layer may import besides itself."""

PACKAGES: dict[str, dict[str, str]] = {
    "core": {
        "digest": "",
        "integrity": "digest",
        "text": "",
        "records": "digest text",
        "capture.languages": "text",
        "privacy": "capture.languages records text",
        "secrets": "text",
        "compaction": "digest privacy records secrets text",
        "facts": "digest privacy records text",
        "capture": "capture.languages compaction facts privacy records secrets text",
        "search": "records text",
        "context": "digest facts privacy records search text",
        "forgetting": "records text",
        "history": "records text",
        "notes": "text",
        "lint.codes": "",
        "lint": "digest lint.codes notes records secrets text",
        "memories": "secrets",
        "hooks": "digest privacy",
        "fleet": "text",
    },
    "formats": {
        "syntax": "",
        ".": "syntax",
        "lint": ". syntax",
    },
    "index": {
        "embed": "numeric",
        "sentence_embedder": "embed numeric",
        "engine": "",
        "seal": "engine",
        "folder": "",
        "opening": "engine folder seal",
        "sync": "engine opening",
        "database": "engine opening",
        "numeric": "",
        "vectors": "numeric",
        "documents": "database engine numeric opening vectors",
        "freshness": "engine",
        "transcripts": "database documents engine freshness numeric opening vectors",
        "facts": "database documents embed engine numeric opening transcripts vectors",
        "vector_cache": "embed numeric",
    },
    "store": {
        "handle": "",
        "root": "",
        "files": "handle root",
        "commit": "files root",
        "config": "files root",
        "external": "files root",
        "lock": "files root",
        "worker_lock": "files root",
        "workspace": "commit config files lock root",
    },
    "verbs": {
        "access": "",
        "config": "",
        "delegates": "",
        "memory_files": "",
        "capture": "delegates facts memory_files",
        "changes": "",
        "turns": "memory_files",
        "compaction": "delegates facts memory_files turns",
        "indexing": "changes memory_files turns",
        "facts": "forgetting indexing journal memory_files",
        "forgetting": "changes history indexing journal memory_files",
        "history": "indexing memory_files turns",
        "search": "access indexing turns",
        "journal": "access changes history indexing memory_files search turns",
        "sessions": "compaction delegates facts journal memory_files turns",
        "completion": "facts history journal memory_files sessions turns",
        "context": "access indexing memory_files search sessions turns",
        "notes": "",
        "editor": "facts journal lint memory_files notes turns",
        "layout": "changes facts indexing notes turns",
        "lint": "context facts notes turns",
        "health": "delegates facts history hooks indexing layout lint merging sessions turns",
        "hooks": "access capture compaction context delegates facts history indexing memory_files sessions"
        " turns",
        "memories": "memory_files",
        "merging": "lint memory_files turns",
        "pending": "forgetting hooks merging",
        "fleet": "facts forgetting indexing memory_files search",
        "maintenance": "delegates facts history hooks indexing memory_files merging sessions turns",
    },
    "serve": {
        "adapters": "",
        "internal_errors": "",
        "lsp": "internal_errors reader_thread",
        "mcp": "internal_errors reader_thread",
        "reader_thread": "",
        "watch": "internal_errors",
    },
    "cli": {
        "output": "terminal",
        "terminal": "",
        "reference": "",
        "plan_output": "output",
        "progress": "output terminal",
        "times": "",
        "variables": "",
        "session": "output plan_output progress times variables",
        "program": "",
        "table": "",
        "topics": "",
        "completion": "output reference session table topics",
        "deadline": "",
        "start_up": "",
        "failures": "output session",
        "scanning": "output parse render session",
        "plain_scan": "failures output scanning session start_up",
        "hooks": "deadline other_names output plan_output session start_up",
        "searching": "hooks session times",
        "background": "",
        "lsp_session": "background parse session",
        "mcp_session": "background searching session",
        "options": "completion misplaced_words output session terminal",
        "actions": "misplaced_words options other_names",
        "main": "completion failures options output session start_up table wrong_usage",
        "misplaced_words": "other_names times",
        "other_names": "",
        "other_calls": "misplaced_words other_names",
        "other_options": "misplaced_words options",
        "wrong_usage": "misplaced_words options other_calls other_names other_options table times",
        "parse": "misplaced_words output session wrong_usage",
        "render": "output session terminal",
        "documentation": "main options reference render table topics",
        "commands": (
            "actions background completion documentation hooks lsp_session mcp_session options other_names"
            " output parse program reference render scanning searching session table"
            " terminal times topics wrong_usage"
        ),
    },
}
"""Of each layer, the packages, and the packages of the same layer that each may import."""

OWNER = {
    "frontmatter": "formats",
    "tomlkit": "formats",
    "yaml": "formats",
    "whoosh": "index",
    "snowballstemmer": "core.text",
    "sqlite_vec": "index",
    "jsonschema": "store",
    "pathspec": "store",
    "igraph": "verbs",
    "watchdog": "serve.watch",
    "click": "cli",
    "lsprotocol": "serve.lsp",
    "pygls": "serve.lsp",
    "mcp": "serve.mcp",
    "mcp_types": "serve.mcp",
    "anthropic": "serve.adapters",
    "procrastinate": "fleet",
    "psycopg": "fleet",
}
"""The one layer or package that may import a library."""

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
    "tomlkit",
    "yaml",
    "numpy",
    "lsprotocol",
    "pygls",
    "mcp",
    "mcp_types",
    "anyio",
    "pydantic",
    "anthropic",
    "apsw",
    "pathspec",
    "fasteners",
    "snowballstemmer",
    "tiktoken",
    "tokenizers",
    "igraph",
    "procrastinate",
    "psycopg",
}
MEMORY_FILE = re.compile(
    r"(MEMORY|SESSION-STATE|HEARTBEAT|AGENTS?|SOUL|USER|WORKING_MEMORY|working-buffer|head)\.(md|json)$"
)
CHANGING_CALLS = {"rename", "unlink", "rmtree", "mkdir"}
LONGEST = 400
"""Lines of the longest module."""


def node_of(module: str) -> tuple[str, str]:
    """The layer and the package of a module: `core.text.words` -> `core`, `text`.

    A module that stands directly in a layer counts as a package of its own name; one of `formats` as ".".
    """
    layer, *inner = module.split(".")
    if layer == "formats" and len(inner) <= 1:
        return layer, "."
    return layer, ".".join(inner[:-1]) or ".".join(inner)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module."""
    return tuple(ast.walk(parsed(path)))


def violations(root: Path) -> Iterator[str]:
    """Every place where a module does what its layer or package may not."""
    trees = {path: parsed(path) for path in sorted(root.rglob("*.py"))}
    early = imported_early(root, trees)
    for path, tree in trees.items():
        name = str(path.relative_to(root))
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        yield from (f"{name}: {fault}" for fault in faults(module, path))
        if path in early:
            for library in sorted({module.partition(".")[0] for module in top_level(tree)} & LAZY):
                yield f"{name}: {library} is imported at the top, so every command pays for it"


def top_level(tree: ast.Module) -> list[str]:
    return [module for node in tree.body for module in imported(node)]


def imported_early(root: Path, trees: dict[Path, ast.Module]) -> set[Path]:
    """The modules that come in with some command before it knows what it has to do."""
    by_name = {
        "memtool." + str(path.relative_to(root).with_suffix("")).replace("/", "."): path for path in trees
    }
    early: set[Path] = set()
    waiting = [
        path for path in trees if path.relative_to(root).parts[0].removesuffix(".py") in {"cli", "__main__"}
    ]
    while waiting:
        path = waiting.pop()
        if path not in early:
            early.add(path)
            waiting += [by_name[name] for name in top_level(trees[path]) if name in by_name]
    return early


def faults(module: str, path: Path) -> Iterator[str]:
    layer, package = node_of(module)
    if layer not in LAYERS:
        yield f"no layer is named {layer}"
        return
    if layer in PACKAGES and package and package not in PACKAGES[layer]:
        yield f"no package of {layer} is named {package}"
        return
    typing_only = {
        id(inner)
        for node in nodes(path)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    forbidden: set[str] = set()
    for node in nodes(path):
        for name in imported(node):
            first, _, rest = name.partition(".")
            if first == "memtool":
                forbidden.update(_forbidden_import(layer, package, rest))
            owner = OWNER.get(first, layer)
            if not f"{module}.".startswith(f"{owner}."):
                yield f"{first} belongs to {owner}"
            if first == "dataclasses":
                yield "a value is a Struct of msgspec, not a dataclass"
            if layer in PURE and first in IMPURE_MODULES and id(node) not in typing_only:
                yield f"a pure layer imports {first}"
            if (
                layer in PURE
                and name == "pathlib"
                and any(alias.name == "Path" for alias in getattr(node, "names", []))
            ):
                yield "a pure layer imports Path"
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if layer in PURE and called in IMPURE_CALLS:
                yield f"a pure layer calls {called}()"
            if layer == "verbs" and called in {"now", "today", "utcnow"}:
                yield f"a verb reads the clock with {called}()"
            has_own_files = layer in {"store", "index"} or package in {"watch", "dev_server"}
            if called in CHANGING_CALLS and not has_own_files:
                yield f"{called}() outside store"
            if (
                layer not in {"store", "index", "cli", "layouts"}
                and package != "watch"
                and called == "open"
                and isinstance(node.func, ast.Name)
            ):
                yield "open() outside store"
        if isinstance(node, ast.Attribute) and layer == "verbs" and node.attr == "environ":
            yield "a verb reads the environment"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and MEMORY_FILE.search(node.value):
            yield f"a memory file is named in code: {node.value!r}"
        if isinstance(node, ast.Compare) and any(map(_is_layout_name, ast.walk(node))):
            yield "a layout is asked for its name"
    yield from sorted(forbidden)
    if path.read_text(encoding="utf-8").count("\n") > LONGEST:
        yield f"longer than {LONGEST} lines"


def _is_layout_name(node: ast.AST) -> bool:
    """Whether an expression is `layout.name`, or ends so, as `workspace.layout.name` does."""
    owner = node.value if isinstance(node, ast.Attribute) and node.attr == "name" else None
    return getattr(owner, "attr", getattr(owner, "id", None)) == "layout"


def _forbidden_import(layer: str, package: str, imported_module: str) -> Iterator[str]:
    """Why a module of `package` in `layer` may not import `memtool.<imported_module>`, if it may not."""
    other = imported_module.split(".", maxsplit=1)[0]
    if not other or other == "__version__":
        return
    if other != layer:
        if other not in LAYERS[layer] | (EVERYONE if layer not in EVERYONE else set()):
            yield f"{layer} may not import {other}"
        return
    packages = PACKAGES.get(layer)
    target = _package_named(layer, imported_module)
    if packages is not None and target and target != package and target not in packages[package].split():
        yield f"{layer}.{package} may not import {layer}.{target}"


def _package_named(layer: str, imported_module: str) -> str:
    """The package of `layer` that an import reaches, "" if it names the layer alone."""
    inner = imported_module.split(".")[1:]
    while inner and ".".join(inner) not in PACKAGES.get(layer, {}):
        inner.pop()
    if not inner and layer == "formats" and "." in imported_module:
        return "."
    return ".".join(inner)


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


def test_every_module_keeps_the_rules():
    assert list(violations(PACKAGE)) == []


@pytest.mark.parametrize("layer", sorted(PACKAGES))
def test_the_table_of_packages_has_no_cycle(layer):
    edges = {package: allowed.split() for package, allowed in PACKAGES[layer].items()}
    assert set(graphlib.TopologicalSorter(edges).static_order()) == set(edges)


def test_the_layers_have_no_cycle():
    assert set(graphlib.TopologicalSorter(LAYERS).static_order()) == set(LAYERS)


@pytest.mark.parametrize("layer", sorted(PACKAGES))
def test_the_table_of_packages_allows_only_what_is_used(layer):
    used = {package: set() for package in PACKAGES[layer]}
    for path in (PACKAGE / layer).rglob("*.py"):
        module = str(path.relative_to(PACKAGE).with_suffix("")).removesuffix("/__init__").replace("/", ".")
        own = node_of(module)[1]
        for node in nodes(path):
            for name in imported(node):
                if name.startswith(f"memtool.{layer}."):
                    target = _package_named(layer, name.partition(".")[2])
                    used.setdefault(own, set()).update({target} - {own, ""})
    used.pop("", None)
    assert used == {package: set(allowed.split()) for package, allowed in PACKAGES[layer].items()}


@pytest.mark.parametrize(
    ("package", "code", "fault"),
    [
        ("core/text", "import os", "a pure layer imports os"),
        ("core/text", "from pathlib import Path", "a pure layer imports Path"),
        ("core/text", "from memtool.store.files.disk import Disk", "core may not import store"),
        ("core/text", "from memtool.core.lint.problem import Problem", "core.text may not import core.lint"),
        ("core/text", "from memtool.core import lint", "core.text may not import core.lint"),
        ("formats", "stamp = datetime.now()", "a pure layer calls now()"),
        (
            "formats/syntax",
            "from memtool.formats.turn import parse",
            "formats.syntax may not import formats..",
        ),
        ("index/facts", "from memtool.layouts.layout import Layout", "index may not import layouts"),
        ("store/files", "from memtool.index.engine import Engine", "store may not import index"),
        (
            "store/files",
            "from memtool.store.workspace import Workspace",
            "store.files may not import store.workspace",
        ),
        (
            "verbs/memory_files",
            "def f():\n    from memtool.verbs.search import search",
            "verbs.memory_files may not import verbs.search",
        ),
        ("verbs/search", "import click", "click belongs to cli"),
        ("verbs/search", "import anthropic", "anthropic belongs to serve.adapters"),
        ("serve/mcp", "import watchdog", "watchdog belongs to serve.watch"),
        ("serve/watch", "import mcp", "mcp belongs to serve.mcp"),
        ("serve/mcp", "from pygls.lsp.server import LanguageServer", "pygls belongs to serve.lsp"),
        ("serve/adapters", "from memtool.cli.session import Session", "serve may not import cli"),
        (
            "serve/adapters",
            "from memtool.serve.mcp.tool import Tool",
            "serve.adapters may not import serve.mcp",
        ),
        ("cli/render", "from memtool.cli.commands import scan", "cli.render may not import cli.commands"),
        ("verbs/search", "day = date.today()", "a verb reads the clock with today()"),
        ("verbs/search", "import os\nhome = os.environ['HOME']", "a verb reads the environment"),
        ("verbs/search", "text = open('x').read()", "open() outside store"),
        ("cli/commands", "import os\nos.unlink('x')", "unlink() outside store"),
        (
            "cli/commands",
            "import fasteners",
            "fasteners is imported at the top, so every command pays for it",
        ),
        ("verbs/search", "if workspace.layout.name == 'q15': pass", "a layout is asked for its name"),
        ("cli/commands", "NAME = 'MEMORY.md'", "a memory file is named in code: 'MEMORY.md'"),
        ("core/text", "x = 1\n" * 401, "longer than 400 lines"),
        (
            "core/text",
            "from dataclasses import dataclass",
            "a value is a Struct of msgspec, not a dataclass",
        ),
        ("attic", "x = 1", "no layer is named attic"),
        ("core/attic", "x = 1", "no package of core is named attic"),
    ],
)
def test_a_planted_violation_is_found(tmp_path, package, code, fault):
    planted = tmp_path / package / "planted.py"
    planted.parent.mkdir(parents=True)
    planted.write_text(code + "\n", encoding="utf-8")
    assert list(violations(tmp_path)) == [f"{package}/planted.py: {fault}"]


def test_class_names_are_unique():
    names = Counter(
        node.name for path in PACKAGE.rglob("*.py") for node in nodes(path) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


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


def test_every_verb_that_takes_the_lock_decides_anew_when_a_file_is_stale():
    missing = [
        f"{path.relative_to(PACKAGE)}: {function.name}"
        for path in (PACKAGE / "verbs").rglob("*.py")
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef) and _takes_lock(function) and not _is_retried(function)
    ]
    assert missing == ["verbs/compaction/recover.py: record_recovery"]  # another run has recorded it then


def _takes_lock(function: ast.FunctionDef) -> bool:
    """Whether a function takes the lock itself, not in a function inside it."""
    inner = {
        node for child in function.body if isinstance(child, ast.FunctionDef) for node in ast.walk(child)
    }
    return any(
        isinstance(node, ast.Attribute) and node.attr == "lock" and node not in inner
        for node in ast.walk(function)
    )


def _is_retried(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(item, ast.Name) and item.id == "retry_when_stale" for item in function.decorator_list
    )
