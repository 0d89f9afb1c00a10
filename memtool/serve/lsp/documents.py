"""The documents that the editor has open, and the URIs of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from memtool.core.text.edits import TextEdit
from memtool.serve.lsp.text_buffer import PositionEncoding, TextBuffer


class OpenDocument:
    """A document of the editor: its URI, its path from the root, its version and its text."""

    def __init__(self, uri: str, path: str, version: int, buffer: TextBuffer) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.buffer = buffer
        self.is_changed = False
        """Whether the editor has changes that are not saved."""
        self._texts: set[int] = set()
        self.add_text(buffer.text)

    def add_text(self, text: str) -> None:
        """Remember a text that the editor has, or has read from the file, for `has_had`."""
        self._texts.add(hash(text.removeprefix("\ufeff")))

    def has_had(self, text: str) -> bool:
        """Whether the editor has had a text, so that its present one is a change of this."""
        return hash(text.removeprefix("\ufeff")) in self._texts

    def change(self, changes: Iterable[types.TextDocumentContentChangeEvent], version: int) -> None:
        """Apply changes in their order."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                self.buffer.replace((start.line, start.character), (end.line, end.character), change.text)
            else:
                self.buffer = self.buffer.with_text(change.text)
        self.version = version
        self.is_changed = True
        self.add_text(self.buffer.text)


class OpenDocuments:
    """All open documents of the workspace; a document outside it is not kept."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._folders: dict[str, str] = {"": root}
        """By the beginning of the paths in them, folders as the client spells them: with symbolic links."""
        self.encoding: PositionEncoding = "utf-16"
        self._by_uri: dict[str, OpenDocument] = {}
        self._by_path: dict[str, OpenDocument] = {}

    def add_folder(self, folder: str) -> None:
        """Spell the files of a folder of the client as the client does; it is in the root, or contains it."""
        real = os.path.realpath(folder)
        if _is_below(real, self._root):
            path = os.path.relpath(real, self._root)
            self._folders["" if path == "." else f"{path}/"] = folder
        elif _is_below(self._root, real):
            self._folders[""] = os.path.join(folder, os.path.relpath(self._root, real))

    def open(self, item: types.TextDocumentItem) -> OpenDocument | None:
        """Add a document; None for one outside the workspace."""
        path = self.path_of(item.uri)
        if path is None:
            return None
        document = OpenDocument(item.uri, path, item.version, TextBuffer(item.text, self.encoding))
        self._by_uri.pop(item.uri, None)  # the document that was opened last is the last one
        self._by_uri[item.uri] = self._by_path[path] = document
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Remove a document; one of the same file that is open by another URI takes its place."""
        document = self._by_uri.pop(uri, None)
        if document is not None and self._by_path.get(document.path) is document:
            del self._by_path[document.path]
            for other in self._by_uri.values():
                if other.path == document.path:
                    self._by_path[other.path] = other
        return document

    def with_uri(self, uri: str) -> OpenDocument | None:
        """The open document with a URI."""
        return self._by_uri.get(uri)

    def at(self, path: str) -> OpenDocument | None:
        """The open document at a path."""
        return self._by_path.get(path)

    def all(self) -> list[OpenDocument]:
        """All open documents."""
        return list(self._by_path.values())

    def path_of(self, uri: str) -> str | None:
        """The path of a file from the root, with links in its folder resolved; None outside the workspace."""
        file = file_path(uri)
        if file is None:
            return None
        folder, name = os.path.split(os.path.normpath(file))
        relative = os.path.relpath(os.path.join(os.path.realpath(folder), name), self._root)
        return None if relative in {".", ".."} or relative.startswith("../") else relative

    def uri_of(self, path: str) -> str:
        """The URI of a file: as the editor spells it if it is open there, else as it spells its folder."""
        document = self._by_path.get(path)
        if document is not None:
            return document.uri
        start = max(filter(path.startswith, self._folders), key=len)
        return file_uri(os.path.join(self._folders[start], path[len(start) :]))


def _is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or in it."""
    return os.path.commonpath([path, folder]) == folder


def file_path(uri: str) -> str | None:
    """The path of a `file:` URI; None for any other, for another machine's, and for an invalid one."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if (
        parts.scheme != "file"
        or parts.netloc not in {"", "localhost"}
        or not path.startswith("/")
        or "\0" in path
    ):
        return None
    return path


def file_uri(path: str) -> str:
    """The URI of an absolute path."""
    return "file://" + quote(path, safe="/@!$&'()*+,;=~-._", errors="surrogateescape")


def protocol_position(buffer: TextBuffer, offset: int) -> types.Position:
    """An offset as a position."""
    line, character = buffer.position(offset)
    return types.Position(line, character)


def protocol_range(buffer: TextBuffer, start: int, end: int) -> types.Range:
    """A span as a range."""
    return types.Range(protocol_position(buffer, start), protocol_position(buffer, end))


def protocol_edit(buffer: TextBuffer, edit: TextEdit) -> types.TextEdit:
    """An edit of the text of a buffer."""
    return types.TextEdit(protocol_range(buffer, edit.start, edit.end), edit.new)
