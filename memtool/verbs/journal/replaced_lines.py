"""The lines of memory that another line replaced: superseded facts and list items, archived rules, and
edited lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.history.journal import Moved, changed_line_counts, line_id, touched_paths
from memtool.core.history.versions import ContentChange, content_changes
from memtool.core.text.stems import content_stems
from memtool.formats import long_term, rules, semantic
from memtool.store.workspace import Workspace
from memtool.verbs.journal.log import version_reader
from memtool.verbs.journal.trace_origin import TraceStep, find_commits
from memtool.verbs.journal.unlisted_memory import TracedFile

LineKey = tuple[str, int]
"""A line: the path of its file and its number, from 1."""
Chain = Sequence[TraceStep]
_STATEMENT_ROLES = ("semantic", "long-term")
"""Roles of the files whose new lines may supersede an item of long-term memory."""
_EDIT = "facts edit"


class SupersededItem(Struct, frozen=True):
    """A superseded list item of long-term memory, whose mark does not name its successor.

    `below` is the item below it. `is_alone` is whether the command that superseded it added one line only.
    """

    line: LineKey
    text: str
    below: LineKey | None
    is_alone: bool


class SupersededLines(Struct, frozen=True):
    """The superseded facts and rules by the id of their successor, and list items by the run that superseded
    them."""

    by_id: Mapping[str, Sequence[LineKey]]
    by_run: Mapping[str, Sequence[SupersededItem]]

    @property
    def lines(self) -> list[LineKey]:
        """All of them, each once."""
        named = [line for lines in self.by_id.values() for line in lines]
        return [*dict.fromkeys([*named, *(item.line for items in self.by_run.values() for item in items)])]

    def replaced_by(self, chain: Chain) -> Iterator[LineKey]:
        """The lines that the first line of a chain replaced; an item only if that is certain."""
        line = chain[0]
        yield from self.by_id.get(str(line.about.get("id") or ""), ())
        commits = (step for step in chain if step.kind == "commit" and step.text.startswith("written by"))
        if (commit := next(commits, None)) is None:
            return
        for item in self.by_run.get(str(commit.about["id"]), ()):
            is_next = item.below == (line.path, line.line)
            is_edit = commit.about["command"] == _EDIT
            alike = content_stems(item.text) & content_stems(line.text) if item.is_alone else ()
            if is_next or (item.is_alone and (is_edit or alike)):
                yield item.line


def superseded_lines(workspace: Workspace, files: Iterable[TracedFile]) -> SupersededLines:
    """The superseded lines of these files."""
    by_id: dict[str, list[LineKey]] = {}
    items: list[tuple[SupersededItem, bytes]] = []
    for file in files:
        for number, name in _successors(file):
            by_id.setdefault(name, []).append((file.path, number))
        if file.located.role == "long-term":
            items += _superseded_items(file)
    by_run: dict[str, list[SupersededItem]] = {}
    commits = find_commits(workspace, [(item.line[0], row) for item, row in items]) if items else {}
    for item, row in items:
        for step in commits[item.line[0], row][-1:]:
            if step.text.startswith("superseded by"):
                by_run.setdefault(str(step.about["id"]), []).append(item)
    added = _added_lines(workspace, by_run)
    return SupersededLines(
        by_id,
        {
            run: [replace(item, is_alone=len(found) == 1 and added[run] == 1) for item in found]
            for run, found in by_run.items()
        },
    )


def replaced_chains(
    superseded: SupersededLines,
    chain: Chain,
    trace_lines: Callable[[Sequence[LineKey]], Iterable[Chain]],
) -> Iterator[TraceStep]:
    """Yield the lines that the first line of a chain replaced, and what they replaced, with all origins."""
    pending, known = [chain], {(chain[0].path or "", chain[0].line or 0)}
    while pending:
        old = [line for line in superseded.replaced_by(pending.pop(0)) if line not in known]
        known.update(old)
        for older in trace_lines(old) if old else ():
            pending.append(older)
            yield replace(older[0], kind="replaced")
            yield from older[1:]


def edited_chains(
    workspace: Workspace, lines: Iterable[tuple[str, bytes]]
) -> dict[tuple[str, bytes], list[TraceStep]]:
    """What the journal says that commands replaced in the place of each line, with its origins.

    A line is its path and current text. What an undo replaced is left out.
    """
    heads = {line: line for line in lines}
    found: dict[tuple[str, bytes], list[tuple[int, str, bytes]]] = {head: [] for head in heads}
    for change in (
        content_changes(workspace.journal.newest_first(), version_reader(workspace)) if heads else ()
    ):
        for head, (name, text) in heads.items():
            step = change.step
            if isinstance(step, Moved):
                heads[head] = (step.path if step.target == name else name, text)
            elif step.path == name and not change.record.undoes and (old := _line_in_place(change, text)):
                number, row = old
                heads[head] = name, row
                found[head].append((number, name, row))
    commits = find_commits(workspace, [(path, row) for rows in found.values() for _, path, row in rows])
    return {
        head: [
            step
            for number, path, row in rows
            for step in (
                TraceStep("replaced", path, number, row.decode("utf-8", "replace").strip()),
                *commits[path, row],
            )
        ]
        for head, rows in found.items()
    }


def _line_in_place(change: ContentChange, line: bytes) -> tuple[int, bytes] | None:
    """The number and the text of the line that a change replaced by another; None if it did not."""
    before, after = change.before, change.after
    if not (isinstance(before, bytes) and isinstance(after, bytes)) or b" [superseded: " in line:
        return None
    if line in before or line not in after:
        return None
    old, new = before.split(b"\n"), after.split(b"\n")
    if len(old) != len(new) or line in old or line not in new:
        return None
    number = new.index(line)
    row = old[number]
    is_edited = row.strip() and row not in new and line_id(row) == line_id(line)
    return (number + 1, row) if is_edited else None


def _successors(file: TracedFile) -> Iterator[tuple[int, str]]:
    """The number of each superseded fact or rule of a file, and the id of its successor."""
    if file.located.role == "rules-archive":
        yield from rules.archive_reasons(file.text).items()
    elif file.located.role == "semantic":
        for number, row in enumerate(file.text.split("\n"), 1):
            record = semantic.SemanticLine(row.rstrip("\r")).record if "[superseded: " in row else None
            if record is not None and record.superseded is not None and record.superseded.by:
                yield number, record.superseded.by


def _superseded_items(file: TracedFile) -> Iterator[tuple[SupersededItem, bytes]]:
    items, rows = long_term.items(long_term.parse(file.text)), file.text.split("\n")
    for item, below in zip_longest(items, items[1:]):
        if long_term.is_superseded(item):
            next_line = (file.path, below.line) if below is not None else None
            found = SupersededItem((file.path, item.line), item.fact.detail, next_line, is_alone=False)
            yield found, rows[item.line - 1].encode("utf-8", "surrogateescape")


def _added_lines(workspace: Workspace, runs: Iterable[str]) -> dict[str, int]:
    """How many lines each run added to facts and long-term memory, less those that it removed."""
    counts = dict.fromkeys(runs, 0)
    for record in workspace.journal.newest_first() if counts else ():
        if record.run in counts:
            for step in record.steps:
                located = workspace.role_of(touched_paths(step)[0])
                if located is not None and located.role in _STATEMENT_ROLES:
                    removed, added = changed_line_counts(step)
                    counts[record.run] += added - removed
    return counts
