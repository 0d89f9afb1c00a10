"""Facts by the hundred thousand: how fast they are recalled and their vectors made anew, for real.

`python -m tests.bench.facts [COUNT]` prints one table. Needs the extra `semantic`.
"""

from __future__ import annotations

import functools
import random
import re
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from memtool.core.records.request import RecallRequest
from memtool.core.records.scope import WHOLE_WORKSPACE
from memtool.index.sentence_embedder import for_facts
from memtool.store.workspace import open_workspace
from memtool.verbs.facts.recall import recall
from memtool.verbs.indexing.facts import FactSync
from tests.trees import NONEXISTENT, make

COUNT = 100_000
QUESTIONS = 200
TALKS = Path(__file__).parent / "conversations"
CATEGORIES = ("context", "relationship", "preference", "goal", "health", "work", "travel", "home")
NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)


def facts(count: int, chance: random.Random) -> list[str]:
    """So many facts as lines of a semantic file: of eight categories, six to fourteen words each."""
    return [
        f"- [{chance.choice(CATEGORIES)}] {said(chance, chance.randint(6, 14))} {number} ^m-{number:x}"
        for number in range(count)
    ]


def said(chance: random.Random, length: int) -> str:
    """Words that mean nothing together."""
    return " ".join(chance.choices(words(), k=length))


@functools.cache
def words() -> list[str]:
    """The words of the conversations that are measured elsewhere, each as often as it stands there."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(TALKS.iterdir()))
    return re.findall(r"[A-Za-z]{2,}", text)


def main(count: int) -> None:
    embedder = for_facts()
    if embedder is None:
        raise SystemExit("install the extra semantic to measure vectors")
    chance = random.Random(7)
    lines = facts(count, chance)
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder), {"memory/semantic/facts.md": "\n".join(lines) + "\n"})
        workspace = open_workspace(str(root), {"XDG_CONFIG_HOME": NONEXISTENT}, "native")
        embedder.vectors(["the model is loaded"])
        begun = time.perf_counter()
        shelf = FactSync(workspace, b"k" * 32, wait=5, embedder=embedder)
        shelf.sync()
        built = time.perf_counter() - begun
        begun = time.perf_counter()
        shelf.recall("the first question", 5)
        first = time.perf_counter() - begun
        alone, counted = [], []
        for _ in range(QUESTIONS):
            question = said(chance, chance.randint(3, 8))
            begun = time.perf_counter()
            shelf.sync()
            shelf.recall(question, 5)
            alone.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            recall(workspace, RecallRequest(question, WHOLE_WORKSPACE, NOW), shelf)
            counted.append(time.perf_counter() - begun)
        texts = [line.split("] ", 1)[1] for line in lines]
        begun = time.perf_counter()
        embedder.vectors(texts)
        made = time.perf_counter() - begun
        shelf.close()
    rows = [
        ("recall, warm, p50", f"{statistics.median(alone) * 1000:.0f} ms", ""),
        ("recall, warm, p95", f"{p95(alone) * 1000:.0f} ms", "<= 50 ms"),
        ("recall and its accesses counted, p95", f"{p95(counted) * 1000:.0f} ms", ""),
        ("first recall of a process", f"{first * 1000:.0f} ms", ""),
        ("vectors made of texts", f"{len(texts) / made:,.0f} facts/s", ">= 5,000 facts/s"),
        ("index and vectors built from the file", f"{count / built:,.0f} facts/s", ">= 5,000 facts/s"),
    ]
    for what, figure, promise in rows:
        sys.stdout.write(f"{what:<40}{figure:>18}  {promise}\n".rstrip(" "))


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
