"""A notebook of thousands: how long each look at its links takes, and a move, as whole commands.

`python -m tests.bench.notes [COUNT]` prints one table.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.__main__ import timed
from tests.bench.facts import said
from tests.trees import clean_environment, make

COUNT = 2000
ROUNDS = 5
FOLDERS = ("inbox", "zettel", "zettel/clay", "zettel/clay/fire", "maps")
COMMANDS = {
    "links of all": ["links"],
    "backlinks of one": ["backlinks", "note-7"],
    "orphans": ["orphans"],
    "broken": ["broken"],
    "tags": ["tags"],
    "graph, dot": ["graph"],
    "graph, svg": ["graph", "--format", "svg"],
    "graph, html": ["graph", "--format", "html"],
    "new (nothing written)": ["new", "--dry-run", "A thought"],
    "mv (nothing written)": ["mv", "--dry-run", "note-7", "inbox/"],
}


def notes(count: int, paragraphs: int = 8) -> Iterator[tuple[str, str]]:
    """So many notes, each with links in every style, some to what is not there.

    A note of 8 paragraphs, at least 6, has 2,000 characters.
    """
    chance = random.Random(11)
    folders = [chance.choice(FOLDERS) for _ in range(count)]
    for number in range(count):
        blocks = [said(chance, 45) for _ in range(paragraphs)]
        for place in range(chance.randint(0, 5)):
            other = int(count * chance.random() ** 2)
            near = os.path.relpath(f"{folders[other]}/note-{other}.md", folders[number])
            forms = (
                f"[[note-{other}]]",
                f"[[Note {other}|that]]",
                f"![[note-{other}#Note {other}]]",
                f"[it]({near})",
            )
            blocks[place] += " " + chance.choice([*forms, *forms, f"[[nothing {other}]]"])
        blocks[-1] += f" `[[code]]` #topic/{chance.randrange(40)}"
        meta = f"id: {20240000 + number}\ntitle: Note {number}\ncreated: 2024-11-03T09:00:00Z\ntags: [a, b]"
        body = "\n\n".join(blocks)
        text = f"---\n{meta}\n---\n# Note {number}\n\n{body}\n"
        yield f"memory/notes/{folders[number]}/note-{number}.md", text


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = make(Path(folder) / "w", {"memtool.toml": 'layout = "native"\n', **dict(notes(count))})
        environment = clean_environment(Path(folder))
        for what, arguments in COMMANDS.items():
            command = [sys.executable, "-m", "memtool", "note", *arguments]
            spent = statistics.median(timed(command, root, environment) for _ in range(ROUNDS))
            sys.stdout.write(f"{what:<24}{spent:6.2f} s\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
