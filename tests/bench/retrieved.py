"""Retrieved: the ranks of a question's evidence among the hits of `search --role turn`, beside FTS5."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from memtool.core.search.evaluation import question_measures
from tests.bench.figures import Figures
from tests.bench.fts5 import Fts5
from tests.bench.prepared import HISTORY, Workspaces, progress
from tests.bench.public_sets import Chat, ChatQuestion

DEPTHS = (5, 10, 40)


def measure_retrieved(chats: Iterable[Chat], workspaces: Workspaces, mode: str) -> Figures:
    """Recall and nDCG@10 of memtool, of FTS5, and of FTS5 with the scores of messages near each ("near")."""
    table = Figures(f"Retrieved, {mode}")
    for chat in chats:
        baseline = Fts5(chat.messages)
        ranked_near = baseline.ranked_speakers if chat.is_between_people else baseline.ranked_users
        with workspaces.of(chat) as commands:
            progress(f"{chat.name}: searching for {len(chat.questions)} questions, {mode}")
            ids = message_places(commands.root, [message.id for message in chat.messages])
            for question in chat.questions:
                options = ("--limit", str(max(DEPTHS)), "--role", "turn", "--mode", mode)
                hits = commands.records("search", *options, "--", question.text)
                rankings = {
                    "": [ids.get((hit["path"], hit["line"]), "") for hit in hits],
                    "fts5 ": baseline.ranked(question.text),
                    "near ": ranked_near(question.text),
                }
                figures: dict[str, float] = {}
                for prefix, ranking in rankings.items():
                    figures |= {prefix + name: one for name, one in _measures(question, ranking).items()}
                table.add(chat.name, question.kind, question.text, figures)
    return table


def message_places(root: Path, ids: Sequence[str]) -> dict[tuple[str, int], str]:
    """The id of the message at each path and line of the history, which holds messages in this order."""
    places: dict[tuple[str, int], str] = {}
    upcoming = iter(ids)
    for path in sorted((root / HISTORY).rglob("*.json")):
        text = path.read_text(encoding="utf-8")
        rows = text.split("\n")
        lines = iter([number for number, row in enumerate(rows, 1) if row.strip().startswith('"text":')])
        for message in json.loads(text)["messages"]:
            name = next(upcoming)
            for part in message["parts"]:
                if part["type"] == "text":
                    places[path.relative_to(root).as_posix(), next(lines)] = name
    if list(upcoming):
        raise SystemExit(f"{root}: the history holds fewer messages than the conversation")
    return places


def _measures(question: ChatQuestion, ranking: Sequence[str]) -> dict[str, float]:
    found = [rank for rank, name in enumerate(ranking, 1) if name in question.evidence]
    wanted = len(question.evidence)
    figures = {f"R@{depth}": sum(rank <= depth for rank in found) / wanted for depth in DEPTHS}
    return {**figures, "nDCG@10": question_measures(found, wanted)["ndcg@10"]}
