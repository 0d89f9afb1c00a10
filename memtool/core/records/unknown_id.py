"""What to say of an id that nothing has: the ids that may be meant, or the command that lists all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memtool.core.text.enumeration import enumeration
from memtool.core.text.sanitise import clip
from memtool.core.text.stems import content_stems

_MOST_NAMED = 3
_MIN_SIMILARITY = 0.75
_LEAST_PREFIX = 3
"""Characters of an id that are enough to suggest those that begin with them."""
_LEAST_WORD = 2
_SHOWN_CHARS = 60
"""Characters of a text that are shown beside its id."""
_KINDS = {"fact": r"[mk]-[\w-]+", "rule": "ri?-[0-9a-f]{6,}"}
"""The forms of the ids of facts and rules."""


def kind_of_id(name: str) -> str:
    """What has ids of this form: `fact` or `rule`; "" for others."""
    return next((kind for kind, form in _KINDS.items() if re.fullmatch(form, name)), "")


def id_hint(name: str, texts: Mapping[str, str], listing: str) -> str:
    """The end of an error about an unknown id: similar ids, or those whose text has it, and `listing`.

    For several words, the ids whose texts have all of them but stop words, in any order.

    `texts` has what the caller may see: the text of each id. `listing` is a command.
    """
    from difflib import get_close_matches

    begun = [other for other in texts if other.startswith(name)] if len(name) >= _LEAST_PREFIX else []
    if near := begun or get_close_matches(name, texts, n=_MOST_NAMED, cutoff=_MIN_SIMILARITY):
        return f" (did you mean {_alternatives(near, 'or')}?); see {listing}"
    word = name.casefold()
    having = [other for other, text in texts.items() if len(word) >= _LEAST_WORD and word in text.casefold()]
    if having:
        return f"; {name!r} occurs in the text of {_alternatives(having, 'and')}; see {listing}"
    stems = content_stems(name) if " " in name else frozenset()
    if stems and (near := [other for other, text in texts.items() if stems <= content_stems(text)]):
        named = [f'{other} "{clip(texts[other], _SHOWN_CHARS)}"' for other in near]
        return f" (did you mean {_alternatives(named, 'or')}?); see {listing}"
    return f"; see {listing}"


def _alternatives(ids: list[str], conjunction: str) -> str:
    more = [f"{len(ids) - _MOST_NAMED} more"] if len(ids) > _MOST_NAMED else []
    return enumeration([*ids[:_MOST_NAMED], *more], conjunction)
