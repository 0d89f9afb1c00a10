"""The nodes of the link graph: Markdown files with their metadata, links, anchors and tags."""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.notes.anchors import NoteAnchors, block_ids, explicit_anchors
from memtool.core.notes.link_parser import NoteMarkup, parse_markup
from memtool.core.notes.link_resolver import NoteNames, link_key
from memtool.core.notes.tags import Tag, TagSpan, inline_tags, tag_spans
from memtool.formats import note
from memtool.formats.note import NoteMetadata
from memtool.formats.syntax.outline import Heading, outline
from memtool.layouts.layout import LocatedFile

NOTE_ROLE = "note"
"""The role of notes."""


class DocumentNode(Struct, frozen=True, dict=True):
    """A node of the link graph: a Markdown file, its metadata and its links.

    `text[:body]` is the frontmatter.
    """

    path: str
    located: LocatedFile
    packed_text: str | bytes
    """The text; as UTF-8 if it is not ASCII, because a string takes up to four bytes for each character."""
    etag: str
    head: NoteMetadata
    body: int

    @property
    def text(self) -> str:
        """The text of the file."""
        packed = self.packed_text
        return packed if isinstance(packed, str) else packed.decode("utf-8", "surrogatepass")

    @cached_property
    def markup(self) -> NoteMarkup:
        """The links of the text, and its literal spans such as code."""
        return parse_markup(self.text, self.body)

    @property
    def is_note(self) -> bool:
        """Whether the file has the role of a note; other files of memory may link to notes."""
        return self.located.role == NOTE_ROLE

    @property
    def link_names(self) -> NoteNames:
        """The names by which links can refer to the file."""
        names = (*self.head.aliases, *([self.head.name] if self.head.name else []))
        return NoteNames(self.path, self.head.id, self.head.title, names)

    @property
    def link_keys(self) -> frozenset[str]:
        """The keys of what the links of the text may mean."""
        return frozenset(link_key(link.target) for link in self.markup.links if link.target)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings of the text in order."""
        return outline(self.text).headings

    @cached_property
    def anchors(self) -> NoteAnchors:
        """The headings, blocks and names that a link can point to."""
        heads = tuple((heading.level, heading.text) for heading in self.headings)
        return NoteAnchors(heads, block_ids(self.text, self.markup.literal), explicit_anchors(self.text))

    @cached_property
    def inline_tags(self) -> tuple[Tag, ...]:
        """The tags in the text, those of the frontmatter aside."""
        return inline_tags(self.text, self.body, self._spans_without_tags())

    @cached_property
    def tag_spans(self) -> tuple[TagSpan, ...]:
        """The tags of the frontmatter and of the text, each where it stands."""
        in_head = note.frontmatter_tags(self.text, self.body, self.head.tags)
        return (*in_head, *tag_spans(self.text, self.body, self._spans_without_tags()))

    def _spans_without_tags(self) -> list[tuple[int, int]]:
        return sorted([*self.markup.literal, *((link.start, link.end) for link in self.markup.links)])

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags, those of the frontmatter first, each spelling once."""
        found = tag_spans(self.text, self.body, self._spans_without_tags())
        return tuple(dict.fromkeys([*self.head.tags, *(tag.name for tag in found)]))

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without line ends."""
        return [line.removesuffix("\r") for line in self.text.split("\n")]


def parse_node(
    path: str, located: LocatedFile, text: str, etag: str, *, titled_by_heading: bool
) -> DocumentNode:
    """Return the node of a file with this text; whether its heading is its title is said by the layout."""
    page = note.parse(text)
    head = note.metadata(page, PurePosixPath(path).stem, titled_by_heading=titled_by_heading)
    packed = text if text.isascii() else text.encode("utf-8", "surrogatepass")
    return DocumentNode(path, located, packed, etag, head, len(page.meta))
