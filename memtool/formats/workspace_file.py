"""Workspace file: the text of memtool.toml with another layout, every other byte of it kept."""

from __future__ import annotations

import re

_KEY = r"(?m)^([ \t]*layout[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*')"
_TABLE = r"(?m)^[ \t]*\["
_OPENING = r"\ufeff?(?:[ \t]*(?:#[^\n]*)?\r?\n)*"


def with_layout(text: str, name: str) -> str | None:
    """The text that names this layout; None where that cannot be done without touching anything else."""
    first = re.search(_TABLE, text)
    end = first.start() if first else len(text)
    opening = re.match(_OPENING, text[:end])
    at = opening.end() if opening else 0
    for key in re.compile(_KEY).finditer(text, 0, end):
        new = f'{text[: key.end(1)]}"{name}"{text[key.end() :]}'
        if _says(new, text, name):
            return new
    new = f'{text[:at]}layout = "{name}"\n{text[at:]}'
    return new if _says(new, text, name) else None


def _says(new: str, old: str, layout: str) -> bool:
    """Whether a text says what the old one did, but for its layout."""
    import tomllib

    try:
        told, was = (tomllib.loads(text.removeprefix("\ufeff")) for text in (new, old))
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return told == {**was, "layout": layout}
