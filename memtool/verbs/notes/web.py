"""web: the Markdown files of a tree read once, and the links between them."""

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
"""What the name of a file ends with whose links count."""
_FOLDERS = 2000
"""Folders without memory that are looked into for a file that a link names; of more none is."""


class Sheet(Struct, frozen=True, dict=True):
    """One Markdown file: where it lies, what it says of itself, and what it links to.

    `text[:body]` is its frontmatter.
    """

    path: str
    located: Located
    text: str
    etag: str
    head: Head
    body: int

    @cached_property
    def markup(self) -> Markup:
        """Its links, and where it is literal."""
        return markup(self.text, self.body)

    @property
    def is_note(self) -> bool:
        """Whether it is a note, and not another file of memory that may link to some."""
        return self.located.role == NOTE

    @property
    def named(self) -> Named:
        """What it may be called in a link."""
        names = (*self.head.aliases, *([self.head.name] if self.head.name else []))
        return Named(self.path, self.head.id, self.head.title, names)

    @cached_property
    def anchors(self) -> Anchors:
        """What a link into it can name."""
        heads = tuple((one.level, one.text) for one in outline(self.text).headings)
        return Anchors(heads, blocks(self.text, self.markup.literal), names(self.text))

    @cached_property
    def inline_tags(self) -> tuple[Tag, ...]:
        """The tags in its text."""
        spans = sorted([*self.markup.literal, *((one.start, one.end) for one in self.markup.links)])
        return inline_tags(self.text, self.body, spans)

    @property
    def tags(self) -> tuple[str, ...]:
        """All its tags, those of the frontmatter first, each spelling once."""
        return tuple(dict.fromkeys([*self.head.tags, *(tag.name for tag in self.inline_tags)]))

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return [line.removesuffix("\r") for line in self.text.split("\n")]


class Tie(Struct, frozen=True):
    """A link of a file, and where it leads."""

    source: Sheet
    link: Link
    target: Target

    @property
    def to(self) -> str | None:
        """The path of the file that it leads to, itself included; None where there is none."""
        return self.target.path if isinstance(self.target, Found) and self.target.by != "folder" else None

    @property
    def written(self) -> str:
        """The link as it is written."""
        return self.source.text[self.link.start : self.link.end]


class Web:
    """The files of a tree that a group may see, by path, and every link between them."""

    def __init__(
        self, workspace: Workspace, sheets: Iterable[Sheet], files: Iterable[str], listing: Listing
    ) -> None:
        self.workspace = workspace
        self._listing = listing
        self.sheets = {sheet.path: sheet for sheet in sheets}
        self.files = tuple(files)
        self.names = Names(self.files, (sheet.named for sheet in self.sheets.values()))
        self.unread: dict[str, str] = {}
        """Files whose text could not be read, each with why."""
        self.may_look = True
        """Whether files that are not listed may be looked for, too: not for who acts for a group."""

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        """Every link, file by file and in order."""
        return tuple(
            Tie(sheet, link, self.names.resolve(link, sheet.path))
            for sheet in self.sheets.values()
            for link in sheet.markup.links
        )

    @cached_property
    def _from(self) -> dict[str, list[Tie]]:
        return _by((tie.source.path, tie) for tie in self.ties)

    @cached_property
    def _to(self) -> dict[str, list[Tie]]:
        return _by((tie.to, tie) for tie in self.ties if tie.to is not None and tie.to != tie.source.path)

    def links(self, path: str) -> Sequence[Tie]:
        """The links of a file, in order."""
        return self._from.get(path, ())

    def backlinks(self, path: str) -> Sequence[Tie]:
        """The links of other files to a file."""
        return self._to.get(path, ())

    def notes(self) -> Iterator[Sheet]:
        """The notes, in order of their paths."""
        return (sheet for sheet in self.sheets.values() if sheet.is_note)

    def fault(self, tie: Tie) -> str:
        """What is wrong with a link: `missing`, `heading`, `block`, or nothing.

        `unwritten` is a note that is not there yet, where the layout takes that for no fault. Of what lies
        outside of the tree nothing can be told, so nothing is wrong with it.
        """
        if isinstance(tie.target, Missing):
            if self.may_look and (any(map(self.is_there, tie.target.tried)) or self._is_outside(tie.link)):
                return ""
            is_legal = self.workspace.layout.notes.unwritten and tie.link.is_wiki and not tie.link.embed
            return "unwritten" if is_legal else "missing"
        target = self.sheets.get(tie.to or "")
        if not tie.link.anchor or target is None or target.anchors.has(tie.link.anchor):
            return ""
        return "block" if tie.link.anchor.rpartition("#")[2].lstrip().startswith("^") else "heading"

    def _is_outside(self, link: Link) -> bool:
        """Whether a file that a wikilink calls by its name lies in a folder that holds no memory."""
        if not link.is_wiki or link.target.startswith(("/", "./", "../")):
            return False
        name = name_key(link.target.rpartition("/")[2])
        return not self._outside.isdisjoint({name, f"{name}.md"})

    @cached_property
    def _outside(self) -> frozenset[str]:
        found = self.workspace.outside(self._listing, _FOLDERS)
        return frozenset(name_key(path.rpartition("/")[2]) for path in found.files) if found else frozenset()

    def is_there(self, path: str) -> bool:
        """Whether a file is there that the layout does not list, such as an image in a folder of its own."""
        return is_there(self.workspace, path)


def is_there(workspace: Workspace, path: str) -> bool:
    """Whether there is such a file or folder, with or without `.md`, listed or not."""
    for name in (path, f"{path}.md"):
        try:
            if workspace.disk.stat(PurePosixPath(name)) is not None:
                return True
        except OutsideWorkspace:
            continue
        except MemtoolError:  # a folder, or what nobody may look at: it is there
            return True
    return False


def web(workspace: Workspace, notices: list[str], scope: Scope = WHOLE_WORKSPACE) -> Web:
    """Every readable Markdown file of the tree, or of those in a scope.

    What could not be read is named in `notices`, a sentence each.
    """
    listing = workspace.documents()
    notices += [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    most = workspace.settings["search.max_file_bytes"]
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
        if listing.files[path].size > most:
            notices.append(f"{path} is too large for its links to be read ({listing.files[path].size} bytes)")
            unread[path] = "is too large"
            continue
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append((name, located))
    sheets = sorted(_sheets(workspace, folders, notices, unread), key=lambda one: one.path)
    found = Web(workspace, sheets, files, listing)
    found.unread, found.may_look = unread, scope.group is None
    return found


def sheet(path: str, located: Located, content: bytes) -> Sheet:
    """A file as it was read."""
    return sheet_of(path, located, content.decode("utf-8", "surrogateescape"), etag_of(content))


def sheet_of(path: str, located: Located, text: str, etag: str) -> Sheet:
    """A file with this text."""
    page = note.parse(text)
    return Sheet(path, located, text, etag, note.head(page, PurePosixPath(path).stem), len(page.meta))


def is_sheet(path: str, located: Located) -> bool:
    """Whether a file with this role is Markdown whose links count."""
    return path.lower().endswith(ENDINGS) and located.place.readable and located.place.indexed


def _sheets(
    workspace: Workspace,
    folders: dict[str, list[tuple[str, Located]]],
    notices: list[str],
    unread: dict[str, str],
) -> Iterator[Sheet]:
    for folder, rows in folders.items():
        located = dict(rows)
        try:
            for name, _, content in workspace.disk.files(PurePosixPath(folder), located):
                path = f"{folder}/{name}" if folder else name
                if isinstance(content, Unreadable):
                    notices.append(str(content))
                    unread[path] = "cannot be read"
                elif b"\0" in content:
                    unread[path] = "holds NUL bytes, as UTF-16 does; save it as UTF-8"
                else:
                    yield sheet(path, located[name], content)
        except MemtoolError as error:
            notices.append(str(error))


def _by(pairs: Iterable[tuple[str, Tie]]) -> dict[str, list[Tie]]:
    table: dict[str, list[Tie]] = {}
    for key, tie in pairs:
        table.setdefault(key, []).append(tie)
    return table
