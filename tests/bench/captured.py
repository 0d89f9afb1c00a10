"""Captured: what `scan` records of the messages that later questions need, and how much it records in all."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tests.bench.command_line import write_json_lines
from tests.bench.figures import Figures
from tests.bench.prepared import Workspaces, progress, scanned_lines
from tests.bench.public_sets import Chat

EXPECTED = {
    "instruction_following": {"instruction"},
    "preference_following": {"preference", "instruction"},
}
"""The categories of entries that count for a kind of question."""


class Captured(NamedTuple):
    """Recall by kind of question, shares of messages with an entry, entries by category, durable entries."""

    recall: Figures
    shares: Figures
    categories: Counter[str]
    durable: list[str]


def measure_captured(chats: Iterable[Chat], workspaces: Workspaces) -> Captured:
    """Scan each user message as one of a user of its own, and compare the entries with the questions."""
    captured = Captured(
        Figures("Captured, messages behind questions"),
        Figures("Captured, share of user messages"),
        Counter(),
        [],
    )
    for chat in chats:
        progress(f"{chat.name}: scanning {len(chat.user_messages)} user messages")
        by_message: dict[str, set[str]] = defaultdict(set)
        durable: set[str] = set()
        with workspaces.empty("captured") as commands:
            given = write_json_lines(workspaces.folder / "given.jsonl", scanned_lines(chat, with_ids=True))
            for entry in commands.records("scan", "--jsonl", given):
                if "category" not in entry:
                    continue
                name = entry["owner"].rpartition("u")[2]
                by_message[name].add(entry["category"])
                captured.categories[entry["category"]] += 1
                if entry["durable"]:
                    durable.add(name)
                    captured.durable.append(f"{entry['category']}\t{entry['detail']}")
        for message in chat.user_messages:
            has = {"entry": float(message.id in by_message), "durable": float(message.id in durable)}
            captured.shares.add(chat.name, "user messages", message.text, has)
        users = {message.id for message in chat.user_messages}
        for question in chat.questions:
            evidence = question.evidence & users
            if evidence and question.kind in EXPECTED:
                hits = [one for one in evidence if by_message[one] & EXPECTED[question.kind]]
                figures = {"recall": len(hits) / len(evidence)}
                captured.recall.add(chat.name, question.kind, question.text, figures)
    return captured


def sample_entries(entries: list[str], count: int, seed: int) -> list[str]:
    """So many of the durable entries, drawn at random."""
    return random.Random(seed).sample(entries, min(count, len(entries)))
