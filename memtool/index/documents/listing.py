"""The listing: which documents an index holds, as they were when it read them."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Mapping

from memtool.index.engine import BrokenIndex, Stamp

NAME = "documents.json"
VERSION = f"5 {unicodedata.unidata_version}"
"""The shape of the index and the way text becomes terms; another version's index is built anew.

The number goes up with every change of either; Unicode's version is part of what a word is.
"""


def read(folder: str) -> dict[str, Stamp]:
    """The stamps by path. Raises BrokenIndex when they cannot be read, or are another version's."""
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            kept = json.loads(file.read())
        if kept["version"] != VERSION:
            raise BrokenIndex("is of another version")
        return {path: Stamp._make(stamp) for path, stamp in kept["documents"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenIndex("has no readable list of its documents") from error


def write(folder: str, stamps: Mapping[str, Stamp]) -> None:
    """Replace the listing, whole or not at all. Raises OSError."""
    temporary = os.path.join(folder, f".{NAME}.new")
    text = json.dumps({"version": VERSION, "documents": stamps}, separators=(",", ":"))
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
        file.write(text)
    os.replace(temporary, os.path.join(folder, NAME))
