"""Workspace file: set the layout in the text of memtool.toml and leave every other byte unchanged."""

from __future__ import annotations

import re

_KEY = r"(?m)^([ \t]*layout[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*')"
_TABLE = r"(?m)^[ \t]*\["
_OPENING = r"\ufeff?(?:[ \t]*(?:#[^\n]*)?\r?\n)*"


def with_layout(text: str, name: str) -> str | None:
    """The text with this layout; None if it cannot be set without changing anything else."""
    table = re.search(_TABLE, text)
    end = table.start() if table else len(text)
    opening = re.match(_OPENING, text[:end])
    insertion = opening.end() if opening else 0
    for key in re.compile(_KEY).finditer(text, 0, end):
        new = f'{text[: key.end(1)]}"{name}"{text[key.end() :]}'
        if _differs_only_in_layout(new, text, name):
            return new
    new = f'{text[:insertion]}layout = "{name}"\n{text[insertion:]}'
    return new if _differs_only_in_layout(new, text, name) else None


def _differs_only_in_layout(new: str, old: str, layout: str) -> bool:
    """Whether two TOML texts are equal except that the new one has this layout."""
    import tomllib

    try:
        new_values, old_values = (tomllib.loads(text.removeprefix("\ufeff")) for text in (new, old))
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return new_values == {**old_values, "layout": layout}
