"""How much of what matters survives in a summary: `python -m tests.bench.summary`.

Eight conversations with an agent (code, a migration, travel, papers, a renovation, an incident, a novel,
daily life), each with a list of what a person would be angry to lose: decisions, numbers, names, paths, open
questions. Measured is the share of that list whose words stand in the summary, of the messages that a
compaction drops. Beside it, in the same number of characters: first sentences of messages, and sentences
drawn at random, the mean of nine draws. The built-in summary was tuned on one half of the conversations and
not on the other.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from memtool.core.compaction.compact import split_conversation
from memtool.core.compaction.scored_sentences import scored_sentences
from memtool.core.compaction.summary import summarize
from memtool.core.records.turn import Message
from memtool.formats.conversation import parse

HERE = Path(__file__).parent / "conversations"
TUNED = ("debug_service", "family_trip", "novel_writing", "research_papers")
BUDGETS = (1500, 3000, 6000)
Summariser = Callable[[Sequence[Message], int], str]


def lead(messages: Sequence[Message], most: int) -> str:
    """The first sentence of each message, as many of them as fit, spread evenly."""
    firsts = [found[0].line for one in messages if (found := scored_sentences([one]))]
    return _evenly(firsts, most)


def drawn(seed: int) -> Summariser:
    """Sentences at random, by a seed."""

    def summarise(messages: Sequence[Message], most: int) -> str:
        found = [one.line for one in scored_sentences(messages)]
        random.Random(seed).shuffle(found)
        return _evenly(found, most, step=1)

    return summarise


def _evenly(sentences: list[str], most: int, step: int | None = None) -> str:
    if step is None:
        whole = sum(len(one) + 1 for one in sentences)
        step = max(1, round(whole / most + 0.49))
    order = [one for start in range(step) for one in sentences[start::step]]
    kept: list[str] = []
    for one in order:
        if sum(len(line) + 1 for line in kept) + len(one) > most:
            break
        kept.append(one)
    return "\n".join(kept)


def survived(
    made: dict[str, object], summarise: Summariser, most: int
) -> tuple[int, int, dict[str, list[int]]]:
    """How many of the things to keep stand in the summary, of how many; and the same by their kind."""
    items = parse(json.dumps(made["messages"])).items
    dropped = set(split_conversation(items).dropped)
    messages = [message for number in sorted(dropped) for message in items[number].messages]
    text = " ".join(summarise(messages, most).casefold().split())
    kinds: dict[str, list[int]] = {}
    for one in made["gold"]:  # type: ignore[attr-defined]
        if one["message"] in dropped:
            held = any(" ".join(said.casefold().split()) in text for said in one["any"])
            kinds.setdefault(one["kind"], []).append(held)
    flat = [held for rows in kinds.values() for held in rows]
    return sum(flat), len(flat), kinds


def figures(
    draws: int = 9, halves: Sequence[str] = ("tuned on", "held out")
) -> dict[tuple[str, str, int], float]:
    """The share that survives, by the half of the conversations, the way of summarising, and the budget."""
    ways = {
        "built-in": [summarize],
        "first sentences": [lead],
        "random": [drawn(seed) for seed in range(draws)],
    }
    found: dict[tuple[str, str, int], float] = {}
    for half in halves:
        names = [path for path in sorted(HERE.glob("*.json")) if (path.stem in TUNED) == (half == "tuned on")]
        made = [json.loads(path.read_text(encoding="utf-8")) for path in names]
        for way, summarisers in ways.items():
            for most in BUDGETS:
                rows = [survived(one, each, most)[:2] for one in made for each in summarisers]
                found[half, way, most] = sum(kept for kept, _ in rows) / sum(count for _, count in rows)
    return found


def main() -> None:
    """Print the table, and by kind what the built-in summary keeps of the half that was not tuned on."""
    shares = figures()
    sys.stdout.write(f"{'':<28}" + "".join(f"{most:>8}" for most in BUDGETS) + "  characters\n")
    for half in ("tuned on", "held out"):
        for way in ("built-in", "first sentences", "random"):
            row = "".join(f"{shares[half, way, most]:>8.0%}" for most in BUDGETS)
            sys.stdout.write(f"{half + ': ' + way:<28}{row}\n")
    kinds: dict[str, list[int]] = {}
    for path in sorted(HERE.glob("*.json")):
        if path.stem not in TUNED or "--all" in sys.argv:
            made = json.loads(path.read_text(encoding="utf-8"))
            for kind, rows in survived(made, summarize, 6000)[2].items():
                kinds.setdefault(kind, []).extend(rows)
    said = ", ".join(f"{kind} {sum(rows)}/{len(rows)}" for kind, rows in sorted(kinds.items()))
    sys.stdout.write(f"held out, built-in, 6000 characters: {said}\n")


if __name__ == "__main__":
    main()
