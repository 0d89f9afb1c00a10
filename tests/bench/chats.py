"""Chats between a user and an assistant for measuring: long replies, the same at every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.bench.corpus import vocabulary

_FIRST = datetime(2023, 3, 1, 8, tzinfo=UTC)
_TURNS = 20
"""Turns of a session; there are two sessions a day."""
_SUBJECT_WORDS = 8
"""Words that a session returns to, as a chat about one subject does."""
_WORDS = (
    "i want to plan my {}", "can you help me with the {}", "what should we do about {}", "my {} is ready now",
    "please remember that the {} costs more", "we decided on the {}", "how do i set up {}",
)  # fmt: skip


def write_chats(root: Path, turns: int, seed: int = 13) -> list[str]:
    """Write a history of chats below `root`; the prompts that ask for some of it.

    A turn is a message of the user of 100-1,000 characters, and a reply of 2,000-4,000.
    """
    rng = random.Random(seed)
    draw = vocabulary(rng)
    prompts: list[str] = []
    subject: list[str] = []
    for number in range(turns):
        if number % _TURNS == 0:
            subject = [next(draw) for _ in range(_SUBJECT_WORDS)]
            prompts.append(f"What did I say about my {subject[0]} and the {subject[1]} {subject[2]}?")
        at = _FIRST + timedelta(days=number // _TURNS // 2, minutes=number % (2 * _TURNS) * 7)
        messages = [
            _message("user", _text(rng, draw, subject, rng.randint(100, 1_000), "\n")),
            _message("assistant", _text(rng, draw, subject, rng.randint(2_000, 4_000), "\n\n- ")),
        ]
        record = {
            "schema_version": 2,
            "id": f"turn-{number + 1:020}",
            "seq": number + 1,
            "created_at": at.isoformat().replace("+00:00", "Z"),
            "messages": messages,
            "session": f"chat-{number // _TURNS}",
        }
        path = root / "memory" / "history" / "turns" / f"{at:%Y/%m/%d}" / f"{number + 1:020}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    head = root / "memory" / "history" / "state" / "head.json"
    head.parent.mkdir(parents=True, exist_ok=True)
    head.write_text(json.dumps({"last_seq": turns, "updated_at": "2025-01-15T10:30:00Z"}) + "\n")
    return prompts


def _message(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def _text(rng: random.Random, draw: Iterator[str], subject: list[str], size: int, separator: str) -> str:
    """Sentences of about so many characters in all, in paragraphs or list items."""
    sentences: list[str] = []
    length = 0
    while length < size:
        sentence = _sentence(rng, draw, subject)
        sentence += rng.choice((" ", " ", separator))
        sentences.append(sentence)
        length += len(sentence)
    return "".join(sentences).strip()


def _sentence(rng: random.Random, draw: Iterator[str], subject: list[str]) -> str:
    words = [rng.choice(subject) if rng.random() < 0.1 else next(draw) for _ in range(rng.randint(5, 14))]
    if rng.random() < 0.3:
        words = [*rng.choice(_WORDS).format(rng.choice(subject)).split(), *words]
    if rng.random() < 0.1:
        words[2] = f"**{words[2]}**"
    if rng.random() < 0.1:
        words[3] = f"{words[3]},"
    if rng.random() < 0.05:
        words[1] = f"{words[1]} — `{words[2]}.py`"
    return " ".join(words).capitalize() + rng.choice("...?")
