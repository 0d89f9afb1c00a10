"""The prompt for a model that extracts: what it asks for is what memory takes."""

from __future__ import annotations

import json
import sys

import pytest

from memtool.store.config import schemas
from memtool.verbs.facts.candidates import extractor_prompt
from tests.trees import make, memtool

FACT = {
    "lane": "semantic",
    "category": "relationship",
    "subject": "User",
    "predicate": "KNOWS",
    "object": "Person:Sarah",
    "text": "User has a sister named Sarah",
    "evidence": "My sister Sarah lives nearby",
}
RULE = {
    "lane": "procedural",
    "rule": "Keep answers short",
    "text": "User wants short answers",
    "evidence": "always keep it short",
}
CHAT = "".join(
    json.dumps({"role": role, "content": text}) + "\n"
    for role, text in [
        *[("user", "What is first?"), ("assistant", "Breakfast.")] * 3,  # the first messages are kept
        ("user", "My sister Sarah lives nearby, and always keep it short."),
        ("assistant", "Noted."),
        *[("user", "What is next?"), ("assistant", "Lunch.")] * 4,
    ]
)


@pytest.fixture
def root(tmp_path):
    return make(tmp_path / "w", {"memtool.toml": 'layout = "native"\n'})


def model(root, answer):
    """A command that answers if it is given the prompt and the messages after it."""
    script = root.parent / "model.py"
    script.write_text(
        "import sys\n"
        "text = sys.stdin.read()\n"
        f"assert text.startswith({extractor_prompt()[:60]!r}) and 'always keep it short.' in text\n"
        f"sys.stdout.write({answer!r})\n"
    )
    return f"{{ {sys.executable} -m memtool candidates prompt; cat; }} | {sys.executable} {script}"


def run(root, *arguments, stdin):
    return memtool(*arguments, home=root.parent, cwd=root, stdin=stdin)


def test_the_examples_of_the_prompt_are_valid():
    lines = [json.loads(line) for line in extractor_prompt().splitlines() if line.startswith("{")]
    assert len(lines) == 2
    for line in (*lines, FACT, RULE):
        assert list(schemas.violations("proposal", line)) == []
    assert list(schemas.violations("proposal", {"lane": "semantic", "text": "x", "evidence": "y"}))


def test_candidates_prompt_prints_it(root):
    assert run(root, "candidates", "prompt", stdin="").stdout == extractor_prompt()


def test_a_valid_answer_is_proposed_and_compacted(root):
    answer = f"{json.dumps(FACT)}\n{json.dumps(RULE)}\n"
    added = run(root, "--json", "candidates", "add", "--user", "ann", stdin=answer)
    assert [json.loads(line)["effect"] for line in added.stdout.splitlines()] == ["written", "written"]
    done = run(root, "compact", "--force", "--strict", "--extractor", model(root, answer), stdin=CHAT)
    assert done.returncode == 0
    assert "User has a sister named Sarah" in (root / "MEMORY.md").read_text()


def test_of_an_invalid_answer_the_valid_lines_count(root):
    answer = f'Sure! Here you go:\n```json\n{json.dumps(FACT)}\n{{"lane": "semantic"}}\n```\n'
    added = run(root, "--json", "candidates", "add", "--user", "ann", stdin=answer)
    assert added.returncode == 20
    assert [json.loads(line)["effect"] for line in added.stdout.splitlines()].count("written") == 1
    done = run(root, "compact", "--force", "--strict", "--extractor", model(root, answer), stdin=CHAT)
    assert done.returncode == 0
    assert "skipped invalid output of the extractor command: 2 of 3 lines" in done.stderr


def test_an_empty_answer_is_nothing(root):
    done = run(root, "compact", "--force", "--strict", "--extractor", model(root, "[]\n"), stdin=CHAT)
    assert done.returncode == 0
    assert "Sarah has" not in (root / "MEMORY.md").read_text()


def test_an_empty_list_is_no_proposal_and_no_error(root):
    added = run(root, "candidates", "add", "--user", "ann", stdin="[]\n")
    assert (added.returncode, added.stdout) == (1, "")
    assert "the input contains no proposals" in added.stderr
    beside = run(root, "--json", "candidates", "add", "--user", "ann", stdin=f"[]\n{json.dumps(FACT)}\n")
    assert beside.returncode == 0
    assert [json.loads(line)["effect"] for line in beside.stdout.splitlines()] == ["written"]
