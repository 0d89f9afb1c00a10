"""Long-term memory: plans that add facts to it, each once."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.facts.duplicates import DuplicateIndex
from memtool.core.records.entries import Fact
from memtool.core.records.plan import Plan
from memtool.formats import long_term
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import open_role_file


def remember_plan(
    workspace: Workspace, facts: Sequence[Fact], *, group: str | None = None
) -> tuple[Plan, list[bool]]:
    """The plan that adds new facts to long-term memory, and for each fact whether it is a duplicate.

    Call it under the lock. Raises UnreadableFile.
    """
    if not facts:
        return (), []
    file = open_role_file(workspace, "long-term", group=group)
    text, duplicates = add_new_facts(file.text, facts)
    return file.rewrite_plan(text), duplicates


def add_new_facts(text: str, facts: Sequence[Fact]) -> tuple[str, list[bool]]:
    """Long-term memory with the new facts added, and for each fact whether it is a duplicate."""
    index = DuplicateIndex(long_term.facts(long_term.parse(text)))
    new: list[Fact] = []
    duplicates: list[bool] = []
    for fact in facts:
        is_duplicate = index.contains(fact)
        duplicates.append(is_duplicate)
        if not is_duplicate:
            index.add(fact)
            new.append(fact)
    return long_term.add(text, new), duplicates
