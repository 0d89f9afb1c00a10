"""Trees as other programs write them, with their own files: memtool recognises, reads and extends each."""

from __future__ import annotations

import json

import pytest

from memtool.layouts.load import load_layout
from tests.trees import make, memtool, opened

CLAUDE_CODE = {
    "MEMORY.md": "- [Small commits](feedback_small_commits.md) — one idea a commit, reviewed by Ann\n",
    "feedback_small_commits.md": """\
---
name: feedback_small_commits
description: Ann wants small commits
metadata:
  type: feedback
---

Keep each commit to one idea.

**Why:** Ann reviews on the train: no laptop.
**How to apply:** Split a refactoring from the change that needs it. See [[user_role]].
""",
}
OPENCLAW = {
    "AGENTS.md": "# AGENTS.md - Your Workspace\n\n## Every Session\n\n1. Read `SOUL.md`\n2. Read `USER.md`\n",
    "SOUL.md": "# SOUL.md - Who You Are\n\n## Core Truths\n\nBe genuinely helpful.\n",
    "IDENTITY.md": "# IDENTITY.md - Who Am I?\n\n- **Name:** Pip\n- **Creature:** ghost in the kiln\n",
    "TOOLS.md": "# TOOLS.md - Local Notes\n\n### SSH\n\n- kiln-pi: 192.168.1.20\n",
    "memory/2026-02-17-kiln-calendar.md": """\
# Session: 2026-02-17 21:23:02 UTC

- **Session Key**: agent:main:main
- **Session ID**: 0f3c2c7e
- **Source**: telegram

## Conversation Summary

user: Who booked the kiln twice?
assistant: The calendar took no advisory lock.
""",
}
NANO = {
    "NANO.md": "# NANO.md\n\nAnswer in the language of the message.\n",
    "SOUL.md": "# Soul\n\nYou are Andy, calm and exact.\n",
    "canonical/_hot.md": "# Hot\n\n- The advisory lock of the kiln calendar ships on Friday\n",
    "memory/2026-02-17.md": "# 2026-02-17\n\n- 21:23 Fixed the double booking\n",
    "groups/family/SOUL.md": "# Soul\n\nYou are the family's assistant.\n",
    "groups/family/memory/2026-02-17.md": "- The dentist moved to Tuesday\n",
}
OPENLEGION = {
    "INSTRUCTIONS.md": "# Instructions\n\nAsk before you spend money.\n",
    "SOUL.md": "# Identity\n\nYou are the studio's researcher.\n",
    "USER.md": "# User\n\nAnn runs a pottery.\n",
    "MEMORY.md": "# Long-Term Memory\n\n- The kiln calendar takes an advisory lock\n",
    "HEARTBEAT.md": "# Heartbeat\n\n- Check the inbox each morning\n",
    "memory/2026-02-17.md": "# Daily log\n\n- Fixed the double booking\n",
    "learnings/errors.md": "- [2026-02-17T21:23:00Z] **http_request**: timeout after 30 s\n",
}
QANOT = {
    "SOUL.md": "# SOUL.md\n\nYou are Qanot, brief and warm.\n",
    "SESSION-STATE.md": """\
# SESSION-STATE.md -- Active Working Memory

- [2026-02-17T21:23:00+00:00] **decision**: The kiln calendar takes an advisory lock
""",
    "MEMORY.md": "# Long-Term Memory\n\n- **preference**: I prefer short answers\n",
    "memory/2026-02-17.md": """\
# Daily Notes -- 2026-02-17

## [21:23:02]
**User:** Who booked the kiln twice?

**Agent:** Nobody; the calendar was wrong.
""",
}
TURN = {
    "schema_version": 2,
    "id": "0f3c2c7e-1111-4222-8333-444455556666",
    "seq": 1,
    "created_at": "2026-02-17T21:23:02Z",
    "messages": [
        {"role": "user", "parts": [{"type": "text", "text": "Does the calendar take an advisory lock?"}]},
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "text": "Look at the code."},
                {"type": "text", "text": "Yes, one per day.", "disposition": "final"},
            ],
        },
    ],
}
HEAD = {"schema_version": 1, "last_seq": 1, "updated_at": "2026-02-17T21:23:02Z"}
Q15 = {
    "core/AGENT.md": "---\ndescription: How you behave\nlimit: 2000\n---\n\nYou are {{agent_name}}, calm.\n",
    "core/USER.md": "---\ndescription: The user\nlimit: 2000\n---\n\nAnn runs a pottery.\n",
    "working/WORKING_MEMORY.md": "# Working Memory\n\n- Fix the kiln calendar\n",
    "semantic/facts.md": "# Facts\n\nThe kiln holds two hundred litres.\n",
    "history/turns/2026/02/17/00000000000000000001.json": json.dumps(TURN, indent=2) + "\n",
    "history/state/head.json": json.dumps(HEAD, indent=2) + "\n",
}
OBSIDIAN = {
    ".obsidian/app.json": '{"alwaysUpdateLinks": true}',
    "Projects/Kiln calendar.md": """\
---
aliases: [calendar]
tags:
  - web-shop
---

> [!note] Lock
> It takes an advisory lock ==per day==, as [[Gas kiln#Bookings|booked]]. ^lock

- [ ] Write to Ann #todo
%% a comment %%
""",
    "Gas kiln.md": "# Bookings\n\n![[Projects/Kiln calendar#^lock]]\n",
    "Board.canvas": '{"nodes":[{"id":"a","type":"file","file":"Gas kiln.md","x":0,"y":0}]}',
}
TREES = {
    "claude-code": (
        CLAUDE_CODE,
        "Ann reviews on the train",
        "feedback_small_commits.md",
        "one idea a commit",
    ),
    "openclaw": (OPENCLAW, "advisory lock", "memory/2026-02-17-kiln-calendar.md", "ghost in the kiln"),
    "nano": (NANO, "advisory lock", "canonical/_hot.md", "Andy, calm and exact"),
    "openlegion": (OPENLEGION, "double booking", "memory/2026-02-17.md", "timeout after 30 s"),
    "qanot": (QANOT, "booked the kiln twice", "memory/2026-02-17.md", "I prefer short answers"),
    "q15": (Q15, "advisory lock", "history/turns/2026/02/17/00000000000000000001.json", "pottery"),
    "obsidian": (OBSIDIAN, "advisory lock", "Projects/Kiln calendar.md", "Nilufar"),
}
"""A tree of each client, a query, the file that answers it, and a text that is in every prompt."""


@pytest.mark.parametrize("layout", TREES)
def test_a_clients_own_tree_is_recognised_read_and_extended(layout, tmp_path):
    files, query, answer, standing = TREES[layout]
    folder = ".claude/projects/-home-ann/memory" if layout == "claude-code" else "w"
    root = make(tmp_path / folder, files)
    result = memtool("init", home=tmp_path, cwd=root)
    assert result.returncode == 0, result.stderr
    assert opened(root).layout is load_layout(layout)
    unread = [path for path in files if load_layout(layout).locate(path) is None]
    assert unread == [path for path in files if path.endswith((".canvas", "app.json"))]

    def run(*words):
        done = memtool(*words, home=tmp_path, cwd=root)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    assert run("lint", "--severity", "error") == ""
    assert run("search", query, "-n", "1").startswith(f"{answer}:")
    run("scan", "-m", "Remember that my sister is called Nilufar")
    assert "Nilufar" in run("search", "what is my sister called")
    assert standing in run("context", "--prompt", "hello")
    changed = {path for path, text in files.items() if (root / path).read_text() != text}
    written = [opened(root).layout.path(role) for role in ("long-term", "session-state")]
    assert changed <= {*map(str, written), "semantic/facts.md"}
