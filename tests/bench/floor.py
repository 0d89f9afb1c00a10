"""Floor: the share of prompts without an answer in memory that are given retrieved text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from tests.bench.command_line import CommandLine
from tests.bench.figures import Figures
from tests.bench.prepared import Workspaces, progress
from tests.bench.public_sets import Chat


class UnansweredPrompt(NamedTuple):
    """A prompt to which memory holds no answer."""

    kind: str
    text: str


def read_prompts(path: Path) -> list[UnansweredPrompt]:
    """The prompts of a file of JSON Lines with `text` and `kind`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [UnansweredPrompt(row.get("kind") or "prompt", row["text"]) for row in rows]


def measure_floor(
    prompts: Iterable[UnansweredPrompt], chats: Iterable[Chat], workspaces: Workspaces, budget: int
) -> Figures:
    """The share of prompts with any snippet, and the mean of snippets, by workspace."""
    table = Figures(f"Floor, {budget:,} characters")
    asked = list(prompts)
    opened: list[tuple[str, AbstractContextManager[CommandLine]]] = [("sample", workspaces.sample())]
    opened += [(chat.name, workspaces.of(chat)) for chat in chats]
    for name, workspace in opened:
        with workspace as commands:
            progress(f"{name}: asking {len(asked)} prompts without an answer")
            for prompt in asked:
                options = ("--format", "json", f"--budget={budget}", f"--prompt={prompt.text}")
                (record,) = commands.records("context", *options)
                count = len(record["snippets"])
                table.add(name, prompt.kind, {"given": float(count > 0), "snippets": float(count)})
    return table
