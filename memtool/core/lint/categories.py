"""Categories: whether a category is known, and which known one an unknown one resembles."""

from __future__ import annotations

from collections.abc import Collection

_MIN_SIMILARITY = 0.8
"""The least similarity, as difflib measures it, of a word and the one it is taken to misspell."""


def unknown_category_message(word: str, known: Collection[str]) -> str:
    """The message about an unknown category, with the known one it resembles; "" for a known category."""
    if word in known:
        return ""
    suggestion = closest_category(word, known)
    return f"{word!r} is no category that memtool knows{f'; is {suggestion!r} meant?' if suggestion else ''}"


def closest_category(word: str, known: Collection[str]) -> str:
    """The known word that a word misspells; "" if there is none."""
    from difflib import get_close_matches

    normalized = word.lower().replace("-", "_")
    if normalized in known:
        return normalized
    matches = get_close_matches(normalized, sorted(known), n=1, cutoff=_MIN_SIMILARITY)
    return matches[0] if matches else ""
