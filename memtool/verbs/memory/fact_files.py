"""Semantic files: which exist, the facts on their lines, and plans that add facts to them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

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
from memtool.store.workspace import Workspace
from memtool.verbs.memory.editable_file import Opened

if TYPE_CHECKING:
    from memtool.index.engine import Stamp
    from memtool.index.facts.facts import FactFile

OTHERWISE = "context"
"""The category of a fact that is near no other fact and names no category."""


class Stated(Struct, frozen=True):
    """A fact on a line of a semantic file; lines count from 1."""

    path: PurePosixPath
    line: int
    record: SemanticRecord

    @property
    def name(self) -> str:
        """The fact's id, or the id that it would be saved under."""
        return name_of(self.record)

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return spoken(self.record.known)

    @property
    def category(self) -> str:
        """The fact's category."""
        return self.record.known.category

    @property
    def owner(self) -> Owner | None:
        """Whom the fact belongs to; None for everybody."""
        return self.record.known.owner


def category_given(said: str | None) -> str | None:
    """A requested category in the spelling of the files. Raises BadUsage for an invalid one."""
    try:
        return None if said is None else category_of(said)
    except ValueError as error:
        raise BadUsage(f"{said!r} is no category: use two or more letters, digits and underscores") from error


def semantic_files(workspace: Workspace) -> list[PurePosixPath]:
    """The paths of the existing semantic files, sorted. Raises Unreadable."""
    root = workspace.layout.folder("semantic")
    folder = workspace.disk.folder(root)
    paths = [root / name for name in sorted(folder.files)] if folder else []
    return [path for path in paths if (place := workspace.layout.role_of(path)) and place.role == "semantic"]


def stated(document: Document) -> Iterator[Stated]:
    """The facts of a semantic file in order, superseded ones included."""
    for number, line in enumerate(semantic.parse(document.text).lines, start=1):
        if line.record:
            yield Stated(document.path, number, line.record)


def every(workspace: Workspace, notices: list[str]) -> list[Stated]:
    """The facts of all semantic files; a file that cannot be read is named in `notices`."""
    facts: list[Stated] = []
    for path in semantic_files(workspace):
        try:
            document = workspace.read(path)
        except MemtoolError as error:
            notices.append(str(error))
            continue
        facts += stated(document) if document else ()
    return facts


def is_of(fact: Stated, mine: Iterable[str]) -> bool:
    """Whether a fact belongs to one of these owners, or to everybody; without owners, always."""
    tags = {*mine}
    return not tags or fact.owner is None or str(fact.owner) in tags


def home(workspace: Workspace, category: str) -> PurePosixPath:
    """The file that facts of a category are written to."""
    categories = workspace.layout.categories
    return workspace.layout.path("semantic", name=categories.get(category, categories[""]))


def page(workspace: Workspace, path: PurePosixPath) -> Opened:
    """A semantic file to be rewritten; a new one begins with a heading. Raises Unreadable."""
    document = workspace.read_text(path)
    if document is None:
        return Opened(path, f"# {path.stem.title()}\n\n", None)
    return Opened(path, document.text, document.etag)


def filed(workspace: Workspace, facts: Iterable[Fact], notices: list[str]) -> Plan:
    """The plan that adds new facts to the files of their categories.

    A fact that was superseded or forgotten counts as known, so that reading an old conversation again does
    not bring it back. A file that cannot be read is named in `notices` and gets nothing. Call it under the
    lock.
    """
    candidates = [fact for fact in facts if one_line(fact.detail, 1)]
    unreadable: list[str] = []
    existing = every(workspace, unreadable) if candidates else []
    index = Said(Fact(fact.category, fact.text, fact.owner) for fact in existing)
    taken = {fact.name for fact in existing}
    new: dict[PurePosixPath, list[SemanticRecord]] = {}
    for fact in candidates:
        if not index.says(fact):
            index.add(fact)
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
            file = page(workspace, path)
        except MemtoolError as error:
            unreadable.append(str(error))
            continue
        plan += file.rewritten(semantic.add(file.text, records))
    notices += [f"{why}; recall finds none of it" for why in dict.fromkeys(unreadable)]
    return plan


def indexed(document: Document, stamp: Stamp) -> FactFile:
    """The active facts of a semantic file as the index stores them."""
    from memtool.index.facts import facts as index_facts  # commands that only write facts need no SQLite

    rows = [
        index_facts.FactRow(
            fact.line,
            fact.name,
            fact.category,
            str(fact.owner or ""),
            fact.text,
            meant(fact.record.known),
        )
        for fact in stated(document)
        if fact.record.superseded is None
    ]
    return index_facts.FactFile(str(document.path), stamp, tuple(rows))


def free_id(name: str, text: str) -> str:
    """An id that no line of a semantic file has: `name`, or `name` with a number appended."""
    return unlike(name, {record.id for record in semantic.records(semantic.parse(text))})


def unlike(name: str, taken: Container[str | None]) -> str:
    """A name that is not taken: `name`, or `name` with a number appended."""
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
