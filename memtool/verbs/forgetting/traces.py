"""Traces of texts under `.memtool`: the contents that the journal stores, caches, backups and logs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from memtool.core.forgetting.phrases import Phrases
from memtool.core.history.journal import CommitRecord, CommitStep, Removed, Replaced, without_content
from memtool.store.files import leftovers
from memtool.store.workspace import Workspace


def holds_content(step: CommitStep, holds: Callable[[str], bool]) -> bool:
    """Whether the journal stores a content for a step that holds something."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return bool(content) and holds((content or b"").decode("utf-8", "surrogateescape"))
        case _:
            return False


def remove_traces(workspace: Workspace, texts: Collection[str]) -> list[str]:
    """Remove what is derived from files that said these texts; call it under the lock, after the commit.

    Returns a sentence for each file that could not be cleaned. Raises Unwritable.
    """
    holds = Phrases(texts).are_in

    def change(record: CommitRecord) -> CommitRecord:
        steps = (without_content(step) if holds_content(step, holds) else step for step in record.steps)
        return replace(record, steps=tuple(steps))

    workspace.journal.rewrite(change)
    return leftovers.remove_derived(workspace.root, holds)
