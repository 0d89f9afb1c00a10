"""canvases: the cards of Obsidian's canvases that are notes or link to them, and that follow a note."""

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
    """A canvas whose cards follow a note: the change that does it, and how many texts of cards that are."""

    change: Replace
    count: int


def followed(known: Web, path: str, moving: Moving) -> Iterator[Followed]:
    """Every canvas that changes when the note at a path moves: its file cards, and the links of its texts.

    Raises Unreadable for a canvas that cannot be read, unless it is clear that it does not name the note, and
    where a card cannot be rewritten safely.
    """
    for one in filter(is_canvas, known.files):
        place = PurePosixPath(one)
        try:
            document = known.workspace.read(place)
        except MemtoolError as error:
            raise Unreadable(f"{error}; its cards could not follow, so nothing was moved") from error
        if document is None:
            continue
        try:
            changes = refiled(document.text, one, one, moving)
        except NotJson as error:
            if canvas.may_name(document.text, PurePosixPath(path).stem):
                said = f"{one} {error}; its cards could not follow, so nothing was moved"
                raise Unreadable(said) from error
            continue
        if changes:
            yield Followed(Replace(place, edit(document.text, changes).text, document.etag), len(changes))


def is_canvas(path: str) -> bool:
    """Whether a file is a canvas by its name."""
    return path.lower().endswith(canvas.ENDING)


def refiled(text: str, source: str, home: str, moving: Moving) -> tuple[Edit, ...]:
    """What changes of a canvas, which goes from `source` to `home` perhaps, where files move.

    Raises NotJson, and Unreadable where a link in a card cannot be rewritten safely.
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
            made, links_changed = relinked(card.text, _linked(card.text, source), home, moving)
            if links_changed:
                changes[card.number, "text"] = made
    return canvas.edits(text, changes)


def refiled_if_read(
    document: Document, source: str, home: str, moving: Moving, unread: list[str]
) -> tuple[Edit, ...]:
    """The same, and nothing where that raises, which is told among what is unread."""
    try:
        return refiled(document.text, source, home, moving)
    except NotJson as error:
        unread.append(f"{source} {error}; its cards stay as they are")
    except Unreadable as error:
        unread.append(str(error))
    return ()


def standing(workspace: Workspace, files: Iterable[str], names: Names) -> Iterator[str]:
    """The files that stand on a canvas, or that a text on one links to. What cannot be read names none."""
    for one in files:
        if is_canvas(one):
            try:
                document = workspace.read(PurePosixPath(one))
                found = canvas.cards(document.text) if document is not None else ()
            except (MemtoolError, NotJson):
                continue
            for card in found:
                yield card.file
                targets = (names.resolve(link, source) for source, link in _linked(card.text, one))
                yield from (target.path for target in targets if isinstance(target, Found))


def _linked(text: str, home: str) -> Linked:
    """The links of a card's Markdown, which is read as Obsidian does: seen from the canvas."""
    return [(home, link) for link in links(text, len(note.parse(text).meta))] if text else []


def _same(path: str) -> str:
    return unicodedata.normalize("NFC", path)
