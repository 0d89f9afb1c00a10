"""The engine of the index of documents is a setting: answers stay, and the other engine's files go."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtool.index.documents.document_index import LARGE_TREE
from tests.index.records import ENGINES
from tests.trees import SAMPLE, clean_environment, contents, make, memtool

QUERIES = [
    *("when is the kiln free", "tea house", '"tea house"', "mugs -wholesale", "role:daily-note glaze"),
    *(
        "path:memory/* Lindau",
        "date:2025-01 kiln",
        "deliv*",
        "glaz~1",
        "role:long-term",
        "pays within ten days",
    ),
]


@pytest.fixture
def sample(tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".memtool"))
    return root


def run(root: Path, engine: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    variables = {"MEMTOOL_ROOT": str(root), "MEMTOOL_SEARCH_ENGINE": engine}
    return memtool(*arguments, home=root.parent, stdin=stdin, environment=variables)


def index_files(root: Path) -> set[str]:
    return {path.suffix for path in (root / ".memtool/index").iterdir()}


def test_all_engines_find_the_same_in_the_sample_workspace(sample):
    outputs = [
        [run(sample, engine, "search", "--json", "-n", "50", query).stdout for query in QUERIES]
        for engine in ENGINES
    ]
    assert sum(map(bool, outputs[0])) >= len(QUERIES) - 2
    assert all(output == outputs[0] for output in outputs)


def test_a_change_of_the_engine_rebuilds_the_index_at_the_next_search(sample):
    (sample / ".memtool").mkdir(exist_ok=True)
    before = run(sample, "whoosh", "search", "kiln")
    assert ".toc" in index_files(sample)
    changed = run(sample, "sqlite", "search", "kiln")
    assert changed.stdout == before.stdout
    assert "the search index was not built by the configured search engine; rebuilding it" in changed.stderr
    assert index_files(sample) == {"", ".db"}
    again = run(sample, "sqlite", "search", "kiln")
    assert (again.stdout, again.stderr) == (before.stdout, before.stderr)
    assert run(sample, "whoosh", "search", "kiln").stdout == before.stdout
    assert ".db" not in index_files(sample)


def test_reindex_and_verify_know_each_engine(sample):
    for engine in ENGINES:
        assert run(sample, engine, "reindex").returncode == 0
        assert run(sample, engine, "reindex", "--verify").returncode == 0
        (sample / "MEMORY.md").write_text(f"# Memory\n\n- {engine} was here\n")
        assert run(sample, engine, "reindex", "--verify").returncode == 1


def test_a_search_with_sqlite_does_not_import_whoosh(sample):
    run(sample, "sqlite", "search", "kiln")
    code = (
        "import sys\n"
        "from memtool.cli.main import run\n"
        "assert run(['search', 'kiln']) == 0\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] == 'whoosh'))\n"
    )
    variables = clean_environment(
        sample.parent, MEMTOOL_ROOT=str(sample), MEMTOOL_SEARCH_ENGINE="sqlite", MEMTOOL_WATCH="off"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"
    assert "kiln" in result.stdout


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_forgotten_is_in_no_byte_of_the_index(tmp_path, engine):
    root = make(
        tmp_path / "w",
        {
            "memtool.toml": 'layout = "native"\n',
            "MEMORY.md": "# Memory\n\n- The xylophone is at the shed\n- The kiln is free\n",
        },
    )
    assert "xylophone" in run(root, engine, "search", "xylophone").stdout
    held = b"".join(path.read_bytes() for path in (root / ".memtool/index").iterdir())
    assert b"xylophon" in held
    assert run(root, engine, "forget", "--match", "xylophone", "--yes").returncode == 0
    assert "kiln" in run(root, engine, "search", "kiln").stdout
    assert "xylophone" not in contents(root)["MEMORY.md"].decode()
    held = b"".join(path.read_bytes() for path in (root / ".memtool/index").iterdir())
    assert b"xylophon" not in held


def test_status_and_doctor_recommend_sqlite_for_a_large_tree(tmp_path):
    notes = {f"memory/notes/inbox/n{i}.md": f"note {i}\n" for i in range(LARGE_TREE)}
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', **notes})
    command = "memtool config set search.engine sqlite"
    assert command in " ".join(run(root, "whoosh", "status").stdout.split())
    assert command in run(root, "whoosh", "doctor").stdout
    status = json.loads(run(root, "whoosh", "status", "--json").stdout)
    assert (status["index"]["engine"], status["index"]["recommended_engine"]) == ("whoosh", "sqlite")
    assert command not in run(root, "sqlite", "status").stdout
    assert command not in run(root, "sqlite", "doctor").stdout
    for number in range(LARGE_TREE // 2):
        (root / f"memory/notes/inbox/n{number}.md").unlink()
    assert command not in run(root, "whoosh", "status").stdout
