"""canvases: the cards of Obsidian's canvases that are notes or link to them, and that follow a note."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtool.core.links import links
from memtool.core.names import Found, Names
from memtool.core.plan import Replace
from memtool.core.relink import Moving, heading
from memtool.errors import MemtoolError, Unreadable
from memtool.formats import canvas, note
from memtool.formats.canvas import Card
from memtool.formats.json_text import NotJson
from memtool.store.workspace import Workspace
from memtool.values import dataclass
from memtool.verbs.relinked import Linked, relinked
from memtool.verbs.web import Web


@dataclass(frozen=True, slots=True)
class Followed:
    """A canvas whose cards follow a note: the change that does it, and how many links and cards that are."""

    change: Replace
    count: int


def followed(known: Web, path: str, moving: Moving) -> Iterator[Followed]:
    """Every canvas that changes when the note at a path moves: its file cards, and the links of its texts.

    Raises Unreadable for a canvas that cannot be read, unless it is clear that it does not name the note, and
    where a card cannot be rewritten safely.
    """
    for one in known.files:
        if not one.lower().endswith(canvas.ENDING):
            continue
        place = PurePosixPath(one)
        try:
            document = known.workspace.read(place)
        except MemtoolError as error:
            raise Unreadable(f"{error}; its cards could not follow, so nothing was moved") from error
        if document is None:
            continue
        try:
            changes = dict(_changes(canvas.cards(document.text), one, path, moving))
            text = canvas.rewritten(document.text, changes) if changes else document.text
        except NotJson as error:
            if canvas.may_name(document.text, PurePosixPath(path).stem):
                said = f"{one} {error}; its cards could not follow, so nothing was moved"
                raise Unreadable(said) from error
            continue
        if changes:
            yield Followed(Replace(place, text, document.etag), len(changes))


def standing(workspace: Workspace, files: Iterable[str], names: Names) -> Iterator[str]:
    """The files that stand on a canvas, or that a text on one links to. What cannot be read names none."""
    for one in files:
        if one.lower().endswith(canvas.ENDING):
            try:
                document = workspace.read(PurePosixPath(one))
                found = canvas.cards(document.text) if document is not None else ()
            except (MemtoolError, NotJson):
                continue
            for card in found:
                yield card.file
                targets = (names.resolve(link, source) for source, link in _linked(card.text, one))
                yield from (target.path for target in targets if isinstance(target, Found))


def _changes(
    cards: tuple[Card, ...], home: str, path: str, moving: Moving
) -> Iterator[tuple[tuple[int, str], str]]:
    """The texts of nodes that change, by the node's number and the key."""
    for card in cards:
        if card.file and _same(card.file) == _same(path):
            if moving.path(path) != path:
                yield (card.number, "file"), moving.path(path)
            anchor = heading(card.subpath.removeprefix("#"), moving)
            if anchor is not None:
                yield (card.number, "subpath"), f"#{anchor}"
        elif card.text:
            text, changes = relinked(card.text, _linked(card.text, home), home, moving)
            if changes:
                yield (card.number, "text"), text


def _linked(text: str, home: str) -> Linked:
    """The links of a card's Markdown, which is read as Obsidian does: seen from the canvas."""
    return [(home, link) for link in links(text, len(note.parse(text).meta))] if text else []


def _same(path: str) -> str:
    return unicodedata.normalize("NFC", path)
