"""Obsidian canvases: the cards that show notes or link to them, and their edits when a note moves."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.link_parser import parse_links
from memtool.core.notes.link_resolver import LinkResolver, ResolvedLink
from memtool.core.notes.link_updates import FileMoves, renamed_anchor
from memtool.core.records.document import Document
from memtool.core.records.plan import Replace
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.errors import MemtoolError, UnreadableFile
from memtool.formats import canvas, note
from memtool.formats.syntax.json_text import InvalidJson
from memtool.store.workspace import Workspace
from memtool.verbs.notes.link_graph import LinkGraph
from memtool.verbs.notes.relink import SourcedLinks, relink

_NOTHING_CHANGED = "the cards of this canvas cannot be updated, so nothing was changed"
CanvasEditor = Callable[[str, str], tuple[TextEdit, ...]]
"""Returns the edits of a canvas, given its text and its path. Raises InvalidJson and UnreadableFile."""


class CanvasUpdate(Struct, frozen=True):
    """The change of a canvas after a note or a part of it has moved, and how many cards it edits."""

    change: Replace
    cards: int


def update_canvases(graph: LinkGraph, path: str, edits_of: CanvasEditor) -> Iterator[CanvasUpdate]:
    """Yield the change of each canvas that has edits because the note at `path`, or a part of it, moves.

    Raises UnreadableFile for a canvas that cannot be read, unless it certainly does not name the note, and
    for a card that cannot be rewritten safely.
    """
    for canvas_path in filter(is_canvas, graph.files):
        place = PurePosixPath(canvas_path)
        try:
            document = graph.workspace.read(place)
        except MemtoolError as error:
            raise UnreadableFile(f"{error}; {_NOTHING_CHANGED}") from error
        if document is None:
            continue
        try:
            changes = edits_of(document.text, canvas_path)
        except InvalidJson as error:
            if canvas.may_contain(document.text, PurePosixPath(path).stem):
                raise UnreadableFile(f"{canvas_path} {error}; {_NOTHING_CHANGED}") from error
            continue
        if changes:
            yield CanvasUpdate(
                Replace(place, apply_edits(document.text, changes).text, document.etag), len(changes)
            )


def is_canvas(path: str) -> bool:
    """Whether a file name is that of a canvas."""
    return path.lower().endswith(canvas.SUFFIX)


def is_card_of(card: canvas.CanvasCard, path: str) -> bool:
    """Whether a card shows the file at a path, or a part of it."""
    return bool(card.file) and _normalise(card.file) == _normalise(path)


def edits_in_place(moving: FileMoves) -> CanvasEditor:
    """The edits of canvases that stay where they are when files move."""
    return lambda text, path: canvas_edits(text, path, path, moving)


def canvas_edits(text: str, source: str, home: str, moving: FileMoves) -> tuple[TextEdit, ...]:
    """Return the edits of a canvas when files move; the canvas itself moves from `source` to `home`.

    Raises InvalidJson, and UnreadableFile for a link in a card that cannot be rewritten safely.
    """
    moves = {_normalise(path): target for path, target in moving.moves.items()}
    changes: dict[tuple[int, str], str] = {}
    for card in canvas.cards(text):
        target = moves.get(_normalise(card.file)) if card.file else None
        if target is not None:
            if _normalise(target) != _normalise(card.file):
                changes[card.number, "file"] = target
            anchor = renamed_anchor(card.subpath.removeprefix("#"), moving)
            if anchor is not None:
                changes[card.number, "subpath"] = f"#{anchor}"
        elif card.text:
            new_text, links_changed = relink(card.text, _card_links(card.text, source), home, moving)
            if links_changed:
                changes[card.number, "text"] = new_text
    return canvas.edits(text, changes)


def canvas_edits_or_notice(
    document: Document, source: str, home: str, moving: FileMoves, unread: list[str]
) -> tuple[TextEdit, ...]:
    """Return the edits of a canvas, or none where that fails; the reason is appended to `unread`."""
    try:
        return canvas_edits(document.text, source, home, moving)
    except InvalidJson as error:
        unread.append(f"{source} {error}; the cards of this canvas were not updated")
    except UnreadableFile as error:
        unread.append(str(error))
    return ()


def files_on_canvases(workspace: Workspace, files: Iterable[str], names: LinkResolver) -> Iterator[str]:
    """Yield the files that canvases show or link to; unreadable canvases are skipped."""
    for canvas_path in files:
        if is_canvas(canvas_path):
            try:
                document = workspace.read(PurePosixPath(canvas_path))
                cards = canvas.cards(document.text) if document is not None else ()
            except (MemtoolError, InvalidJson):
                continue
            for card in cards:
                yield card.file
                targets = (
                    names.resolve(link, source) for source, link in _card_links(card.text, canvas_path)
                )
                yield from (target.path for target in targets if isinstance(target, ResolvedLink))


def _card_links(text: str, home: str) -> SourcedLinks:
    """The links of a card's Markdown, resolved from the canvas as Obsidian does."""
    return [(home, link) for link in parse_links(text, len(note.parse(text).meta))] if text else []


def _normalise(path: str) -> str:
    return unicodedata.normalize("NFC", path)
