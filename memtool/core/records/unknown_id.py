"""What to say of an id that nothing has: the ids that may be meant, or the command that lists all of them."""

from __future__ import annotations

from collections.abc import Mapping

_MOST_NAMED = 3
_MIN_SIMILARITY = 0.75
_LEAST_PREFIX = 3
"""Characters of an id that are enough to suggest those that begin with them."""
_LEAST_WORD = 2


def id_hint(name: str, texts: Mapping[str, str], listing: str) -> str:
    """The end of an error about an unknown id: similar ids, or those whose text has it, and `listing`.

    `texts` has what the caller may see: the text of each id. `listing` is a command.
    """
    from difflib import get_close_matches

    begun = [other for other in texts if other.startswith(name)] if len(name) >= _LEAST_PREFIX else []
    if near := begun or get_close_matches(name, texts, n=_MOST_NAMED, cutoff=_MIN_SIMILARITY):
        return f" (did you mean {_alternatives(near, ' or ')}?); see {listing}"
    word = name.casefold()
    having = [other for other, text in texts.items() if len(word) >= _LEAST_WORD and word in text.casefold()]
    if having:
        return f"; {name!r} occurs in the text of {_alternatives(having, ' and ')}; see {listing}"
    return f"; see {listing}"


def _alternatives(ids: list[str], conjunction: str) -> str:
    if len(ids) > _MOST_NAMED:
        return f"{', '.join(ids[:_MOST_NAMED])} and {len(ids) - _MOST_NAMED} more"
    return conjunction.join(filter(None, (", ".join(ids[:-1]), ids[-1])))
