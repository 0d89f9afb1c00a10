"""The turns of an agent's conversation: in its workspace, and in the transcript that it wrote itself."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.clients.agents import Agent, ran
from tests.hooks import PAGES
from tests.trees import make

TRANSCRIPTS = {
    "claude": ".claude/projects/*/*.jsonl",
    "codex": ".codex/sessions/*/*/*/*.jsonl",
    "openclaw": ".openclaw/agents/*/agent/openclaw-agent.sqlite",
    "opencode": ".local/share/opencode/opencode.db",
    "pi": ".pi/agent/sessions/*/*.jsonl",
    "gemini": ".gemini/tmp/*/chats/*.jsonl",
    "qwen": ".qwen/projects/*/chats/*.jsonl",
    "cline": ".cline/data/sessions/*/*.messages.json",
}
"""Where the agents write their transcripts, in the home."""


def turns(one: Agent) -> list[list[str]]:
    """The texts of each turn of the history."""
    records = [
        json.loads(path.read_text()) for path in sorted(one.project.glob("memory/history/turns/*/*/*/*"))
    ]
    return [
        [part["text"] for said in turn["messages"] for part in said["parts"] if "text" in part]
        for turn in records
    ]


def imported(one: Agent) -> list[list[str]]:
    """The turns of the transcript that an agent wrote, imported into a workspace of its own.

    Where a session is resumed in a later minute, Gemini CLI also writes a file that holds no messages.
    """
    paths = sorted(map(str, one.home.glob(TRANSCRIPTS[one.name])))
    assert paths
    other = replace(one, project=one.home / "other")
    make(other.project, PAGES)
    done = ran(
        ["memtool", "import", *paths, "--root", str(other.project)], cwd=one.home, environment=one.environment
    )
    assert done.code == 0, done.said
    return turns(other)
