"""Semantic files as they stand in the tree: which there are, and what each line of them states."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.dedup import Said
from memtool.core.facts.fact import category_of, id_of, meant, name_of, spoken
from memtool.core.records.document import Document
from memtool.core.records.entry import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.triple import SemanticRecord
from memtool.core.text.quote import one_line
from memtool.errors import BadUsage, MemtoolError
from memtool.formats import semantic
from memtool.index.engine import Stamp
from memtool.index.facts.facts import FactFile, FactRow
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.memory.remember import Opened

OTHERWISE = "context"
"""The category of a fact that is near no other and names none."""


class Stated(Struct, frozen=True):
    """A fact on a line of a file, from 1. `name` is its id, or the one it would be saved under."""

    path: PurePosixPath
    line: int
    record: SemanticRecord

    @property
    def name(self) -> str:
        """See above."""
        return name_of(self.record)

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return spoken(self.record.known)

    @property
    def category(self) -> str:
        """What it is a fact of."""
        return self.record.known.category

    @property
    def owner(self) -> Owner | None:
        """Whom it is about."""
        return self.record.known.owner


def category_given(said: str | None) -> str | None:
    """A category that was asked for, as files spell it. Raises BadUsage for what cannot be one."""
    try:
        return None if said is None else category_of(said)
    except ValueError as error:
        raise BadUsage(f"{said!r} is no category: use two or more letters, digits and underscores") from error


def semantic_files(workspace: Workspace) -> list[PurePosixPath]:
    """The semantic files that there are, sorted. Raises Unreadable."""
    folder = workspace.layout.folder("semantic")
    found = workspace.disk.folder(folder)
    names = [folder / name for name in sorted(found.files)] if found else []
    return [one for one in names if (at := workspace.layout.role_of(one)) and at.role == "semantic"]


def stated(document: Document) -> Iterator[Stated]:
    """What a semantic file states, in order, superseded facts included."""
    for number, line in enumerate(semantic.parse(document.text).lines, start=1):
        if line.record:
            yield Stated(document.path, number, line.record)


def every(workspace: Workspace, notices: list[str]) -> list[Stated]:
    """All that the semantic files state; a file that cannot be read is named in `notices`."""
    found: list[Stated] = []
    for path in semantic_files(workspace):
        try:
            document = workspace.read(path)
        except MemtoolError as error:
            notices.append(str(error))
            continue
        found += stated(document) if document else ()
    return found


def is_of(fact: Stated, mine: Iterable[str]) -> bool:
    """Whether a fact is for somebody, whose owners' tags these are; one that names nobody is for all."""
    tags = {*mine}
    return not tags or fact.owner is None or str(fact.owner) in tags


def home(workspace: Workspace, category: str) -> PurePosixPath:
    """The file that facts of a category are written to."""
    categories = workspace.layout.categories
    return workspace.layout.path("semantic", name=categories.get(category, categories[""]))


def page(workspace: Workspace, path: PurePosixPath) -> Opened:
    """A semantic file that is about to be rewritten; with a heading if it is new. Raises Unreadable."""
    document = workspace.read_text(path)
    if document is None:
        return Opened(path, f"# {path.stem.title()}\n\n", None)
    return Opened(path, document.text, document.etag)


def filed(workspace: Workspace, facts: Iterable[Fact], notices: list[str]) -> Plan:
    """The plan that puts these facts into the files of their categories, if none there says the same yet.

    One that was superseded or forgotten does not come back by being read in an old conversation again. A
    file that cannot be read is named in `notices` and gets nothing. Call it under the lock.
    """
    wanted = [one for one in facts if one_line(one.detail, 1)]
    unread: list[str] = []
    there = every(workspace, unread) if wanted else []
    known = Said(Fact(one.category, one.text, one.owner) for one in there)
    taken = {one.name for one in there}
    new: dict[PurePosixPath, list[SemanticRecord]] = {}
    for fact in wanted:
        if not known.says(fact):
            known.add(fact)
            name = unlike(id_of(fact.detail, fact.owner), taken)
            taken.add(name)
            try:
                category = category_of(fact.category)
            except ValueError:
                category = OTHERWISE
            record = SemanticRecord(Fact(category, fact.detail, fact.owner), name)
            new.setdefault(home(workspace, category), []).append(record)
    plan: Plan = ()
    for path, records in new.items():
        try:
            opened = page(workspace, path)
        except MemtoolError as error:
            unread.append(str(error))
            continue
        plan += opened.rewritten(semantic.add(opened.text, records))
    notices += [f"{why}; recall finds none of it" for why in dict.fromkeys(unread)]
    return plan


def renewed(page: Opened, text: str) -> Opened:
    """The page once a plan that gives it this text is committed."""
    return Opened(page.path, text, etag_of(text.encode("utf-8", "surrogateescape")))


def indexed(document: Document, stamp: Stamp) -> FactFile:
    """A semantic file as its index takes it: the active facts."""
    rows = [
        FactRow(
            one.line,
            one.name,
            one.category,
            str(one.owner or ""),
            one.text,
            meant(one.record.known),
        )
        for one in stated(document)
        if one.record.superseded is None
    ]
    return FactFile(str(document.path), stamp, tuple(rows))


def free_id(name: str, text: str) -> str:
    """An id that no line of a file has: itself, or with a number behind it."""
    return unlike(name, {record.id for record in semantic.records(semantic.parse(text))})


def unlike(name: str, taken: Container[str | None]) -> str:
    """A name that is not taken: itself, or with a number behind it."""
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
