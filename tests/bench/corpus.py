"""A memory tree for measuring: realistic Markdown, the same at every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

_SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi xo ya zu kar len mor tis ran del pos gra tion"
_VOCABULARY = 20_000
_FIRST_DAY = date(2023, 1, 1)


def tree(files: int = 1500, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Paths and texts: half notes, a third daily notes, the rest lists of facts; about 7 chunks a file.

    Words follow Zipf's law over 20,000 invented ones, with identifiers, dates and names strewn in.
    """
    rng = random.Random(seed)
    draw = vocabulary(rng)
    for number in range(files):
        kind = number % 6
        if kind < 3:
            yield f"memory/notes/zettel/{number:05d}-{next(draw)}.md", _note(rng, draw)
        elif kind < 5:
            day = _FIRST_DAY + timedelta(days=number)
            yield f"memory/{day.isoformat()}.md", _daily(rng, draw, day)
        else:
            yield f"memory/semantic/{number:05d}.md", _facts(rng, draw)


def large(files: int = 10_000, seed: int = 11) -> Iterator[tuple[str, str]]:
    """Paths and texts of about 4 KB each: half notes, half daily notes; 10,000 are 40 MB."""
    rng = random.Random(seed)
    draw = vocabulary(rng)
    for number in range(files):
        if number % 2:
            day = _FIRST_DAY - timedelta(days=number // 2)
            yield f"memory/{day.isoformat()}.md", _daily(rng, draw, day, (7, 10))
        else:
            yield f"memory/notes/zettel/{number:06d}-{next(draw)}.md", _note(rng, draw, (9, 14))


def kept_by_hand(notes: int = 2000, others: int = 5000, seed: int = 9) -> Iterator[tuple[str, str]]:
    """Paths and texts: notes that link to each other, and others, half daily notes, half lists of facts.

    A note has six links or so, of which one in fifty leads nowhere; one fact in a hundred is there twice.
    """
    rng = random.Random(seed)
    draw = vocabulary(rng)
    names = [f"{number:05d}-{next(draw)}" for number in range(notes)]
    for name in names:
        yield f"memory/notes/zettel/{name}.md", _linked(_note(rng, draw), names, rng)
    for number in range(others // 2):
        day = _FIRST_DAY + timedelta(days=number)
        yield f"memory/{day.isoformat()}.md", _daily(rng, draw, day)
    for number in range(others - others // 2):
        yield f"memory/semantic/{number:05d}.md", _lines(rng, draw, number)


def vocabulary(rng: random.Random) -> Iterator[str]:
    """Endless words, as often as Zipf's law has them."""
    words = _words(rng)
    weights = [1 / (rank + 10) for rank in range(len(words))]
    stream = iter(lambda: rng.choices(words, weights, k=4096), None)
    return (word for batch in stream for word in batch)


def _words(rng: random.Random) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < _VOCABULARY:
        made["".join(rng.choices(_SYLLABLES.split(), k=rng.randint(1, 4)))] = None
    return list(made)


def _sentence(rng: random.Random, draw: Iterator[str]) -> str:
    words = [next(draw) for _ in range(rng.randint(6, 16))]
    if rng.random() < 0.2:
        words[2] = f"{words[2]}_{words[3]}.py"
    if rng.random() < 0.1:
        words[4] = f"ABC-{rng.randint(1, 999)}"
    return " ".join(words).capitalize() + "."


def _paragraph(rng: random.Random, draw: Iterator[str]) -> str:
    return " ".join(_sentence(rng, draw) for _ in range(rng.randint(2, 5)))


def _note(rng: random.Random, draw: Iterator[str], sections: tuple[int, int] = (3, 6)) -> str:
    title = f"{next(draw)} {next(draw)}".title()
    head = f"---\ntitle: {title}\ntags: [{next(draw)}, {next(draw)}]\n---\n# {title}\n\n"
    parts = [f"## {next(draw).title()}\n\n{_paragraph(rng, draw)}\n" for _ in range(rng.randint(*sections))]
    return head + "\n".join(parts)


def _daily(rng: random.Random, draw: Iterator[str], day: date, exchanges: tuple[int, int] = (4, 9)) -> str:
    blocks = [
        f"## [{8 + i:02d}:{rng.randint(0, 59):02d}:00]\n**User:** {_sentence(rng, draw)}\n"
        f"**Agent:** {_paragraph(rng, draw)}\n"
        for i in range(rng.randint(*exchanges))
    ]
    return f"# Daily Notes -- {day.isoformat()}\n\n" + "\n".join(blocks)


def _facts(rng: random.Random, draw: Iterator[str]) -> str:
    items = [f"- **preference**: {_sentence(rng, draw)}" for _ in range(rng.randint(6, 14))]
    return "# Facts\n\n## Auto-captured\n" + "\n".join(items) + "\n"


def _linked(text: str, names: list[str], rng: random.Random) -> str:
    """A note with links at the ends of its sentences."""
    first, *others = text.split(". ")
    said = [first]
    for sentence in others:
        name = rng.choice(names) if rng.random() < 0.98 else "never-written"
        link = f" [[{name}]]" if rng.random() < 0.75 else f" [it]({name}.md)"
        said.append(sentence + link if rng.random() < 0.6 and "\n" not in sentence else sentence)
    return ". ".join(said)


def _lines(rng: random.Random, draw: Iterator[str], number: int) -> str:
    items = [
        f"- [preference] {_sentence(rng, draw)} ^m-{number:x}-{row}" for row in range(rng.randint(6, 14))
    ]
    if rng.random() < 0.1:
        items.append(items[0].rpartition(" ^")[0])
    return "# Facts\n\n" + "\n".join(items) + "\n"
