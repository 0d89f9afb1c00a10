"""Completeness: every format has a schema, specimen and place; every command a summary, examples, a shape."""

from __future__ import annotations

import json
import re
import shutil
from importlib import import_module
from pathlib import Path

import click
import pytest

from memtool.cli.reference import exit_code_meanings
from memtool.cli.table import COMMANDS, GROUPS
from memtool.errors import ERRORS, MemtoolError
from memtool.formats.table import FORMATS
from memtool.layouts.load import LAYOUT_NAMES, load_layout
from memtool.store.config import schemas
from memtool.store.config.settings import SETTINGS
from memtool.store.files.disk import Disk
from tests.formats.test_schemas import SPECIMENS
from tests.trees import SAMPLE, memtool, opened

OTHERS = {"json"}
"""What is quarantined is of no format, and the rest of this comes with its own readers."""


def specimens():
    """Each file of the sample workspace that has a Markdown format, with that format's name."""
    workspace = opened(SAMPLE)
    for path in sorted(workspace.listing().files):
        located = workspace.role_of(path)
        if located is not None and located.place.format not in OTHERS:
            yield path, located.place.format


FORMAT = {one.name: one for one in FORMATS}


def test_every_format_has_a_specimen():
    logs = SPECIMENS.keys() & {"crisis", "feedback", "forgotten"}  # the sample's agent has none
    assert {name for _, name in specimens()} | logs == FORMAT.keys()


def test_every_format_has_a_place_and_every_place_a_format():
    used = {place.format for name in LAYOUT_NAMES for place in load_layout(name).places}
    assert used - OTHERS == FORMAT.keys()


@pytest.mark.parametrize(("path", "name"), list(specimens()))
def test_a_specimen_is_read_losslessly_and_keeps_its_schema(path, name):
    text = Disk(str(SAMPLE)).read(Path(path)).text
    value = FORMAT[name].parse(text)
    assert FORMAT[name].render(value) == text
    assert list(schemas.violations(name, FORMAT[name].record(value))) == []


def test_every_file_of_the_sample_has_a_role():
    workspace = opened(SAMPLE)
    listing = workspace.listing()
    assert {path for path in listing.files if workspace.role_of(path) is None} == {"memtool.toml"}
    everything = {str(path.relative_to(SAMPLE)) for path in SAMPLE.rglob("*") if path.is_file()}
    assert everything == listing.files.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name):
    module, group, summary = COMMANDS[name]
    assert group in GROUPS
    command = import_module(f"memtool.cli.commands.{module}").command
    assert command.name == name
    assert command.help.split("\n\n")[0].replace("\n", " ") == summary
    examples = [line for line in command.epilog.strip().splitlines() if line]
    assert examples
    assert all(f"memtool {name}" in line for line in examples)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} has no help"


ACTIONS = [
    (f"{name} {action.name}", action)
    for name, (module, *_) in COMMANDS.items()
    if isinstance(command := import_module(f"memtool.cli.commands.{module}").command, click.Group)
    for action in command.commands.values()
]


@pytest.mark.parametrize(("name", "action"), ACTIONS, ids=[name for name, _ in ACTIONS])
def test_every_action_says_what_it_does(name, action):
    summary, *_ = action.help.split("\n\n")
    assert len(summary) < 72
    assert not summary.endswith(".")
    examples = action.epilog.strip().splitlines()
    assert 2 <= len(examples) <= 5
    command = name.partition(" ")[0]
    assert all(f"memtool {command}" in line for line in examples)
    assert any(f"memtool {name}" in line for line in examples) or name in DEFAULTS
    for parameter in action.own_parameters:
        if isinstance(parameter, click.Option):
            # click writes [required] itself
            assert parameter.required != bool(re.search(r"\[default: .+\]$", parameter.help)), parameter.name


DEFAULTS = {"hook answer", "memories answer", "watch run"}
"""The actions of a command line that names none."""


@pytest.mark.parametrize("name", sorted({name.partition(" ")[0] for name, _ in ACTIONS}))
def test_an_option_takes_a_value_in_all_actions_of_a_command_or_in_none(name):
    """Else the action of a command line could not be found behind its options."""
    kinds: dict[str, set[tuple[bool, int]]] = {}
    for _, action in (row for row in ACTIONS if row[0].partition(" ")[0] == name):
        for parameter in action.params:
            for option in parameter.opts if isinstance(parameter, click.Option) else ():
                kinds.setdefault(option, set()).add((parameter.is_flag, parameter.nargs))
    assert {option: len(found) for option, found in kinds.items() if len(found) > 1} == {}


SAMPLE_TURN = "memory/history/turns/2025/01/14/00000000000000000002.json"
PROPOSALS = """\
{"lane": "procedural", "rule": "Be brief.", "evidence": ["Please be brief"]}
{"lane": "semantic", "category": "loss", "subject": "A", "predicate": "WANTS", "object": "x", "evidence": "y"}
nonsense
"""
PROMPT = '{"hook_event_name": "UserPromptSubmit", "prompt": "When is the kiln free?"}'
QUESTIONS = '{"query": "kiln", "relevant": ["MEMORY.md:7", "HEARTBEAT.md"]}\n'
JSON_RUNS = {
    "init": [["init", "fresh", "--layout", "q15"], ["init", "other", "--dry-run"]],
    "scan": [
        ["scan", "-m", "I prefer tea, and call me Aziz"],
        ["scan", "--dry-run", "-m", "Remember that I love plov"],
    ],
    "append-daily": [
        ["append-daily", "--user-text", "x"],
        ["append-daily", "--dry-run", "--agent-text", "y"],
    ],
    "append-turn": [["append-turn", SAMPLE_TURN], ["append-turn", "--dry-run", SAMPLE_TURN]],
    "replay": [["replay", "-n", "2"]],
    "upgrade-history": [["upgrade-history"], ["upgrade-history", "--dry-run"]],
    "quarantine": [
        ["quarantine", "list"],
        ["quarantine", "show", "2025/01/15/00000000000000000004.json"],
        ["quarantine", "add", "memory/history/turns/2025/01/15/00000000000000000003.json"],
        ["quarantine", "restore", "--dry-run", "2025/01/15/00000000000000000003.json"],
        ["quarantine", "purge", "--all"],
    ],
    "import": [["import", "--dry-run", "openai", "-"], ["import", "openai", "-"]],
    "search": [
        ["search", "kiln", "--role", "turn"],
        ["search", "kiln"],
        ["search", "kiln", "-C", "2"],
        ["search", "--exact", "kiln"],
        ["search", "kiln", "-l"],
        ["search", "kiln", "--count"],
    ],
    "eval": [["eval", "-"]],
    "save": [
        ["save", "My cat's name is Whiskerino"],
        ["save", "--key", "city", "I live in Tashkent"],
        ["save", "--dry-run", "The tap drips"],
    ],
    "recall": [["recall", "What do I want in celadon?"], ["recall", "--category", "goal", "mugs"]],
    "facts": [
        ["facts", "list", "--all"],
        ["facts", "top", "-n", "2"],
        ["facts", "show", "m-c80f12"],
        ["facts", "forget", "--dry-run", "m-9d20c4"],
        ["facts", "forget", "--purge", "m-9d20c4"],
    ],
    "decay": [["decay", "--dry-run"], ["decay"]],
    "maintain": [["maintain", "--dry-run"], ["maintain"]],
    "feedback": [["feedback", "add", "up"], ["feedback", "list"], ["feedback", "add", "2", "--dry-run"]],
    "forget": [["forget", "--match", "celadon", "--dry-run"], ["forget", "--match", "celadon", "--yes"]],
    "learn": [["learn", "error", "--tool", "tar", "x"], ["learn", "correction", "--dry-run", "y"]],
    "buffer": [
        ["buffer", "--used", "150000", "--user-text", "x"],
        ["buffer", "--used", "1", "--user-text", "x"],
        ["buffer", "--dry-run", "--used", "150000", "--agent-text", "y"],
    ],
    "recover": [["recover", "--again", SAMPLE_TURN]],
    "context": [["context", "--prompt", "kiln"], ["context", "--prompt", "x", "--budget", "5"]],
    "compact": [["compact", "-"], ["compact", "--used", "190000", "-"], ["compact", "--fresh", "-"]],
    "next-run": [["next-run"]],
    "truncate": [["truncate", "MEMORY.md"], ["truncate", "--max", "200", "MEMORY.md"]],
    "get": [["get", "--role", "long-term"], ["get", "MEMORY.md", "-l", "1:2"]],
    "candidates": [
        ["candidates", "add", "--user", "ann", "--session", "s1", "-"],
        ["candidates", "add", "--user", "ann", "--dry-run", "-"],
        ["candidates", "decide", "-"],
        ["candidates", "list"],
        ["candidates", "explain"],
    ],
    "session-end": [
        ["session-end", "--user", "ann", "--session", "s1"],
        ["session-end", "--user", "ann", "--session", "s1", "--dry-run", "--transcript", "-"],
    ],
    "rules": [
        ["rules", "add", "Sign every letter"],
        ["rules", "list"],
        ["rules", "add", "--dry-run", "Answer in French"],
    ],
    "episodes": [["episodes", "list"], ["episodes", "show", "latest"]],
    "session": [
        ["session", "start", "--user", "ann", "--session", "s1"],
        ["session", "turn", "--user", "ann", "--session", "s1", "-"],
        ["session", "status"],
        ["session", "sweep", "--idle", "0s", "--dry-run"],
        ["session", "sweep", "--idle", "0s"],
    ],
    "lsp": [["lsp", "--install", "helix"]],
    "mcp": [["mcp", "--list"], ["mcp", "--list", "--read-only"], ["mcp", "--config", "vscode"]],
    "memories": [
        ["memories", "view", "/memories"],
        ["memories", "-"],
        ["memories", "--jsonl", "-"],
        ["memories", "create", "/memories/a.md", "--file-text", "x", "--dry-run"],
        ["memories", "rename", "/memories/customers.md", "/memories/c.md", "--dry-run"],
        ["memories", "delete", "/memories/projects", "--dry-run"],
    ],
    "hook": [
        ["hook", "-"],
        ["hook", '{"hook_event_name": "SessionStart", "source": "startup"}'],
        ["hook", "install", "openclaw"],
        ["hook", "uninstall", "--dry-run", "openclaw"],
        ["hook", "print", "codex"],
    ],
    "note": [
        ["note", "new", "--tag", "glaze", "--body", "See [[celadon]], [[nothing]].", "Crawling glaze"],
        ["note", "new", "--dry-run", "Pinholes"],
        ["note", "show", "Cone 6"],
        ["note", "links"],
        ["note", "backlinks", "celadon"],
        ["note", "orphans"],
        ["note", "broken"],
        ["note", "tags"],
        ["note", "tags", "glaze"],
        ["note", "graph", "--tags"],
        ["note", "mv", "--dry-run", "celadon", "--title", "Celadon glaze"],
        ["note", "mv", "celadon", "maps"],
    ],
    "lint": [
        ["lint", "--codes"],
        ["lint", "--explain", "M203"],
        ["lint", "-", "--path", "memory/notes/inbox/new.md"],
        ["lint", "--fix", "--dry-run", "groups/wholesale"],
        ["lint", "--baseline", "known.json", "--write-baseline"],
    ],
    "migrate": [
        ["migrate", "--list"],
        ["migrate", "--to", "q15", "--dry-run"],
        ["migrate", "--to", "q15", "--backup"],
        ["migrate", "--restore"],
    ],
    "log": [["log"], ["log", "--diff", "--all", "-n", "2"]],
    "undo": [["undo", "--dry-run"], ["undo"]],
    "trace": [["trace", "48 mugs"], ["trace", "parcels on Thursdays"]],
    "watch": [["watch", "status"]],
    "completion": [
        ["completion", "zsh"],
        ["completion", "install", "bash", "--dry-run"],
        ["completion", "install", "bash"],
    ],
    "reindex": [["reindex"], ["reindex", "--verify"]],
    "doctor": [["doctor"]],
    "merge": [
        ["merge", "MEMORY.md", "MEMORY.md", "HEARTBEAT.md"],
        ["merge", "--conflicts", "--dry-run"],
        ["merge", "--conflicts"],
    ],
    "stats": [["stats"], ["stats", "--by", "week", "--since", "2025-01-13"]],
    "status": [["status"]],
    "config": [
        ["config", "list"],
        ["config", "get", "lint.ignore"],
        ["config", "set", "search.limit", "20"],
        ["config", "set", "--dry-run", "lint.ignore", "M1"],
        ["config", "set", "--global", "delegate.seconds", "5"],
        ["config", "path"],
    ],
}


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"help", "fleet"}))  # tests/fleet has a server
def test_every_json_line_keeps_the_schema_of_its_command(name, tmp_path):
    root = tmp_path / "w"
    shutil.copytree(SAMPLE, root)
    if name in {"log", "undo"}:
        memtool("scan", "-m", "I prefer tea", home=tmp_path, cwd=root)
    for arguments in JSON_RUNS[name]:
        if name == "lint":
            (root / "groups/wholesale/MEMORY.md").write_bytes(b"\xef\xbb\xbf- a\r\n- b\n")
        if name == "merge":
            shutil.copy(root / "MEMORY.md", root / "MEMORY (conflicted copy 2025-01-15 103000).md")
            shutil.copy(root / "AGENTS.md", root / "AGENTS.sync-conflict-20250115-103000-ABCDEFG.md")
            (root / "AGENTS.md").write_text("Another text.\n")
        if name == "reindex" and "--verify" in arguments:
            (root / "MEMORY.md").write_text("changed\n")
        stdin = '[{"role": "user", "content": "hi"}]' if "-" in arguments else ""
        stdin = {"candidates": PROPOSALS, "eval": QUESTIONS, "hook": PROMPT}.get(name, stdin)
        stdin = {"candidates": PROPOSALS, "eval": QUESTIONS, "lint": "---\na: [\n---\n"}.get(name, stdin)
        result = memtool("--json", *arguments, home=tmp_path, cwd=root, stdin=stdin)
        lines = result.stdout.splitlines()
        assert lines, result.stderr
        for line in lines:
            assert schemas.violation(f"out-{name}", json.loads(line)) is None


def test_every_error_is_in_the_table_with_a_code_of_its_own_meaning():
    kinds = [kind for kind in MemtoolError.__subclasses__() if kind.__module__ == "memtool.errors"]
    assert {kind.exit_code for kind in kinds} <= {code for code, _ in exit_code_meanings()}
    assert len({kind.exit_code for kind in ERRORS}) == len(ERRORS)


def test_every_setting_has_a_meaning_and_a_checked_default():
    from memtool.store.config.validation import convert

    for setting in SETTINGS:
        assert setting.meaning
        assert convert(setting, setting.default, "test") == setting.default
