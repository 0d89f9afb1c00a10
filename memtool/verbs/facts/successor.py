"""A fact's successor: the plan that adds it, and marks the fact that it supersedes."""

from __future__ import annotations

from collections.abc import Sequence
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
    workspace: Workspace,
    old_facts: Sequence[tuple[StoredFact, str]],
    new: SemanticRecord,
    path: PurePosixPath,
    day: date,
) -> Plan:
    """The plan that adds a record to a file, and marks the old facts, first those in other files.

    With each old fact comes its id from now on; see `superseded_id`.
    """
    plan: Plan = ()
    for old_path in dict.fromkeys([*(old.path for old, _ in old_facts if old.path != path), path]):
        file = open_semantic_file(workspace, old_path)
        text = _with_marks(file.text, old_path, old_facts, new.id, day)
        plan += file.rewrite_plan(semantic.add(text, [new]) if old_path == path else text)
    return plan


def superseding_plan(
    workspace: Workspace, old_facts: Sequence[tuple[StoredFact, str]], by: str, day: date
) -> Plan:
    """The plan that marks old facts, each with its id from now on, as superseded by one that is stored."""
    plan: Plan = ()
    for path in dict.fromkeys(old.path for old, _ in old_facts):
        file = open_semantic_file(workspace, path)
        plan += file.rewrite_plan(_with_marks(file.text, path, old_facts, by, day))
    return plan


def _with_marks(
    text: str, path: PurePosixPath, old_facts: Sequence[tuple[StoredFact, str]], by: str | None, day: date
) -> str:
    for old, old_id in old_facts:
        if old.path == path:
            text = mark_superseded(text, old, by, day, old_id)
    return text


def has_key(fact: StoredFact) -> bool:
    """Whether a fact's id is made of a key."""
    return fact.name.startswith("k-")


def superseded_id(workspace: Workspace, old: StoredFact) -> str:
    """The id under which a fact is kept once another one has superseded it; a key goes to that one."""
    if not has_key(old):
        return old.name
    return unused_id(fact_id(old.text, old.owner), all_semantic_text(workspace))


def mark_superseded(text: str, old: StoredFact, by: str | None, day: date, name: str = "") -> str:
    """The text of a file with a fact marked as superseded, under its own id or another.

    One that is superseded already stays so.
    """
    superseded = old.record.superseded or Supersession(day, by)
    record = replace(old.record, id=name or old.name, superseded=superseded)
    return semantic.replace_lines(text, {old.line: record})


def all_semantic_text(workspace: Workspace) -> str:
    """All semantic files as one text; ids are unique across files."""
    documents = (workspace.read_text(path) for path in semantic_files(workspace))
    return "\n".join(document.text for document in documents if document is not None)
