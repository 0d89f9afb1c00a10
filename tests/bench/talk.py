"""A long conversation for measuring: user and agent in turn, with tool calls and their output."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.bench.corpus import vocabulary

_SAID = (
    "Let's go with {a} for the {b}.", "I prefer {a} to {b}.", "The {a} failed because the {b} was too small.",
    "We need to check {a}/{b}.py before Friday.",
    "What about the {a} of {b}?", "It costs {n} euros a {a}.",
    "My {a}'s name is {B}.", "The limit of {a}_{b} is {n} now.",
)  # fmt: skip


def talk(tokens: int = 200_000, seed: int = 11) -> list[dict[str, Any]]:
    """Messages of OpenAI's shape, about so many tokens, a third of it what tools came back with."""
    rng = random.Random(seed)
    draw = vocabulary(rng)
    found: list[dict[str, Any]] = []
    size = number = 0

    def sentences(count: int) -> str:
        return " ".join(_sentence(rng, draw) for _ in range(count))

    while size < tokens * 4:
        made: list[dict[str, Any]] = [{"role": "user", "content": sentences(rng.randint(1, 8))}]
        if number % 3 == 0:
            function = {"name": "bash", "arguments": json.dumps({"command": f"cat src/{next(draw)}.py"})}
            made += [
                {
                    "role": "assistant",
                    "tool_calls": [{"id": f"c{number}", "function": function}],
                },
                {"role": "tool", "tool_call_id": f"c{number}", "content": sentences(30).replace(". ", ".\n")},
            ]
        made.append({"role": "assistant", "content": sentences(rng.randint(2, 12))})
        size += sum(len(one.get("content", "")) for one in made)
        found += made
        number += 1
    return found


def _sentence(rng: random.Random, draw: Any) -> str:
    if rng.random() < 0.15:
        a, b = next(draw), next(draw)
        return rng.choice(_SAID).format(a=a, b=b, B=b.capitalize(), n=rng.randint(2, 9999))
    return " ".join(next(draw) for _ in range(rng.randint(5, 20))).capitalize() + "."
