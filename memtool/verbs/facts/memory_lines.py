"""Lines of long-term memory, corrected and superseded by their place or their words, as facts are by id."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Fact, Owner, is_same_user
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.errors import BadUsage, NotFound
from memtool.formats import long_term
from memtool.formats.long_term import LongTermItem
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import open_role_file

_ROLE = "long-term"
_BY_HAND = "edit the file by hand"


class SupersededLine(NotFound):
    """A line that was to be changed is superseded."""

    def __init__(self, line: MemoryLine) -> None:
        super().__init__(f"{line.name} {line.fault}")
        self.line = line


class MemoryLine(Struct, frozen=True):
    """A line of long-term memory; lines count from 1.

    `fact` has no category if the line was written by hand. `fault` says why the line can be neither corrected
    nor superseded; it is empty if it can.
    """

    path: PurePosixPath
    line: int
    fact: Fact
    fault: str = ""
    is_superseded: bool = False

    @property
    def name(self) -> str:
        """`path:line`, as search prints it."""
        return f"{self.path}:{self.line}"

    @property
    def text(self) -> str:
        """What it says."""
        return self.fact.detail


def memory_lines(workspace: Workspace, owners: Collection[str] = ()) -> list[MemoryLine]:
    """The lines that these owners may see, without blank ones. Raises UnreadableFile."""
    path = workspace.layout.path(_ROLE) if workspace.has(_ROLE) else None
    document = workspace.seen_by(owners).read_text(path) if path else None
    if path is None or document is None:
        return []
    items = {item.line: item for item in long_term.items(long_term.parse(document.text))}
    lines = []
    for number, row in enumerate(document.text.split("\n"), start=1):
        if item := items.get(number):
            fact = replace(item.fact, detail=long_term.without_block_id(item.fact.detail))
            fault = f"was superseded on {item.superseded.isoformat()}" if item.superseded else ""
            if not fault and not fact.category and long_term.goes_on(document.text, number):
                fault = f"continues on the lines below it; {_BY_HAND}"
            if sees(owners, str(fact.owner or "")):
                lines.append(MemoryLine(path, number, fact, fault, item.superseded is not None))
        elif row.strip():
            lines.append(MemoryLine(path, number, Fact("", row.strip()), f"is not a list item; {_BY_HAND}"))
    return lines


def repeating_lines(text: str, lines: Iterable[MemoryLine], owner: Owner | None) -> list[MemoryLine]:
    """The list items of an owner that can be corrected and whose whole statement occurs in a text."""
    whole = f" {comparison_key(text)} "
    return [
        line
        for line in lines
        if not line.fault
        and is_same_user(line.fact.owner, owner)
        and (key := comparison_key(line.text))
        and f" {key} " in whole
    ]


def named_line(name: str, lines: Iterable[MemoryLine]) -> MemoryLine | None:
    """The line with this `path:line` or these words; None if there is none.

    Raises BadUsage for several, NotFound for one that has a fault, SupersededLine where that is the fault.
    """
    key = comparison_key(name)
    found = [line for line in lines if name == line.name or key == comparison_key(line.fact.detail)]
    usable = [line for line in found if not line.fault]
    if len(usable) > 1:
        places = ", ".join(line.name for line in usable)
        raise BadUsage(f"several lines have the text {name!r}; give the PATH:LINE of one of them: {places}")
    if found and not usable:
        if found[0].is_superseded:
            raise SupersededLine(found[0])
        raise NotFound(f"{found[0].name} {found[0].fault}")
    return usable[0] if usable else None


def edited_line(
    workspace: Workspace, old: MemoryLine, words: str, today: date
) -> tuple[MemoryLine, bool, Plan]:
    """The line that says the new words, whether it was there before, and the plan that corrects the old one.

    A line that was written by hand is restated in its place; another one is superseded by a new line.
    """
    file = open_role_file(workspace, _ROLE)
    fact = Fact(old.fact.category, words, old.fact.owner)
    key = comparison_key(words)
    others = (
        item
        for item in _active(file.text)
        if item.line != old.line and is_same_user(item.fact.owner, fact.owner)
    )
    restated = ((item, long_term.without_block_id(item.fact.detail)) for item in others)
    known = next((item for item, text in restated if comparison_key(text) == key), None)
    if known is not None:
        plan = supersede_plan(workspace, [old], today)
        is_above = not old.fact.category and old.line < known.line
        return MemoryLine(old.path, known.line - is_above, known.fact), True, plan
    if not fact.category:
        text = long_term.restate(file.text, old.line, words)
        return MemoryLine(old.path, old.line, fact), False, file.rewrite_plan(text)
    text = long_term.supersede(file.text, {old.line}, today)
    facts = [item.fact for item in _active(text)]
    text = long_term.add(text, [fact])
    said = next(item for item in _active(text) if item.fact not in facts)
    return MemoryLine(old.path, said.line, said.fact), False, file.rewrite_plan(text)


def _active(text: str) -> list[LongTermItem]:
    return [item for item in long_term.items(long_term.parse(text)) if item.superseded is None]


def supersede_plan(workspace: Workspace, lines: Collection[MemoryLine], today: date) -> Plan:
    """The plan that marks these lines as superseded, or removes those that were written by hand.

    Raises BadUsage for a line by hand that has items of its own.
    """
    if not lines:
        return ()
    file = open_role_file(workspace, _ROLE)
    text = long_term.supersede(file.text, {line.line for line in lines if line.fact.category}, today)
    by_hand = {line.line: line for line in lines if not line.fact.category}
    for number, line in by_hand.items():
        if long_term.goes_on(text, number, nested=True):
            raise BadUsage(f"{line.name} has nested list items; remove the line from the file by hand")
    return file.rewrite_plan(long_term.without_items(text, by_hand))
