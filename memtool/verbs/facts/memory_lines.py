"""Lines of long-term memory, corrected and superseded by their place or their words, as facts are by id."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.duplicates import comparison_key
from memtool.core.records.entries import Fact
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.errors import BadUsage
from memtool.formats import long_term
from memtool.formats.long_term import LongTermItem
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import open_role_file

_ROLE = "long-term"


class MemoryLine(Struct, frozen=True):
    """A categorised line of long-term memory that is not superseded; lines count from 1."""

    path: PurePosixPath
    line: int
    fact: Fact

    @property
    def name(self) -> str:
        """`path:line`, as search prints it."""
        return f"{self.path}:{self.line}"

    @property
    def text(self) -> str:
        """What it says."""
        return self.fact.detail


def memory_lines(workspace: Workspace, owners: Collection[str] = ()) -> list[MemoryLine]:
    """The lines that these owners may see. Raises UnreadableFile."""
    path = workspace.layout.path(_ROLE) if workspace.has(_ROLE) else None
    document = workspace.read_text(path) if path else None
    if path is None or document is None:
        return []
    return [
        MemoryLine(path, item.line, item.fact)
        for item in _active(document.text)
        if sees(owners, str(item.fact.owner or ""))
    ]


def named_line(name: str, lines: Iterable[MemoryLine]) -> MemoryLine | None:
    """The line with this `path:line` or these words; None if there is none. Raises BadUsage for several."""
    key = comparison_key(name)
    found = [line for line in lines if name == line.name or key == comparison_key(line.fact.detail)]
    if len(found) > 1:
        places = ", ".join(line.name for line in found)
        raise BadUsage(f"several lines say {name!r}; give one of {places}")
    return found[0] if found else None


def edited_line(
    workspace: Workspace, old: MemoryLine, words: str, today: date
) -> tuple[MemoryLine, bool, Plan]:
    """The line that says the new words, whether it was there before, and the plan that supersedes the old."""
    file = open_role_file(workspace, _ROLE)
    fact = Fact(old.fact.category, words, old.fact.owner)
    text = long_term.supersede(file.text, {old.line}, today)
    key, active = comparison_key(words), _active(text)
    known = [
        item for item in active if item.fact.owner == fact.owner and comparison_key(item.fact.detail) == key
    ]
    facts = [item.fact for item in active]
    if not known:
        text = long_term.add(text, [fact])
    said = known[0] if known else next(item for item in _active(text) if item.fact not in facts)
    return MemoryLine(old.path, said.line, said.fact), bool(known), file.rewrite_plan(text)


def _active(text: str) -> list[LongTermItem]:
    items = long_term.items(long_term.parse(text))
    return [item for item in items if item.fact.category and item.superseded is None]


def supersede_plan(workspace: Workspace, lines: Collection[MemoryLine], today: date) -> Plan:
    """The plan that marks these lines as superseded."""
    if not lines:
        return ()
    file = open_role_file(workspace, _ROLE)
    return file.rewrite_plan(long_term.supersede(file.text, {line.line for line in lines}, today))
