"""A fact's successor: the plan that adds it, and marks the fact that it supersedes."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.facts.identity import fact_id
from memtool.core.records.plan import Plan
from memtool.core.records.semantic import SemanticRecord, Supersession
from memtool.formats import semantic
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.semantic_files import (
    StoredFact,
    open_semantic_file,
    semantic_files,
    unused_id,
)


def successor_plan(
    workspace: Workspace, old: StoredFact, old_id: str, new: SemanticRecord, path: PurePosixPath, day: date
) -> Plan:
    """The plan that adds a record to a file, and marks the old fact, first where it is in another file.

    `old_id` is the old fact's id from now on; see `superseded_id`.
    """
    file = open_semantic_file(workspace, path)
    if old.path == path:
        return file.rewrite_plan(semantic.add(mark_superseded(file.text, old, new.id, day, old_id), [new]))
    old_file = open_semantic_file(workspace, old.path)
    plan = old_file.rewrite_plan(mark_superseded(old_file.text, old, new.id, day, old_id))
    return plan + file.rewrite_plan(semantic.add(file.text, [new]))


def superseded_id(workspace: Workspace, old: StoredFact) -> str:
    """The id under which a fact is kept once another one has superseded it; a key goes to that one."""
    if not old.name.startswith("k-"):
        return old.name
    return unused_id(fact_id(old.text, old.owner), all_semantic_text(workspace))


def mark_superseded(text: str, old: StoredFact, by: str | None, day: date, name: str = "") -> str:
    """The text of a file with a fact marked as superseded, under its own id or another."""
    record = replace(old.record, id=name or old.name, superseded=Supersession(day, by))
    return semantic.replace_lines(text, {old.line: record})


def all_semantic_text(workspace: Workspace) -> str:
    """All semantic files as one text; ids are unique across files."""
    documents = (workspace.read_text(path) for path in semantic_files(workspace))
    return "\n".join(document.text for document in documents if document is not None)
