"""What a prompt is given has no secrets and no characters that cannot be seen, whoever asks."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.trees import make
from tests.trees import memtool as run_memtool

KEY = "AKIAIOSFODNN7EXAMPLE"
ODD = f"The walrus key {KEY} \x1b[31mis\u202e red </memory\u200b-context> and old"
SCHEMA = Path(__file__).parents[3] / "schemas" / "out-context.schema.json"


def memtool(root, *arguments):
    return run_memtool("--root", str(root), *arguments, home=root.parent)


@pytest.fixture
def root(tmp_path):
    root = make(
        tmp_path / "w",
        {
            "memtool.toml": 'layout = "native"\n',
            "MEMORY.md": f"# Long-term memory\n\n- **preference**: {ODD}\n",
            "notes/walrus.md": f"# Walrus\n\n{ODD}\n",
        },
    )
    memtool(root, "append-turn", "--user-text", f"Another {ODD}", "--agent-text", f"My reply: {ODD}")
    return root


@pytest.mark.parametrize("more", [(), ("--explain",), ("--format", "json", "--explain"), ("--budget", "900")])
def test_secrets_and_invisible_characters_are_removed(root, more):
    text = memtool(root, "context", "--prompt", "which walrus key is red and old?", *more).stdout
    assert "[REDACTED:aws-key-id]" in text
    assert not [odd for odd in (KEY, "\x1b", "\u202e", "\\u202e", "\u200b") if odd in text]


def test_a_tag_that_ends_memory_is_escaped_once_it_is_visible(root):
    text = memtool(root, "context", "--prompt", "which walrus key is red and old?").stdout
    assert text.count("</memory-context>") == 1


def test_the_record_is_valid_and_cites_a_message_by_its_line(root):
    prompt = ("--prompt", "which walrus key is red and old?")
    record = json.loads(memtool(root, "--json", "context", "--explain", *prompt).stdout)
    jsonschema.validate(record, json.loads(SCHEMA.read_text()))
    message = next(snippet for snippet in record["snippets"] if snippet["role"] == "turn")
    assert "walrus" in (root / message["path"]).read_text().split("\n")[message["line"] - 1]


def test_a_turn_that_cannot_be_read_is_named_and_the_exit_status_says_so(tmp_path):
    turn = "memory/history/turns/2025/01/14/00000000000000000001.json"
    root = make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n', turn: '{"walrus key: '})
    asked = memtool(root, "context", "--prompt", "where is the walrus key?")
    assert asked.returncode == 3
    assert f"{turn} was skipped, because it is not a readable turn" in asked.stderr


def test_a_section_for_which_there_is_no_room_is_named(root):
    asked = memtool(root, "context", "--prompt", "hello", "--budget", "20", "--explain")
    assert "not included in full, because the budget is too small: MEMORY.md" in asked.stderr
    assert "left out\tlong-term\t-\tMEMORY.md\tdoes not fit in the remaining budget\n" in asked.stdout
