"""A document as the search index takes it: its chunks, and what is known about it."""

from __future__ import annotations

from datetime import date

from memtool.core.records.document import Document, Stat
from memtool.core.search.chunk import chunks
from memtool.formats import note
from memtool.index.engine import Record, Stamp
from memtool.layouts.layout import Located


def record(document: Document, located: Located, stat: Stat, at_ns: int) -> Record:
    """What the index keeps of a document; `stat` was taken after `at_ns`, in nanoseconds of the real clock.

    Frontmatter that cannot be read gives no title, tags or date; its lines are found all the same.
    """
    text = document.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    about = note.head(note.parse(text), document.path.stem)
    return Record(
        path=str(document.path),
        stamp=Stamp(*stat, at_ns, document.etag),
        chunks=chunks(text),
        role=located.role,
        group=located.group or "",
        day=located.day or _day(about.created),
        title=about.title,
        tags=about.tags,
    )


def _day(created: str | None) -> date | None:
    try:
        return date.fromisoformat(created[:10]) if created else None
    except ValueError:
        return None
