"""Canvases: Obsidian's boards of cards, some of which are files and some of which hold Markdown.

The format is JSON Canvas 1.0 (jsoncanvas.org): a file's card has its path from the root of the vault as
`file`, and a heading or a block in it as `subpath`, which begins with `#`; a text's card has its Markdown as
`text`. What else is on a canvas is somebody else's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.core.text.edited import Edit
from memtool.formats.syntax import json_edit, json_text

ENDING = ".canvas"
"""What the name of a canvas ends with."""


class Card(Struct, frozen=True):
    """A card by its number among the nodes: the file that it is, and where in it, or the Markdown it holds.

    What it has not is empty.
    """

    number: int
    file: str
    subpath: str
    text: str


def cards(content: str) -> tuple[Card, ...]:
    """The cards of a canvas that are a file or hold Markdown. Raises NotJson."""
    if not content.strip("\ufeff \t\r\n"):  # as Obsidian makes it
        return ()
    found = json_text.loads(content)[0]
    nodes = found.get("nodes") if isinstance(found, dict) else None
    if not isinstance(nodes, list):
        return ()
    made = (_card(number, node) for number, node in enumerate(nodes) if isinstance(node, dict))
    return tuple(one for one in made if one.file or one.text)


def edits(content: str, changes: Mapping[tuple[int, str], str]) -> tuple[Edit, ...]:
    """The edits that give keys of nodes other texts, and change not another byte. Raises NotJson."""
    paths: dict[tuple[str | int, ...], str] = {
        ("nodes", number, key): text for (number, key), text in changes.items()
    }
    return json_edit.text_edits(content, paths) if paths else ()


def may_name(content: str, name: str) -> bool:
    """Whether a text that is no JSON may still have a name in it, spelled as JSON can spell it."""
    lowered = content.lower()
    return any(spelled.lower() in lowered for spelled in (name, json_edit.escaped(name)))


def _card(number: int, node: Mapping[str, Any]) -> Card:
    kind = node.get("type")
    return Card(
        number,
        _text(node, "file") if kind == "file" else "",
        _text(node, "subpath") if kind == "file" else "",
        _text(node, "text") if kind == "text" else "",
    )


def _text(node: Mapping[str, Any], key: str) -> str:
    found = node.get(key)
    return found if isinstance(found, str) else ""
