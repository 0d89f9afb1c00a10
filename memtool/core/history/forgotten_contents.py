"""Journal records without the stored contents that a purge or a final undo forgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from memtool.core.history.journal import (
    CommitRecord,
    CommitStep,
    Moved,
    Removed,
    Replaced,
    line_digest,
    touched_paths,
    without_content,
    without_lines_beside,
)


def forget_contents(
    records: Sequence[CommitRecord],
    paths: Collection[str],
    texts: Collection[str],
    undoes: Collection[str],
    remaining: Callable[[str], frozenset[str]],
    current: Callable[[str], frozenset[str]],
) -> Iterator[CommitRecord]:
    """The records without the stored contents that must be forgotten.

    For a purge (no `undoes`), these are the contents of all steps that touched one of the paths, under any
    earlier name of the file, and of all steps whose content contains one of the texts; the steps can then no
    longer be undone. With texts, a step of one of the paths can still be undone if it neither wrote nor
    removed a line with one of the texts, or a line that the file will not have any more. For runs that are
    undone for good, they are the contents needed to redo the runs. `current` and `remaining` return the
    digests of the lines that a file has and will have: it stays known who wrote those that remain.
    """
    names, runs = set() if undoes else set(paths), set(undoes)
    forgotten_texts = [text.encode("utf-8", "surrogateescape") for text in texts if text]
    for record in reversed(records):
        for step in record.steps:
            if isinstance(step, Moved) and step.target in names:
                names.add(step.path)
    contained = (line for line in stored_lines(records) if any(text in line for text in forgotten_texts))
    forgotten = frozenset(map(line_digest, contained)).union(
        *(current(path) - remaining(path) for path in paths)
    )

    def undoable_steps(record: CommitRecord) -> Iterator[CommitStep | None]:
        """The steps as they can still be undone; None for one that can not."""
        for step in record.steps:
            content = stored_content(step)
            if any(text in content for text in forgotten_texts):
                yield None
            elif names.isdisjoint(touched_paths(step)):
                yield step
            else:
                yield without_lines_beside(step, forgotten) if texts else None

    for record in records:
        if runs & {*record.undoes}:
            runs.add(record.run)
        elif None not in (kept := tuple(undoable_steps(record))):
            yield record if kept == record.steps else replace(record, steps=kept)
            continue
        steps = (without_content(step, remaining(step.path)) for step in record.steps)
        yield replace(record, steps=tuple(steps))


def stored_lines(records: Iterable[CommitRecord]) -> Iterator[bytes]:
    """The lines that the journal stores to undo these records, each with its line end."""
    for record in records:
        for step in record.steps:
            yield from stored_content(step).splitlines(keepends=True)


def stored_content(step: CommitStep) -> bytes:
    """The stored content that a step removed."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return content or b""
        case _:
            return b""
