"""First contents of new files: one text per seed, with slots that are filled when the file is made."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from memtool.layouts.layout import Layout
from memtool.layouts.load import text_of


def seed_text(layout: Layout, role: str, *, day: date | None = None) -> str:
    """What a new file of a role begins with; nothing for a role without a seed."""
    seed = layout.place(role).seed
    return _text(seed, layout, day) if seed else ""


def seeds(layout: Layout, *, day: date) -> Iterator[tuple[PurePosixPath, str]]:
    """Each file that `init` creates, with its text, in the layout's order."""
    for path, seed in layout.initial:
        yield PurePosixPath(path), _text(seed, layout, day)


def initial_text(layout: Layout, path: PurePosixPath) -> str:
    """What `init` puts into a file of this name, at the root or in a group; nothing for others."""
    seed = next((seed for made, seed in layout.initial if PurePosixPath(made).name == path.name), None)
    return _text(seed, layout, None) if seed else ""


def _text(seed: str, layout: Layout, day: date | None) -> str:
    text = text_of(f"seeds/{seed}")
    return text.replace("{layout}", layout.name).replace("{day}", day.isoformat() if day else "")
