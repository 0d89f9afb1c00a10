"""File names made of titles: valid on every system and usable in links."""

from __future__ import annotations

import unicodedata

from memtool.core.text.regex import regex
from memtool.core.text.truncate import character_boundary

_UNWANTED = r"[\x00-\x1f\x7f/\\:*?\"<>|#^\[\]\u2028\u2029]+"
_MAX_BYTES = 150
"""The most bytes of a name without its suffix: file systems allow 255, and `-2` and `.md` need some."""
_DEVICE = r"(?i)(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³])(?=\.|\Z)"
"""Names of devices on Windows, with any suffix (learn.microsoft.com, "Naming Files")."""
UNLINKABLE_CHARACTERS = "#^[]|\\"
"""Characters that a wikilink cannot contain; Obsidian rejects them in file names."""


def title_slug(title: str) -> str:
    """A title as lower-case letters and digits of any script, joined by hyphens; "" if it has none."""
    letters = [
        char if char.isalnum() or unicodedata.category(char)[0] == "M" else "-"
        for char in unicodedata.normalize("NFC", title).lower()
    ]
    return _avoid_device(_shorten("-".join(part for part in "".join(letters).split("-") if part)).strip("-"))


def title_file_name(title: str) -> str:
    """A title as a file name, with blanks for forbidden characters; "" if nothing is left."""
    bare = regex(_UNWANTED).sub(" ", unicodedata.normalize("NFC", title))
    return _avoid_device(_shorten(" ".join(bare.split()).strip(". ")).strip(". "))


def _avoid_device(name: str) -> str:
    """Append `_` to a device name."""
    return regex(_DEVICE).sub(r"\g<0>_", name, count=1) if regex(_DEVICE).match(name) else name


def _shorten(name: str) -> str:
    """Shorten a name to what a file name may hold, at the end of a word if possible."""
    content = name.encode("utf-8", "replace")
    if len(content) <= _MAX_BYTES:
        return content.decode()
    cut = content[:_MAX_BYTES].decode("utf-8", "ignore")
    short = name[: character_boundary(name, len(cut))]
    return max(short.rpartition("-")[0], short.rpartition(" ")[0], key=len) or short
