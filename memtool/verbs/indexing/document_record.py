"""What the index stores of a document."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from memtool.core.records.document import Chunk, Document, FileStat
from memtool.core.search.chunking import split_chunks
from memtool.formats import long_term, note
from memtool.formats.ownership import file_owner, line_owners
from memtool.formats.syntax import frontmatter
from memtool.index.engine import DocumentRecord, FileStamp
from memtool.layouts.layout import LocatedFile


def record_of(
    document: Document, located: LocatedFile, stat: FileStat, at_ns: int, *, titled_by_heading: bool
) -> DocumentRecord:
    """What the index stores of a document; `stat` was taken after `at_ns`, in nanoseconds of the real clock.

    Frontmatter that cannot be read gives no title, tags or date; its lines are indexed all the same.
    """
    text, path = document.text, str(document.path)
    folder, _, name = path.rpartition("/")
    if not text.isascii():
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    owners = line_owners(text, located.role)
    untagged = (
        "\n".join("" if owner else line for line, owner in zip(text.split("\n"), owners, strict=True))
        if owners and not file_owner(text)
        else text
    )  # a title is part of every chunk, whoever's that is
    chunks = split_chunks(text, owners=owners, frontmatter=frontmatter.split(text)[2] - 1)
    if located.role == "long-term":
        chunks = tuple(map(_without_section_heading, chunks))
    head = note.metadata(note.parse(untagged), document.path.stem, titled_by_heading=titled_by_heading)
    return DocumentRecord(
        path=path,
        stamp=FileStamp(*stat, at_ns, document.etag),
        chunks=chunks,
        role=located.role,
        group=located.group or "",
        day=located.day or _day(name) or _folder_day(folder) or _day(head.created),
        title=head.title,
        tags=head.tags,
    )


def _without_section_heading(chunk: Chunk) -> Chunk:
    """A chunk without the heading that memtool writes above facts, which says nothing of them."""
    if long_term.SECTION_HEADING not in chunk.trail:
        return chunk
    return replace(chunk, trail=tuple(title for title in chunk.trail if title != long_term.SECTION_HEADING))


def _day(text: str | None) -> date | None:
    """The day that a text begins with."""
    try:
        return date.fromisoformat(text[:10]) if text and text[4:5] == "-" else None
    except ValueError:
        return None


def _folder_day(folder: str) -> date | None:
    """The day of a file in a folder that is named by a date alone, as nano's journal has."""
    name = folder.rpartition("/")[2]
    return _day(name) if len(name) == len("2025-01-15") else None
