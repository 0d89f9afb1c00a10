"""remember: facts go to long-term memory, each once, however often it is said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.dedup import Said
from memtool.core.records.entry import Fact
from memtool.core.records.plan import Create, Plan, Replace
from memtool.formats import long_term
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace


def remember(
    workspace: Workspace, facts: Sequence[Fact], *, group: str | None = None
) -> tuple[Plan, list[bool]]:
    """The plan that puts down what long-term memory does not say yet, and of each fact whether it does.

    Call it under the lock. Raises Unreadable.
    """
    if not facts:
        return (), []
    page = opened(workspace, "long-term", group=group)
    new, said = remembered(page.text, facts)
    return page.rewritten(new), said


def remembered(text: str, facts: Sequence[Fact]) -> tuple[str, list[bool]]:
    """Long-term memory with those facts that it does not say yet, and of each whether it did."""
    known = Said(long_term.facts(long_term.parse(text)))
    fresh: list[Fact] = []
    said: list[bool] = []
    for fact in facts:
        said.append(known.says(fact))
        if not said[-1]:
            known.add(fact)
            fresh.append(fact)
    return long_term.add(text, fresh), said


class Opened(Struct, frozen=True):
    """A file that is about to be rewritten: its text, a seed's where it is not there, and its etag."""

    path: PurePosixPath
    text: str
    etag: str | None

    def rewritten(self, new: str) -> Plan:
        """The plan that gives it a new text; none where nothing changes."""
        if new == self.text:
            return ()
        return (Create(self.path, new) if self.etag is None else Replace(self.path, new, self.etag),)


def opened(workspace: Workspace, role: str, *, group: str | None = None, day: date | None = None) -> Opened:
    """The file of a role, of a day where it has one, to be rewritten. Raises Unreadable, BadUsage."""
    slots = {"day": day} if day is not None and "day" in workspace.layout.place(role).template.slots else {}
    path = workspace.layout.path(role, group=group, **slots)
    document = workspace.read_text(path)
    if document is None:
        return Opened(path, seed_text(workspace.layout, role, day=day), None)
    return Opened(path, document.text, document.etag)
