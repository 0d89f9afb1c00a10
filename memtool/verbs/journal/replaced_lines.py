"""The lines of memory that another line replaced: superseded facts and list items, and edited lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from memtool.core.history.journal import Moved
from memtool.core.history.versions import ContentChange, content_changes
from memtool.formats import long_term, semantic
from memtool.store.workspace import Workspace
from memtool.verbs.journal.line_identity import identify_line
from memtool.verbs.journal.log import version_reader
from memtool.verbs.journal.trace_origin import TraceStep, find_commits

LineKey = tuple[str, int]
"""A line: the path of its file and its number, from 1."""
Chain = Sequence[TraceStep]


def replaced_chains(
    facts: Mapping[str, str],
    long_terms: Mapping[str, str],
    line: LineKey,
    chain: Chain,
    trace_lines: Callable[[Sequence[LineKey]], Iterable[Chain]],
) -> Iterator[TraceStep]:
    """Yield the lines that a line with this chain replaced, and those that they replaced, with their origins.

    `facts` and `long_terms` are the texts of the files of facts and of long-term memory, by path.
    """
    pending, known = [(line, chain)], {line}
    while pending:
        (path, number), newer = pending.pop(0)
        old = [*_replaced_facts(facts, path, number)] if path in facts else []
        if path in long_terms:
            old += _superseded_above(long_terms[path], path, number)
        old = [each for each in old if each not in known]
        for each, older in zip(old, trace_lines(old), strict=True):
            if path in facts or _is_of_one_command(newer, older):
                known.add(each)
                pending.append((each, older))
                yield replace(older[0], kind="replaced")
                yield from older[1:]


def edited_chain(workspace: Workspace, path: str, line: bytes) -> Iterator[TraceStep]:
    """Yield what the journal says that commands replaced in the place of a line, each with its origins.

    `line` is the current text. What an undo replaced is left out.
    """
    name, text = path, line
    for change in content_changes(workspace.journal.newest_first(), version_reader(workspace)):
        step = change.step
        if isinstance(step, Moved):
            name = step.path if step.target == name else name
        elif step.path == name and not change.record.undoes and (found := _line_in_place(change, text)):
            number, text = found
            yield TraceStep("replaced", step.path, number, text.decode("utf-8", "replace").strip())
            yield from find_commits(workspace, [(path, text)])[path, text]


def _line_in_place(change: ContentChange, line: bytes) -> tuple[int, bytes] | None:
    """The number and the text of the line that a change replaced by another; None if it did not."""
    before, after = change.before, change.after
    if not (isinstance(before, bytes) and isinstance(after, bytes)) or b" [superseded: " in line:
        return None
    old, new = before.split(b"\n"), after.split(b"\n")
    if len(old) != len(new) or line in old or line not in new:
        return None
    number = new.index(line)
    return (number + 1, old[number]) if old[number].strip() and old[number] not in new else None


def _replaced_facts(facts: Mapping[str, str], path: str, number: int) -> Iterator[LineKey]:
    """The facts that are marked as superseded by the one in a line."""
    if not (name := identify_line("semantic", facts[path], number).id):
        return
    for other, text in facts.items():
        for row_number, row in enumerate(text.split("\n"), 1):
            record = semantic.SemanticLine(row.rstrip("\r")).record if f" by {name}]" in row else None
            if record is not None and record.superseded is not None and record.superseded.by == name:
                yield other, row_number


def _superseded_above(text: str, path: str, number: int) -> list[LineKey]:
    """The list item just above another one, where an edit leaves the old text, if it is superseded."""
    before = [item for item in long_term.items(long_term.parse(text)) if item.line < number]
    return [(path, item.line) for item in before[-1:] if item.superseded is not None]


def _is_of_one_command(newer: Chain, older: Chain) -> bool:
    """Whether the command that wrote a line is the one that superseded another."""
    wrote = [step.about["id"] for step in newer if step.kind == "commit"][:1]
    superseded = [step.about["id"] for step in older if step.kind == "commit"][-1:]
    return bool(wrote) and wrote == superseded
