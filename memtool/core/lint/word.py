"""Words: categories that are known, and which of them a misspelt one is meant for."""

from __future__ import annotations

from collections.abc import Collection

_CLOSE = 0.8
"""How alike two words must be, as difflib measures it, for one to be a slip of the other."""


def unknown(word: str, known: Collection[str]) -> str:
    """A sentence on a category that is not among those known, with the one it is meant for; else nothing."""
    if word in known:
        return ""
    near = meant(word, known)
    return f"{word!r} is no category that memtool knows{f'; is {near!r} meant?' if near else ''}"


def meant(word: str, known: Collection[str]) -> str:
    """The known word that another is a slip of; nothing where there is none."""
    from difflib import get_close_matches

    plain = word.lower().replace("-", "_")
    if plain in known:
        return plain
    found = get_close_matches(plain, sorted(known), n=1, cutoff=_CLOSE)
    return found[0] if found else ""
