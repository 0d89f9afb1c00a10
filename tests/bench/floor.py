"""Which prompts are given retrieved text: those that memory bears on, and those without an answer in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.bench.command_line import CommandLine
from tests.bench.figures import Figures
from tests.bench.prepared import Workspaces, progress
from tests.bench.public_sets import Chat

_EVERYDAY = Path(__file__).parent / "everyday_prompts.json"
_STATEMENTS = Path(__file__).parent / "everyday_statements.json"
_IN_A_SESSION = 5
_REPLY = "Noted, I will keep that in mind."


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
) -> list[Figures]:
    """The share of prompts with any snippet, and the mean number, in the sample and in the conversations."""
    asked = list(prompts)
    of_sample = Figures(f"Floor, {budget:,} characters, sample workspace")
    of_chats = Figures(f"Floor, {budget:,} characters, conversations")
    with workspaces.sample() as commands:
        _measure(asked, commands, budget, of_sample, "sample")
    for chat in chats:
        with workspaces.of(chat) as commands:
            _measure(asked, commands, budget, of_chats, chat.name)
    return [of_sample, of_chats]


def measure_everyday(workspaces: Workspaces, budget: int) -> Figures:
    """For one user's statements: the share of later prompts that are given the one that bears on them.

    `found` is that share. Of prompts that none bears on, `given` is the share that are given any text.
    """
    record = json.loads(_EVERYDAY.read_text(encoding="utf-8"))
    figures = Figures(f"Everyday prompts, {budget:,} characters")
    with workspaces.empty("everyday") as commands:
        for number, row in enumerate(record["related"]):
            statement, session = row["statement"], f"session-{number // _IN_A_SESSION}"
            commands.run("scan", "--message", statement)
            commands.run(
                "append-turn", "--user-text", statement, "--agent-text", _REPLY, "--session", session
            )
        options = ("context", "--retrieved", f"--budget={budget}")
        for row in record["related"]:
            text = commands.run(*options, f"--prompt={row['prompt']}")
            figures.add("everyday", "related", row["prompt"], {"found": float(row["statement"] in text)})
        for prompt in record["unrelated"]:
            given = commands.run(*options, f"--prompt={prompt}")
            figures.add("everyday", "unrelated", prompt, {"given": float(bool(given.strip()))})
    return figures


def measure_statements(workspaces: Workspaces, budget: int) -> Figures:
    """For many users' messages, after their sessions: the share whose statement a later prompt is given.

    By set, and by how the prompt needs it: `direct` asks for it, `related` shares no word with it, `standing`
    is about something else. `found` counts the whole context, `retrieved` the excerpts alone, and `recorded`
    what scan recorded of the message. `given`: other prompts that are given excerpts. `durable`: messages
    that say nothing lasting, of which a durable entry was recorded.
    """
    record = json.loads(_STATEMENTS.read_text(encoding="utf-8"))
    figures = Figures(f"Everyday statements, {budget:,} characters")
    for name, rows in record["sets"].items():
        with workspaces.empty("statements") as commands:
            recorded = [_tell(commands, number, row) for number, row in enumerate(rows)]
            for row, is_recorded in zip(rows, recorded, strict=True):
                prompt = f"--prompt={row['prompt']}"
                whole = commands.run("context", f"--budget={budget}", prompt)
                excerpts = commands.run("context", "--retrieved", f"--budget={budget}", prompt)
                shares = {
                    "found": float(_holds(whole, row["evidence"])),
                    "retrieved": float(_holds(excerpts, row["evidence"])),
                    "recorded": float(is_recorded),
                }
                figures.add(name, f"{name}: {row['kind']}", row["prompt"], shares)
            for prompt in record["unrelated"]:
                text = commands.run("context", "--retrieved", f"--budget={budget}", f"--prompt={prompt}")
                figures.add(name, f"{name}: other prompts", prompt, {"given": float(bool(text.strip()))})
    with workspaces.empty("nothing") as commands:
        for message in record["nothing"]:
            entries = commands.records("scan", "--message", message)
            figures.add(
                "nothing",
                "nothing lasting",
                message,
                {"durable": float(any(row["durable"] for row in entries))},
            )
    return figures


def _tell(commands: CommandLine, number: int, row: dict[str, str]) -> bool:
    """Record a message in its session, which ends after its last one; whether scan recorded anything."""
    session = f"--session=session-{number // _IN_A_SESSION}"
    entries = commands.run("scan", "--message", row["said"], session)
    commands.run("append-turn", "--user-text", row["said"], "--agent-text", row["reply"], session)
    if number % _IN_A_SESSION == _IN_A_SESSION - 1:
        commands.run("session-end", session)
    return bool(entries.strip())


def _holds(text: str, evidence: str) -> bool:
    return " ".join(evidence.casefold().split()) in " ".join(text.casefold().split())


def _measure(
    prompts: list[UnansweredPrompt], commands: CommandLine, budget: int, table: Figures, name: str
) -> None:
    progress(f"{name}: asking {len(prompts)} prompts without an answer")
    for number, prompt in enumerate(prompts, 1):
        options = ("--format", "json", f"--budget={budget}", f"--prompt={prompt.text}")
        (record,) = commands.records("context", *options)
        count = len(record["snippets"])
        messages = sum(snippet["role"] == "turn" for snippet in record["snippets"])
        figures = {
            "given": float(count > 0),
            "messages": float(messages > 0),
            "documents": float(count > messages),
            "snippets": float(count),
        }
        table.add(name, prompt.kind, f"prompt {number}", figures)
