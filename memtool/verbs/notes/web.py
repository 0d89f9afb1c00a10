"""The link graph: the Markdown files of a tree as nodes, and the links between them as edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.anchors import Anchors, blocks, names
from memtool.core.notes.link import Link
from memtool.core.notes.links import Markup, markup
from memtool.core.notes.names import Found, Missing, Named, Names, Target, name_key
from memtool.core.notes.tags import Tag, inline_tags
from memtool.core.records.document import Listing
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.errors import MemtoolError, OutsideWorkspace, Unreadable
from memtool.formats import note
from memtool.formats.note import Head
from memtool.formats.syntax.outline import outline
from memtool.layouts.layout import Located
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace

NOTE = "note"
"""The role of notes."""
ENDINGS = (".md", ".markdown")
"""Endings of the files whose links are read."""
_FOLDERS = 2000
"""Most folders without memory that are searched for link targets; if there are more, none is searched."""


class Sheet(Struct, frozen=True, dict=True):
    """A node of the link graph: a Markdown file, its metadata and its links.

    `text[:body]` is the frontmatter.
    """

    path: str
    located: Located
    text: str
    etag: str
    head: Head
    body: int

    @cached_property
    def markup(self) -> Markup:
        """The links of the text, and its literal spans such as code."""
        return markup(self.text, self.body)

    @property
    def is_note(self) -> bool:
        """Whether the file has the role of a note; other files of memory may link to notes."""
        return self.located.role == NOTE

    @property
    def named(self) -> Named:
        """The names by which links can refer to the file."""
        names = (*self.head.aliases, *([self.head.name] if self.head.name else []))
        return Named(self.path, self.head.id, self.head.title, names)

    @cached_property
    def anchors(self) -> Anchors:
        """The headings, blocks and names that a link can point to."""
        heads = tuple((heading.level, heading.text) for heading in outline(self.text).headings)
        return Anchors(heads, blocks(self.text, self.markup.literal), names(self.text))

    @cached_property
    def inline_tags(self) -> tuple[Tag, ...]:
        """The tags in the text, those of the frontmatter aside."""
        spans = sorted([*self.markup.literal, *((link.start, link.end) for link in self.markup.links)])
        return inline_tags(self.text, self.body, spans)

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags, those of the frontmatter first, each spelling once."""
        return tuple(dict.fromkeys([*self.head.tags, *(tag.name for tag in self.inline_tags)]))

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without line ends."""
        return [line.removesuffix("\r") for line in self.text.split("\n")]


class Tie(Struct, frozen=True):
    """An edge of the link graph: a link in a file, and the target that it resolves to."""

    source: Sheet
    link: Link
    target: Target

    @property
    def to(self) -> str | None:
        """The path of the target file, which may be the source itself; None if there is no such file."""
        return self.target.path if isinstance(self.target, Found) and self.target.by != "folder" else None

    @property
    def written(self) -> str:
        """The text of the link in its file."""
        return self.source.text[self.link.start : self.link.end]


class Web:
    """The Markdown files that a group may see, by path, and every link between them."""

    def __init__(
        self, workspace: Workspace, nodes: Iterable[Sheet], files: Iterable[str], listing: Listing
    ) -> None:
        self.workspace = workspace
        self._listing = listing
        self.sheets = {node.path: node for node in nodes}
        self.files = tuple(files)
        self.names = Names(self.files, (node.named for node in self.sheets.values()))
        self.unread: dict[str, str] = {}
        """Files whose text could not be read, each with the reason."""
        self.may_look = True
        """Whether link targets are also searched among unlisted files; False when acting for a group."""

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        """Every link, ordered by file and position."""
        return tuple(
            Tie(node, link, self.names.resolve(link, node.path))
            for node in self.sheets.values()
            for link in node.markup.links
        )

    @cached_property
    def _from(self) -> dict[str, list[Tie]]:
        return _by((edge.source.path, edge) for edge in self.ties)

    @cached_property
    def _to(self) -> dict[str, list[Tie]]:
        return _by(
            (edge.to, edge) for edge in self.ties if edge.to is not None and edge.to != edge.source.path
        )

    def links(self, path: str) -> Sequence[Tie]:
        """The links of a file, in order."""
        return self._from.get(path, ())

    def backlinks(self, path: str) -> Sequence[Tie]:
        """The links of other files to a file."""
        return self._to.get(path, ())

    def notes(self) -> Iterator[Sheet]:
        """The notes, in order of their paths."""
        return (node for node in self.sheets.values() if node.is_note)

    def fault(self, tie: Tie) -> str:
        """Return the fault of a link: `missing`, `heading`, `block`, or "" if there is none.

        `unwritten` is a link to a note that does not exist yet, in a layout that permits this. A target
        outside the tree cannot be checked and counts as no fault.
        """
        if isinstance(tie.target, Missing):
            if self.may_look and (any(map(self.is_there, tie.target.tried)) or self._is_outside(tie.link)):
                return ""
            is_legal = self.workspace.layout.notes.unwritten and tie.link.is_wiki and not tie.link.embed
            return "unwritten" if is_legal else "missing"
        target_node = self.sheets.get(tie.to or "")
        if not tie.link.anchor or target_node is None or target_node.anchors.has(tie.link.anchor):
            return ""
        return "block" if tie.link.anchor.rpartition("#")[2].lstrip().startswith("^") else "heading"

    def _is_outside(self, link: Link) -> bool:
        """Whether a wikilink names a file in a folder that holds no memory."""
        if not link.is_wiki or link.target.startswith(("/", "./", "../")):
            return False
        name = name_key(link.target.rpartition("/")[2])
        return not self._outside.isdisjoint({name, f"{name}.md"})

    @cached_property
    def _outside(self) -> frozenset[str]:
        listing = self.workspace.outside(self._listing, _FOLDERS)
        return (
            frozenset(name_key(path.rpartition("/")[2]) for path in listing.files) if listing else frozenset()
        )

    def is_there(self, path: str) -> bool:
        """Whether a file exists, also one that the layout does not list, such as an image."""
        return is_there(self.workspace, path)


def is_there(workspace: Workspace, path: str) -> bool:
    """Whether a file or folder exists at a path, with or without `.md`, listed or not."""
    for name in (path, f"{path}.md"):
        try:
            if workspace.disk.stat(PurePosixPath(name)) is not None:
                return True
        except OutsideWorkspace:
            continue
        except MemtoolError:  # a folder, or a path without permission: it exists
            return True
    return False


def web(workspace: Workspace, notices: list[str], scope: Scope = WHOLE_WORKSPACE) -> Web:
    """Read every Markdown file of the tree that is in the scope, and build their link graph.

    Files that could not be read are reported in `notices`, a sentence each.
    """
    listing = workspace.documents()
    notices += [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    most_bytes = workspace.settings["search.max_file_bytes"]
    files: list[str] = []
    unread: dict[str, str] = {}
    folders: dict[str, list[tuple[str, Located]]] = {}
    for path in sorted(listing.files):
        located = workspace.located(path)
        if scope.group is not None and (located is None or not scope.admits(located.group)):
            continue
        files.append(path)
        if located is None or not is_sheet(path, located):
            continue
        if listing.files[path].size > most_bytes:
            notices.append(f"{path} is too large for its links to be read ({listing.files[path].size} bytes)")
            unread[path] = "is too large"
            continue
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((name, located))
    nodes = sorted(_sheets(workspace, folders, notices, unread), key=lambda node: node.path)
    graph = Web(workspace, nodes, files, listing)
    graph.unread, graph.may_look = unread, scope.group is None
    return graph


def sheet_of(path: str, located: Located, text: str, etag: str) -> Sheet:
    """Return the node of a file with this text."""
    page = note.parse(text)
    return Sheet(path, located, text, etag, note.head(page, PurePosixPath(path).stem), len(page.meta))


def is_sheet(path: str, located: Located) -> bool:
    """Whether a file with this role is Markdown whose links are read."""
    return path.lower().endswith(ENDINGS) and located.place.readable and located.place.indexed


def _sheets(
    workspace: Workspace,
    folders: dict[str, list[tuple[str, Located]]],
    notices: list[str],
    unread: dict[str, str],
) -> Iterator[Sheet]:
    for folder, names_and_roles in folders.items():
        located = dict(names_and_roles)
        try:
            for name, _, content in workspace.disk.files(PurePosixPath(folder), located):
                path = f"{folder}/{name}" if folder else name
                if isinstance(content, Unreadable):
                    notices.append(str(content))
                    unread[path] = "cannot be read"
                elif b"\0" in content:
                    unread[path] = "holds NUL bytes, as UTF-16 does; save it as UTF-8"
                else:
                    text = content.decode("utf-8", "surrogateescape")
                    yield sheet_of(path, located[name], text, etag_of(content))
        except MemtoolError as error:
            notices.append(str(error))


def _by(keyed_edges: Iterable[tuple[str, Tie]]) -> dict[str, list[Tie]]:
    table: dict[str, list[Tie]] = {}
    for key, edge in keyed_edges:
        table.setdefault(key, []).append(edge)
    return table
