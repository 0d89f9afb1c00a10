"""Journal records without the stored contents that a purge or a final undo forgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Sequence

from msgspec.structs import replace

from memtool.core.history.journal import (
    CommitRecord,
    CommitStep,
    Moved,
    Removed,
    Replaced,
    touched_paths,
    without_content,
)


def forget_contents(
    records: Sequence[CommitRecord],
    paths: Collection[str],
    texts: Collection[str],
    undoes: Collection[str],
    remaining: Callable[[str], Container[str]],
) -> Iterator[CommitRecord]:
    """The records without the stored contents that must be forgotten.

    For a purge (no `undoes`), these are the contents of all steps that touched one of the paths, under any
    earlier name of the file, and of all steps whose content contains one of the texts; the steps can then no
    longer be undone. For runs that are undone for good, they are the contents needed to redo the runs.
    `remaining` returns the digests of the lines that a file will have: it stays known who wrote these.
    """
    names, runs = set() if undoes else set(paths), set(undoes)
    forgotten_texts = [text.encode("utf-8", "surrogateescape") for text in texts if text]
    for record in reversed(records):
        for step in record.steps:
            if isinstance(step, Moved) and step.target in names:
                names.add(step.path)
    for record in records:
        if runs & {*record.undoes}:
            runs.add(record.run)
        elif not any(path in names for step in record.steps for path in touched_paths(step)) and not any(
            forgotten_text in content
            for step in record.steps
            if (content := _stored_content(step))
            for forgotten_text in forgotten_texts
        ):
            yield record
            continue
        steps = (without_content(step, remaining(step.path)) for step in record.steps)
        yield replace(record, steps=tuple(steps))


def _stored_content(step: CommitStep) -> bytes:
    """The stored content that a step removed."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return content or b""
        case _:
            return b""
