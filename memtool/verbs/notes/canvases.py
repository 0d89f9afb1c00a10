"""Obsidian canvases: the cards that show notes or link to them, and their edits when a note moves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.links import links
from memtool.core.notes.names import Found, Names
from memtool.core.notes.relink import Moving, heading
from memtool.core.records.document import Document
from memtool.core.records.plan import Replace
from memtool.core.text.edited import Edit, edit
from memtool.errors import MemtoolError, Unreadable
from memtool.formats import canvas, note
from memtool.formats.syntax.json_text import NotJson
from memtool.store.workspace import Workspace
from memtool.verbs.notes.relinked import Linked, relinked
from memtool.verbs.notes.web import Web


class Followed(Struct, frozen=True):
    """The change that updates a canvas after a note moves, and how many cards it edits."""

    change: Replace
    count: int


def followed(graph: Web, path: str, moving: Moving) -> Iterator[Followed]:
    """Yield the change of each canvas that shows or links to the note at `path`, which moves.

    Raises Unreadable for a canvas that cannot be read, unless it certainly does not name the note, and for a
    card that cannot be rewritten safely.
    """
    for canvas_path in filter(is_canvas, graph.files):
        place = PurePosixPath(canvas_path)
        try:
            document = graph.workspace.read(place)
        except MemtoolError as error:
            raise Unreadable(f"{error}; its cards could not follow, so nothing was moved") from error
        if document is None:
            continue
        try:
            changes = refiled(document.text, canvas_path, canvas_path, moving)
        except NotJson as error:
            if canvas.may_name(document.text, PurePosixPath(path).stem):
                message = f"{canvas_path} {error}; its cards could not follow, so nothing was moved"
                raise Unreadable(message) from error
            continue
        if changes:
            yield Followed(Replace(place, edit(document.text, changes).text, document.etag), len(changes))


def is_canvas(path: str) -> bool:
    """Whether a file name is that of a canvas."""
    return path.lower().endswith(canvas.ENDING)


def refiled(text: str, source: str, home: str, moving: Moving) -> tuple[Edit, ...]:
    """Return the edits of a canvas when files move; the canvas itself moves from `source` to `home`.

    Raises NotJson, and Unreadable for a link in a card that cannot be rewritten safely.
    """
    moves = {_same(path): target for path, target in moving.moves.items()}
    changes: dict[tuple[int, str], str] = {}
    for card in canvas.cards(text):
        target = moves.get(_same(card.file)) if card.file else None
        if target is not None:
            if _same(target) != _same(card.file):
                changes[card.number, "file"] = target
            anchor = heading(card.subpath.removeprefix("#"), moving)
            if anchor is not None:
                changes[card.number, "subpath"] = f"#{anchor}"
        elif card.text:
            new_text, links_changed = relinked(card.text, _linked(card.text, source), home, moving)
            if links_changed:
                changes[card.number, "text"] = new_text
    return canvas.edits(text, changes)


def refiled_if_read(
    document: Document, source: str, home: str, moving: Moving, unread: list[str]
) -> tuple[Edit, ...]:
    """Return the edits of a canvas, or none where that fails; the reason is appended to `unread`."""
    try:
        return refiled(document.text, source, home, moving)
    except NotJson as error:
        unread.append(f"{source} {error}; its cards stay as they are")
    except Unreadable as error:
        unread.append(str(error))
    return ()


def standing(workspace: Workspace, files: Iterable[str], names: Names) -> Iterator[str]:
    """Yield the files that canvases show or link to; unreadable canvases are skipped."""
    for canvas_path in files:
        if is_canvas(canvas_path):
            try:
                document = workspace.read(PurePosixPath(canvas_path))
                cards = canvas.cards(document.text) if document is not None else ()
            except (MemtoolError, NotJson):
                continue
            for card in cards:
                yield card.file
                targets = (names.resolve(link, source) for source, link in _linked(card.text, canvas_path))
                yield from (target.path for target in targets if isinstance(target, Found))


def _linked(text: str, home: str) -> Linked:
    """The links of a card's Markdown, resolved from the canvas as Obsidian does."""
    return [(home, link) for link in links(text, len(note.parse(text).meta))] if text else []


def _same(path: str) -> str:
    return unicodedata.normalize("NFC", path)
