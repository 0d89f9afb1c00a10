"""Trees as Gemini CLI, Codex, Letta, basic-memory and OKF have them: memtool works in each in place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from memtool.layouts.load import load_layout
from memtool.verbs.context.sections import standing_sections
from tests.trees import contents, make, memtool, opened

GEMINI = {
    "GEMINI.md": """\
# How I work

- Answer in British English.
- Use `uv run pytest -q` before you say that a change is done; see @./conventions.md.

## Gemini Added Memories
- My cat is called Whiskerino.
- The staging server is staging.example.org.
""",
    "conventions.md": "# Conventions\n\nCommit titles are imperative.\n",
    "settings.json": '{"ui": {"theme": "GitHub"}}\n',
}
CODEX = {
    "AGENTS.md": "# Instructions\n\n- Prefer small commits.\n",
    "config.toml": 'model = "gpt-5.4"\n',
    "memories/memory_summary.md": """\
v1

## User Profile

Works on a pottery's web shop.

## What's in Memory

- web-shop: kiln calendar, checkout (see MEMORY.md, "kiln calendar")
""",
    "memories/MEMORY.md": """\
# Task Group: web-shop / kiln calendar

scope: Bookings of the kiln; use it for changes of the calendar.
applies_to: cwd=/home/ann/web-shop; reuse_rule=safe in this checkout

## Task 1: Fix the double booking of the kiln, success

### rollout_summary_files

- rollout_summaries/2026-02-17T21-23-02-LN3m-kiln-calendar.md (thread_id=LN3m)

### keywords

- kiln, calendar, double booking, advisory lock

## User preferences

- when tests are slow, the user asked: "run only the calendar tests" -> run `npm test calendar` first [Task 1]

## Reusable knowledge

- The calendar takes an advisory lock per day. [Task 1]
""",
    "memories/raw_memories.md": "# Raw Memories\n\nNo raw memories yet.\n",
    "memories/rollout_summaries/2026-02-17T21-23-02-LN3m-kiln-calendar.md": """\
thread_id: LN3m
updated_at: 2026-02-17T21:40:00Z
cwd: /home/ann/web-shop

# Double booking of the kiln

The calendar now takes an advisory lock.
""",
}
LETTA = {
    "system/persona.md": "---\ndescription: Who I am and how I behave\n---\n\nI am calm and exact.\n",
    "system/human.md": "---\ndescription: The user\nlimit: 20000\n---\n\nAnn runs a pottery.\n",
    "system/prefs/coding.md": (
        "---\ndescription: Coding preferences\n---\n\nPrefers functions. See [[web-shop/architecture]].\n"
    ),
    "web-shop/architecture.md": (
        "---\ndescription: How the web shop is built\nread_only: true\n---\n\n"
        "The kiln calendar takes a lock; steps are in [[skills/release]] and [[web-shop/gotchas]].\n"
    ),
    "web-shop/gotchas.md": "---\ndescription: What has failed before\n---\n\nThe checkout times out.\n",
    "skills/release/SKILL.md": (
        "---\nname: release\ndescription: Release the web shop\n---\n\n# Release\n\nRun `make release`.\n"
    ),
}
BASIC_MEMORY = {
    "glazes/Celadon on stoneware.md": """\
---
title: Celadon on stoneware
type: note
permalink: glazes/celadon-on-stoneware
tags:
- glaze
- cone-9
---

# Celadon on stoneware

## Observations
- [result] A thin coat stays green, a thick one turns grey #firing
- [method] Two dips of three seconds (measured on the test tiles)
- [question] Does it run on a rim? #defect #rim (not tried yet)

## Relations
- fired_in [[Gas kiln]]
- replaces [[Old tenmoku]]
- "differs in colour from" [[Copper red]] (in oxidation)
""",
    "kilns/Gas kiln.md": """\
---
title: Gas kiln
type: note
permalink: kilns/gas-kiln
---

# Gas kiln

- [fact] Holds two hundred litres ^[1]
- used_for [[Celadon on stoneware]]
""",
    "main/Kiln calendar.md": """\
---
title: Kiln calendar
type: spec
permalink: main/kiln-calendar
created: 2026-02-17
---

- [decision] The kiln calendar takes an advisory lock #web-shop
- books [[Gas kiln|the large kiln]]
""",
}
OKF = {
    "index.md": """\
---
okf_version: "0.2"
---

# Records

* [Firings](records/firings.md) - Each firing with its schedule

# More

* [Measures](measures/) - What the workshop counts
""",
    "log.md": "# Changes\n\n## 2026-05-22\n* **Creation**: Described [firings](/records/firings.md).\n",
    "records/firings.md": """\
---
type: Spreadsheet
title: Firings
description: Each firing of the workshop.
resource: https://example.org/sheets/firings
tags: [kiln, glaze]
generated: { by: sheet-reader/2, at: 2026-05-28T14:30:00Z }
verified:
  - { by: human:ann, at: 2026-06-25T09:00:00Z }
sources:
  - id: rules
    resource: https://example.org/kiln-rules
---

# Schema

| Column | Type | Description |
|---|---|---|
| `kiln` | text | Which of the [kilns](/records/kilns.md) was fired. |
| `peak` | number | The peak temperature, read from the controller.[^rules] |

Counted by [firings a month](../measures/firings-a-month.md).

[^rules]: The rules of the kiln room
""",
    "records/kilns.md": "---\ntype: Spreadsheet\ntitle: Kilns\n---\n\nThe two kilns, with their volume.\n",
    "measures/index.md": "# Measures\n\n* [Firings a month](firings-a-month.md) - How busy the kilns are\n",
    "measures/firings-a-month.md": "---\ntype: Metric\n---\n\nCounts [firings](/records/firings.md).\n",
}
TREES = {
    "gemini": (GEMINI, "staging server", "GEMINI.md"),
    "codex": (CODEX, "advisory lock", "memories/MEMORY.md"),
    "letta": (LETTA, "kiln calendar", "web-shop/architecture.md"),
    "basic-memory": (BASIC_MEMORY, "thick coat turns grey", "glazes/Celadon on stoneware.md"),
    "okf": (OKF, "peak temperature controller", "records/firings.md"),
}
"""A tree of each layout, a query, and the file that answers it."""

IGNORED = "M404,M503"
"""Links to notes that are yet to be written, which are no faults here; permissions of the files."""


@pytest.fixture(params=TREES)
def layout(request) -> str:
    return request.param


@pytest.fixture
def tree(layout, tmp_path) -> Path:
    """The tree after `init`, in a folder that itself tells nothing."""
    root = make(tmp_path / "w", TREES[layout][0])
    result = memtool("init", "--layout", layout, home=tmp_path, cwd=root)
    assert result.returncode == 0, result.stderr
    return root


def run(tree: Path, *words: str):
    result = memtool(*words, home=tree.parent, cwd=tree)
    assert result.returncode == 0, (words, result.stdout, result.stderr)
    return result


def layout_of(tree: Path) -> str:
    return json.loads(run(tree, "status", "--json").stdout.splitlines()[0])["layout"]


def theirs(tree: Path, layout: str) -> dict[str, bytes]:
    """The bytes of the files that the agent's program wrote."""
    files = contents(tree)
    return {path: files.get(path, b"") for path in TREES[layout][0]}


def test_init_changes_no_file_of_the_agent(tree, layout):
    assert theirs(tree, layout) == {path: text.encode() for path, text in TREES[layout][0].items()}
    assert layout_of(tree) == layout


def test_a_tree_of_the_agent_has_no_faults(tree, layout):
    result = memtool("lint", "--ignore", IGNORED, home=tree.parent, cwd=tree)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr


def test_what_the_agent_wrote_is_found(tree, layout):
    _, query, path = TREES[layout]
    assert run(tree, "search", query, "-n", "1").stdout.startswith(f"{path}:")
    assert path in run(tree, "context", "--retrieved", "--prompt", query).stdout


def test_what_is_recorded_is_found_and_in_the_prompt(tree, layout):
    before = theirs(tree, layout)
    run(tree, "scan", "-m", "Remember that my sister is called Nilufar")
    run(tree, "save", "--category", "preference", "Prefers tea to coffee")
    run(tree, "append-daily", "--user-text", "Is the kiln free?", "--agent-text", "On Thursday.")
    place = str(load_layout(layout).path("long-term"))
    assert "my sister is called Nilufar" in (tree / place).read_text()
    assert "my sister is called Nilufar" in run(tree, "search", "Nilufar").stdout
    assert "Nilufar" in run(tree, "context").stdout
    assert "Prefers tea to coffee" in run(tree, "recall", "tea or coffee?").stdout
    note = load_layout(layout).folder("daily-note")
    assert run(tree, "search", "Is the kiln free?").stdout.startswith(f"{note}/")
    changed = {path for path, text in theirs(tree, layout).items() if text != before[path]}
    assert changed <= {place}


def test_facts_join_those_that_gemini_added(tmp_path):
    root = make(tmp_path / "w", GEMINI)
    memtool("--layout", "gemini", "scan", "-m", "My name is Ann", home=tmp_path, cwd=root)
    text = (root / "GEMINI.md").read_text()
    assert text.startswith(GEMINI["GEMINI.md"])
    assert text.removeprefix(GEMINI["GEMINI.md"]).startswith("- **")


@pytest.mark.parametrize(("override", "read"), [("Work fast.\n", "AGENTS.override.md"), (" \n", "AGENTS.md")])
def test_codex_reads_the_first_file_of_instructions_that_is_not_empty(override, read, tmp_path):
    files = {**CODEX, "AGENTS.override.md": override}
    root = make(tmp_path / "w", files)
    missed: list[str] = []
    sections = standing_sections(opened(root, "codex"), "x", [], missed)
    paths = [section.path for section in sections if section.role == "workspace"]
    assert paths == [read]


def test_a_new_note_has_the_frontmatter_that_the_agent_asks_for(tree, layout):
    run(tree, "note", "new", "Shino recipes", "--body", "Shino needs soda ash.")
    path = run(tree, "search", "shino soda ash").stdout.partition(":")[0]
    text = (tree / path).read_text()
    assert list(yaml.safe_load(text.split("---\n")[1])) == [*load_layout(layout).notes.keys]
    result = memtool("lint", "--ignore", IGNORED, home=tree.parent, cwd=tree)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_way_to_native_and_back_loses_no_byte(tree, layout):
    run(tree, "scan", "-m", "Remember that my sister is called Nilufar")
    before = contents(tree)
    run(tree, "migrate", "--to", "native")
    there = contents(tree)
    assert layout_of(tree) == "native"
    assert run(tree, "search", TREES[layout][1], "-n", "1").stdout
    bodies = sorted(text for name, text in before.items() if name != "memtool.toml" and b"](" not in text)
    assert [body for body in bodies if body not in there.values()] == []
    run(tree, "migrate", "--to", layout)
    after = contents(tree)
    assert after == before
