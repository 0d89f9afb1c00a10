"""Traces of texts under `.memtool`: the contents that the journal stores, caches, backups and logs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping

from msgspec.structs import replace

from memtool.core.forgetting.phrases import Phrases
from memtool.core.history.journal import (
    CommitRecord,
    CommitStep,
    Removed,
    Replaced,
    touched_paths,
    without_content,
)
from memtool.store.files import leftovers
from memtool.store.workspace import Workspace


def holds_content(step: CommitStep, holds: Callable[[str], bool]) -> bool:
    """Whether the journal stores a content for a step that holds something."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return bool(content) and holds((content or b"").decode("utf-8", "surrogateescape"))
        case _:
            return False


def without_contents(
    steps: Iterable[CommitStep], holds: Callable[[str], bool], remaining: Mapping[str, Container[str]]
) -> tuple[CommitStep, ...]:
    """The steps, those of some files and those with a content that holds something without their contents.

    `remaining` are these files, and the digests of the lines that they have now, which stay known.
    """
    return tuple(
        without_content(step, remaining.get(step.path, ()))
        if not remaining.keys().isdisjoint(touched_paths(step)) or holds_content(step, holds)
        else step
        for step in steps
    )


def remove_traces(workspace: Workspace, texts: Collection[str]) -> list[str]:
    """Remove what is derived from files that said these texts; call it under the lock, after the commit.

    Returns a sentence for each file that could not be cleaned. Raises Unwritable.
    """
    holds = Phrases(texts).are_in

    def change(record: CommitRecord) -> CommitRecord:
        return replace(record, steps=without_contents(record.steps, holds, {}))

    workspace.journal.rewrite(change)
    return leftovers.remove_derived(workspace.root, holds)
