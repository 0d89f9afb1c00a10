"""Frontmatter keys that a layout requires of a file: which are missing, and the text with them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.formats import note
from memtool.formats.syntax.frontmatter import keys_or_empty, split
from memtool.formats.syntax.frontmatter_edit import set_key

if TYPE_CHECKING:
    from memtool.formats.syntax.yaml_text import Json

RequiredKeys = tuple[tuple[str, str], ...]
"""Keys, each with the value that it gets where it is missing; `{title}` in a value is the file's title."""


def missing_keys(text: str, required: RequiredKeys) -> RequiredKeys:
    """The required keys that the text does not have, or whose value is empty.

    Text with TOML frontmatter lacks none: YAML above it would make it part of the body.
    """
    if not required or text.startswith("+++"):
        return ()
    keys = keys_or_empty(split(text)[0])
    return tuple((key, value) for key, value in required if _is_empty(keys.get(key)))


def _is_empty(value: Json) -> bool:
    return not value.strip() if isinstance(value, str) else value in (None, [], {})


def with_required_keys(
    text: str, path: PurePosixPath, required: RequiredKeys, *, titled_by_heading: bool
) -> str:
    """The text with the required keys that it lacks. Raises UnreadableFile if its frontmatter is invalid."""
    missing = missing_keys(text, required)
    if missing:
        title = note.metadata(note.parse(text), path.stem, titled_by_heading=titled_by_heading).title
        for key, value in missing:
            text = set_key(text, key, value.replace("{title}", title))
    return text
