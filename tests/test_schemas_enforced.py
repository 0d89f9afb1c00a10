"""The files in `schemas/` are what is enforced, and each of them is used."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memtool.cli.table import COMMANDS
from memtool.formats.table import FORMATS, format_named
from memtool.store.config import schemas
from tests.formats.test_schemas import SPECIMENS
from tests.formats.test_turn import TURNS, spoiled
from tests.trees import SAMPLE, clean_environment

REPOSITORY = Path(__file__).parent.parent
PROPOSAL = {"rule": "Be brief.", "evidence": ["Please be brief"]}
CHAT = '[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]'


@pytest.fixture(scope="module")
def tightened(tmp_path_factory):
    """A folder whose `memtool` has schemas that also require the key `approved`, and a copy of the sample."""
    folder = tmp_path_factory.mktemp("tightened")
    (folder / "memtool").symlink_to(REPOSITORY / "memtool")
    shutil.copytree(REPOSITORY / "schemas", folder / "schemas")
    for name in ("turn", "head", "proposal"):
        path = folder / "schemas" / f"{name}.schema.json"
        schema = json.loads(path.read_text())
        path.write_text(json.dumps({**schema, "required": [*schema.get("required", []), "approved"]}))
    shutil.copytree(SAMPLE, folder / "w")
    return folder


def run(folder, *arguments, stdin=""):
    environment = {**clean_environment(folder), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "memtool", *arguments]
    return subprocess.run(
        command, cwd=folder / "w", env=environment, input=stdin, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["lint", "memory/history"], ""),
        (["--json", "doctor"], ""),
        (["import", "--dry-run", "openai", "-"], CHAT),
        (["candidates", "add", "--user", "ann", "-"], json.dumps(PROPOSAL)),
        (["--dry-run", "upgrade-history"], ""),
    ],
    ids=lambda value: next((word for word in value if word in COMMANDS), None) if value else "",
)
def test_a_changed_schema_is_what_the_command_enforces(tightened, arguments, stdin):
    result = run(tightened, *arguments, stdin=stdin)
    assert result.returncode != 70, result.stderr
    assert "'approved' is a required property" in result.stdout + result.stderr


def test_each_schema_describes_an_output_or_a_file_and_is_listed():
    page = (REPOSITORY / "schemas" / "README.md").read_text()
    names = schemas.schema_names()
    outputs = {f"out-{name}" for name in COMMANDS.keys() - {"help"}}
    files = {format_.name for format_ in FORMATS}
    taken = {"proposal", "write-hook"}  # lines that a command takes, and one that a write hook gets
    assert set(names) == outputs | files | taken
    assert [name for name in names if f"]({name}.schema.json)" not in page] == []


@settings(max_examples=100)
@given(st.sampled_from(["turn", *SPECIMENS]), TURNS, st.randoms(use_true_random=True))
def test_schemas_find_what_jsonschema_finds(name, turn, chance):
    format_ = format_named(name)
    value = turn if name == "turn" else format_.parse(SPECIMENS[name])
    record = spoiled(json.loads(json.dumps(format_.record(value))), chance)
    schema = json.loads((REPOSITORY / "schemas" / f"{name}.schema.json").read_text())
    plain = Draft202012Validator(schema, format_checker=schemas.format_checker())
    expected = [
        ("/".join(map(str, error.absolute_path)), error.message) for error in plain.iter_errors(record)
    ]
    assert sorted(schemas.violations(name, record)) == sorted(expected)
