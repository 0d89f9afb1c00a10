"""Canvas: an Obsidian board of cards, each a file or Markdown text.

The format is JSON Canvas 1.0 (jsoncanvas.org). The node of a file has its path from the root of the vault
as `file`, and a heading or a block in it as `subpath`, which begins with `#`. The node of a text has its
Markdown as `text`. Everything else on a canvas is preserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from memtool.core.text.edits import TextEdit
from memtool.formats.syntax import json_edit, json_text

SUFFIX = ".canvas"
"""The suffix of a canvas's file name."""


class CanvasCard(Struct, frozen=True):
    """A card by its index among the nodes: its file and the place in it, or its Markdown.

    Fields that do not apply are empty.
    """

    number: int
    file: str
    subpath: str
    text: str


def cards(content: str) -> tuple[CanvasCard, ...]:
    """The cards of a canvas that refer to a file or hold Markdown. Raises InvalidJson."""
    if not content.strip("\ufeff \t\r\n"):  # Obsidian creates empty files
        return ()
    value = json_text.loads(content)[0]
    nodes = value.get("nodes") if isinstance(value, dict) else None
    if not isinstance(nodes, list):
        return ()
    read = (_card(number, node) for number, node in enumerate(nodes) if isinstance(node, dict))
    return tuple(card for card in read if card.file or card.text)


def edits(content: str, changes: Mapping[tuple[int, str], str]) -> tuple[TextEdit, ...]:
    """The edits that set the given (node index, key) pairs to other texts. Raises InvalidJson."""
    paths: dict[tuple[str | int, ...], str] = {
        ("nodes", number, key): text for (number, key), text in changes.items()
    }
    return json_edit.string_edits(content, paths) if paths else ()


def may_contain(content: str, name: str) -> bool:
    """Whether a text that is not valid JSON may contain a name, plain or with JSON escapes."""
    lowered = content.lower()
    return any(spelled.lower() in lowered for spelled in (name, json_edit.escape_string(name)))


def _card(number: int, node: Mapping[str, Any]) -> CanvasCard:
    kind = node.get("type")
    return CanvasCard(
        number,
        _text(node, "file") if kind == "file" else "",
        _text(node, "subpath") if kind == "file" else "",
        _text(node, "text") if kind == "text" else "",
    )


def _text(node: Mapping[str, Any], key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""
