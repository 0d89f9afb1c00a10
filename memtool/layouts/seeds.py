"""Seeds: the initial contents of new files, with slots for the layout and the date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import PurePosixPath

from memtool.layouts.layout import Layout, Place
from memtool.layouts.resources import resource_text


def seed_text(layout: Layout, role: str, *, day: date | None = None) -> str:
    """The initial content of a new file of a role; "" for a role without a seed."""
    return place_seed_text(layout, layout.place(role), day=day)


def place_seed_text(layout: Layout, place: Place, *, day: date | None = None) -> str:
    """The initial content of a new file of a place; "" for a place without a seed."""
    return _text(place.seed, layout, day) if place.seed else ""


def initial_files(layout: Layout, *, day: date) -> Iterator[tuple[PurePosixPath, str]]:
    """The files that `init` creates, with their contents, in the layout's order."""
    for path, seed in layout.initial:
        yield PurePosixPath(path), _text(seed, layout, day)


def initial_text(layout: Layout, path: PurePosixPath) -> str:
    """The content that `init` writes to a file of this name, in the root or a group; "" for other files."""
    name = path.name
    seed = next((seed for initial, seed in layout.initial if initial.rpartition("/")[2] == name), None)
    return _text(seed, layout, None) if seed else ""


def unfilled_text(layout: Layout, path: PurePosixPath, role: str) -> str:
    """The content that a file of this path and role has before anybody writes to it; "" where it has none."""
    return initial_text(layout, path) or seed_text(layout, role)


@cache
def _seed(name: str) -> str:
    return resource_text(f"seeds/{name}")


def _text(seed: str, layout: Layout, day: date | None) -> str:
    return _seed(seed).replace("{layout}", layout.name).replace("{day}", day.isoformat() if day else "")
