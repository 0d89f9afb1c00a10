"""Traces of texts under `.memtool`: the contents that the journal stores, caches, backups and logs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.forgetting.phrases import Phrases
from memtool.core.history.forgotten_contents import stored_content, stored_lines
from memtool.core.history.journal import CommitRecord, CommitStep, touched_paths, without_content
from memtool.errors import MemtoolError
from memtool.store.files import leftovers
from memtool.store.workspace import Workspace


def files_without_role(workspace: Workspace, holds: Callable[[str], bool]) -> Iterator[str]:
    """The files in folders of memory that the layout does not know, if they hold something."""
    for path in sorted(workspace.memory_listing({}).files):
        if "/" in path and workspace.role_of(path) is None:
            with contextlib.suppress(MemtoolError):
                document = workspace.read(PurePosixPath(path))
                if document is not None and holds(f"{path}\n{document.text}"):
                    yield path


def holds_content(step: CommitStep, holds: Callable[[str], bool]) -> bool:
    """Whether the journal stores a content for a step that holds something."""
    content = stored_content(step)
    return bool(content) and holds(content.decode("utf-8", "surrogateescape"))


def held_lines(records: Iterable[CommitRecord], holds: Callable[[str], bool]) -> set[str]:
    """The lines that the journal stores to undo these commits, and that hold something."""
    lines = stored_lines(records)
    texts = {line.decode("utf-8", "surrogateescape").rstrip("\r\n") for line in lines}
    return {*filter(holds, texts)}


def without_contents(
    steps: Iterable[CommitStep],
    holds: Callable[[str], bool],
    remaining: Mapping[str, Container[str]],
    paths: Collection[str] = (),
) -> tuple[CommitStep, ...]:
    """The steps, those of some paths and those with a content that holds something without their contents.

    `remaining` are the digests of the lines that files have now, which stay known.
    """
    return tuple(
        without_content(step, remaining.get(step.path, ()))
        if any(path in paths for path in touched_paths(step)) or holds_content(step, holds)
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
