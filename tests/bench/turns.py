"""A history for measuring: realistic turns in day folders, the same at every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.bench.corpus import vocabulary

_FIRST = datetime(2022, 1, 1, 8, tzinfo=UTC)
_A_DAY = 100  # turns; so 100,000 of them are 1,000 days


def history(turns: int, seed: int = 11) -> Iterator[tuple[str, str]]:
    """Paths below the folder of turns, and texts: about 5 messages and 2.5 KB a turn.

    A user's question, then what an agent does with it: three times in four it thinks, calls a tool or two and
    reads what comes back, and it always answers. Words follow Zipf's law over 20,000 invented ones; there are
    paths, identifiers, numbers, typographic quotes and a little Cyrillic and Chinese.
    """
    rng = random.Random(seed)
    draw = vocabulary(rng)
    for number in range(turns):
        at = _FIRST + timedelta(days=number // _A_DAY, minutes=number % _A_DAY * 5)
        messages = [_said("user", _sentences(rng, draw, rng.randint(1, 4)))]
        if rng.random() < 0.75:
            for call in range(rng.randint(1, 2)):
                messages += _tool(rng, draw, f"call-{number}-{call}")
        messages.append(_said("assistant", _sentences(rng, draw, rng.randint(3, 10)), "final"))
        record = {
            "schema_version": 2,
            "id": f"turn-{number + 1:020}",
            "seq": number + 1,
            "created_at": at.isoformat().replace("+00:00", "Z"),
            "messages": messages,
        }
        yield f"{at:%Y/%m/%d}/{number + 1:020}.json", json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def write(root: Path, turns: int) -> int:
    """The history below `root`, its head included; the number of its messages."""
    count = 0
    for name, text in history(turns):
        path = root / "memory" / "history" / "turns" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        count += text.count('\n      "role": ')
    head = root / "memory" / "history" / "state" / "head.json"
    head.parent.mkdir(parents=True, exist_ok=True)
    head.write_text(json.dumps({"last_seq": turns, "updated_at": "2025-01-15T10:30:00Z"}) + "\n")
    return count


def _said(role: str, text: str, disposition: str = "") -> dict[str, object]:
    marked = {"disposition": disposition} if disposition else {}
    return {"role": role, "parts": [{"type": "text", "text": text, **marked}]}


def _tool(rng: random.Random, draw: Iterator[str], call: str) -> list[dict[str, object]]:
    thought = {"type": "reasoning", "text": _sentences(rng, draw, 1)}
    path = f"src/{next(draw)}/{next(draw)}_{next(draw)}.py"
    arguments = json.dumps({"path": path, "line": rng.randint(1, 900)})
    lines = [
        f"{n:>5}\t{next(draw)} = {next(draw)}({next(draw)!r}, {rng.random():.3f})"
        for n in range(rng.randint(2, 20))
    ]
    return [
        {
            "role": "assistant",
            "parts": [
                thought,
                {"type": "tool_call", "id": call, "name": "read_file", "arguments": arguments},
            ],
        },
        {
            "role": "tool",
            "parts": [
                {"type": "tool_result", "tool_call_id": call, "content": "\n".join(lines), "is_error": False}
            ],
        },
    ]


def _sentences(rng: random.Random, draw: Iterator[str], count: int) -> str:
    return " ".join(_sentence(rng, draw) for _ in range(count))


def _sentence(rng: random.Random, draw: Iterator[str]) -> str:
    words = [next(draw) for _ in range(rng.randint(6, 16))]
    chance = rng.random()
    if chance < 0.15:
        words[2] = f"`{words[2]}_{words[3]}.py`"
    elif chance < 0.25:
        words[1] = f"“{words[1]}”"
    elif chance < 0.30:
        words[4] = f"ABC-{rng.randint(1, 999)} —"
    elif chance < 0.32:
        words[3] = "обжиг"
    elif chance < 0.34:
        words[3] = "釉料測試"
    return " ".join(words).capitalize() + "."
