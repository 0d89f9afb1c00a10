"""Titles: what a file is called after one, so that every system takes the name and links can hold it."""

from __future__ import annotations

import unicodedata

from memtool.core.text.pattern import compiled
from memtool.core.text.truncate import whole_character

_UNWANTED = r"[\x00-\x1f\x7f/\\:*?\"<>|#^\[\]\u2028\u2029]+"
_BYTES = 150
"""Of a file's name without its ending: file systems allow 255, of which `-2` and `.md` need some."""
_DEVICE = r"(?i)(?:con|prn|aux|nul|(?:com|lpt)[1-9¹²³])(?=\.|\Z)"
"""What Windows takes for a device, whatever ending follows (learn.microsoft.com, "Naming Files")."""
UNLINKABLE = "#^[]|\\"
"""What no wikilink can name, so that Obsidian takes it in no file's name."""


def slug(title: str) -> str:
    """A title in lower-case letters and digits of any script with hyphens between; "" if it has none."""
    letters = [
        char if char.isalnum() or unicodedata.category(char)[0] == "M" else "-"
        for char in unicodedata.normalize("NFC", title).lower()
    ]
    return _no_device(_short("-".join(part for part in "".join(letters).split("-") if part)).strip("-"))


def file_name(title: str) -> str:
    """A title as the name of a file, with spaces for what no name or link may hold; "" if nothing is left."""
    bare = compiled(_UNWANTED).sub(" ", unicodedata.normalize("NFC", title))
    return _no_device(_short(" ".join(bare.split()).strip(". ")).strip(". "))


def _no_device(name: str) -> str:
    """A name with a stroke behind what would be a device."""
    return compiled(_DEVICE).sub(r"\g<0>_", name, count=1) if compiled(_DEVICE).match(name) else name


def _short(name: str) -> str:
    """As much of a name as a file's name holds, cut at a word's end where there is one."""
    content = name.encode("utf-8", "replace")
    if len(content) <= _BYTES:
        return content.decode()
    cut = content[:_BYTES].decode("utf-8", "ignore")
    short = name[: whole_character(name, len(cut))]
    return max(short.rpartition("-")[0], short.rpartition(" ")[0], key=len) or short
