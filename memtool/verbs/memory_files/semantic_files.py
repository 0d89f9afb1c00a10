"""Semantic files: which exist, the facts on their lines, and plans that add facts to them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.facts.identity import (
    comparison_text,
    fact_id,
    fact_sentence,
    naming_words,
    normalise_category,
    record_id,
)
from memtool.core.facts.relation_names import relation_names
from memtool.core.records.document import Document
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.secrets.redact import check_identifier
from memtool.core.text.sanitise import one_line
from memtool.errors import BadUsage, MemtoolError
from memtool.formats import semantic
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile

if TYPE_CHECKING:
    from memtool.index.engine import FileStamp
    from memtool.index.facts.facts import FactFile

DEFAULT_CATEGORY = "context"
"""The category of a fact that is near no other fact and names no category."""


class StoredFact(Struct, frozen=True):
    """A fact on a line of a semantic file; lines count from 1."""

    path: PurePosixPath
    line: int
    record: SemanticRecord

    @property
    def name(self) -> str:
        """The fact's id, or the id that it would be saved under."""
        return record_id(self.record)

    @property
    def text(self) -> str:
        """The fact as a sentence."""
        return fact_sentence(self.record.fact)

    @property
    def quote(self) -> str:
        """The user's words that it rests on; empty where it has none."""
        return (self.record.fact.quote or "") if isinstance(self.record.fact, FactTriple) else ""

    @property
    def category(self) -> str:
        """The fact's category."""
        return self.record.fact.category

    @property
    def owner(self) -> Owner | None:
        """Whom the fact belongs to; None for everybody."""
        return self.record.fact.owner


def requested_category(text: str | None) -> str | None:
    """A requested category in the spelling of the files. Raises BadUsage for an invalid one, and a secret."""
    if text is None:
        return None
    check_identifier(text, "--category")
    try:
        return normalise_category(text)
    except ValueError as error:
        raise BadUsage(
            f"invalid category {text!r}: use 2 to 64 letters, digits and underscores, beginning with a letter"
        ) from error


def semantic_files(workspace: Workspace) -> list[PurePosixPath]:
    """The paths of the existing semantic files, sorted. Raises UnreadableFile."""
    root = workspace.layout.folder("semantic")
    folder = workspace.disk.list_folder(root)
    paths = [root / name for name in sorted(folder.files)] if folder else []
    return [path for path in paths if (place := workspace.layout.locate(path)) and place.role == "semantic"]


def facts_of(document: Document) -> Iterator[StoredFact]:
    """The facts of a semantic file in order, superseded ones included."""
    for number, line in enumerate(semantic.parse(document.text).lines, start=1):
        if line.record:
            yield StoredFact(document.path, number, line.record)


def all_facts(workspace: Workspace, notices: list[str]) -> list[StoredFact]:
    """The facts of all semantic files; a file that cannot be read is named in `notices`."""
    facts: list[StoredFact] = []
    for path in semantic_files(workspace):
        try:
            document = workspace.read(path)
        except MemtoolError as error:
            notices.append(str(error))
            continue
        facts += facts_of(document) if document else ()
    return facts


def belongs_to(fact: StoredFact, owners: Collection[str]) -> bool:
    """Whether a caller with these tags may see a fact."""
    return sees(owners, str(fact.owner or ""))


def category_path(workspace: Workspace, category: str) -> PurePosixPath:
    """The file that facts of a category are written to."""
    categories = workspace.layout.categories
    return workspace.layout.path("semantic", name=categories.get(category, categories[""]))


def open_semantic_file(workspace: Workspace, path: PurePosixPath) -> EditableFile:
    """A semantic file to be rewritten; a new one begins with a heading. Raises UnreadableFile."""
    document = workspace.read_text(path)
    if document is None:
        return EditableFile(path, f"# {path.stem.title()}\n\n", None)
    return EditableFile(path, document.text, document.etag)


def add_facts_plan(workspace: Workspace, facts: Iterable[Fact], notices: list[str]) -> Plan:
    """The plan that adds new facts to the files of their categories.

    A fact that was superseded or forgotten counts as known, so that reading an old conversation again does
    not bring it back. A file that cannot be read is named in `notices` and gets nothing. Call it under the
    lock.
    """
    candidates = [fact for fact in facts if one_line(fact.detail, 1)]
    unreadable: list[str] = []
    existing = all_facts(workspace, unreadable) if candidates else []
    index = DuplicateIndex(
        Fact(fact.category, text, fact.owner) for fact in existing for text in (fact.text, fact.quote) if text
    )
    taken = {fact.name for fact in existing}
    new: dict[PurePosixPath, list[SemanticRecord]] = {}
    for fact in candidates:
        if not index.contains(fact):
            index.add(fact)
            name = unused_name(fact_id(fact.detail, fact.owner), taken)
            taken.add(name)
            try:
                category = normalise_category(fact.category)
            except ValueError:
                category = DEFAULT_CATEGORY
            record = SemanticRecord(Fact(category, fact.detail, fact.owner), name)
            new.setdefault(category_path(workspace, category), []).append(record)
    plan: Plan = ()
    for path, records in new.items():
        try:
            file = open_semantic_file(workspace, path)
        except MemtoolError as error:
            unreadable.append(str(error))
            continue
        plan += file.rewrite_plan(semantic.add(file.text, records))
    notices += [f"{why}; recall does not read this file" for why in dict.fromkeys(unreadable)]
    return plan


def fact_file(document: Document, stamp: FileStamp) -> FactFile:
    """The active facts of a semantic file as the index stores them."""
    from memtool.index.facts import facts as index_facts  # commands that only write facts need no SQLite

    rows = [
        index_facts.FactRow(
            fact.line,
            fact.name,
            fact.category,
            str(fact.owner or ""),
            fact.text,
            comparison_text(fact.record.fact),
            naming_words(fact.record.fact),
            relation_names(fact.record.fact),
        )
        for fact in facts_of(document)
        if fact.record.superseded is None
    ]
    return index_facts.FactFile(str(document.path), stamp, tuple(rows))


def unused_id(name: str, text: str) -> str:
    """An id that no line of a semantic file has: `name`, or `name` with a number appended."""
    return unused_name(name, {record.id for record in semantic.records(semantic.parse(text))})


def unused_name(name: str, taken: Container[str | None]) -> str:
    """A name that is not taken: `name`, or `name` with a number appended."""
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
