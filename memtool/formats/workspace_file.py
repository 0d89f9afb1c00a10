"""Workspace file: the text of memtool.toml with another layout, every other byte of it kept."""

from __future__ import annotations

import re

_KEY = r"(?m)^([ \t]*layout[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*')"
_TABLE = r"(?m)^[ \t]*\["
_OPENING = r"\ufeff?(?:[ \t]*(?:#[^\n]*)?\r?\n)*"


def with_layout(text: str, name: str) -> str | None:
    """The text that names this layout; None where that cannot be done without touching anything else."""
    import tomllib

    first = re.search(_TABLE, text)
    end = first.start() if first else len(text)
    key = re.compile(_KEY).search(text, 0, end)
    if key:
        new = f'{text[: key.end(1)]}"{name}"{text[key.end() :]}'
    else:
        opening = re.match(_OPENING, text[:end])
        at = opening.end() if opening else 0
        new = f'{text[:at]}layout = "{name}"\n{text[at:]}'
    try:
        as_meant = tomllib.loads(new.removeprefix("\ufeff")) == {
            **tomllib.loads(text.removeprefix("\ufeff")),
            "layout": name,
        }
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    return new if as_meant else None
