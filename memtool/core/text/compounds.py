"""The smaller compounds in a compound, by which a search finds it, too."""

from __future__ import annotations

from memtool.core.text.tokenizer import CONNECTORS, LONGEST_CONNECTION, CompoundWord, pieces

_LONGEST = 128
"""Characters of a compound; longer ones are found by their parts."""
_LEVELS = ("/\\", ":@=&?#", ".", "+~%")
_SIGNS = "".join(CONNECTORS)
_SIGN_BYTES = _SIGNS.encode()
_LETTERS = b"0123456789abcdefghijklmnopqrstuvwxyz"


def nested_compounds(compound: str) -> list[str]:
    """A compound's text and the smaller compounds in it: `a/b-c.md` holds `b-c.md` and `b-c`.

    It is split at slashes first, then at colons and `@`, then at dots, and so on, level by level.
    """
    signs = CONNECTORS.intersection(compound)
    if not signs:
        return [compound]
    level = [compound] if not signs.isdisjoint(_LEVELS[0]) else [compound.strip(_SIGNS)]
    found = [compound, *level]
    for separators in _LEVELS:
        if not signs.isdisjoint(separators):
            for separator in separators[1:]:
                level = [text.replace(separator, separators[0]) for text in level]
            parts = [part.strip(_SIGNS) for text in level for part in text.split(separators[0])]
            level = [part for part in parts if not part.isalnum()]
            found += level
    distinct = dict.fromkeys(found)
    return [text for text in distinct if 1 < len(text) <= _LONGEST and not CONNECTORS.isdisjoint(text)]


def plain_compounds(part: str) -> list[str]:
    """What `nested_compounds` gives of the compounds in a part of plain text between blanks."""
    parts = part.split(".")
    letters = "".join(parts).replace("_", "").replace("-", "")
    is_short = len(part) - len(letters) <= LONGEST_CONNECTION and len(part) <= _LONGEST
    if is_short and letters.isalnum() and _has_letter_ends(part):  # words joined by dots, `_` and `-` alone
        if len(letters) == len(part):
            return []
        bare = [each.strip("_-") for each in parts if not each.isalnum()]
        return [*dict.fromkeys([part, *[each for each in bare if each and not each.isalnum()]])]
    signs = part.encode().translate(None, _LETTERS)
    if not signs:
        return []
    if len(signs) > LONGEST_CONNECTION or signs.translate(None, _SIGN_BYTES) or not _has_letter_ends(part):
        compounds = [piece.text for piece, _, _ in pieces(part) if isinstance(piece, CompoundWord)]
        return [text for compound in compounds for text in nested_compounds(compound)]
    return nested_compounds(part.replace("'", ""))  # nearly always


def _has_letter_ends(part: str) -> bool:
    return part[:1].isalnum() and part[-1:].isalnum()
