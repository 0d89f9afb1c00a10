"""remember: facts go to long-term memory, each once, however often it is said."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.dedup import Said
from memtool.core.entry import Fact
from memtool.core.plan import Create, Plan, Replace
from memtool.formats import long_term
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace


def remember(workspace: Workspace, facts: Sequence[Fact]) -> tuple[Plan, list[bool]]:
    """The plan that puts down what long-term memory does not say yet, and of each fact whether it does.

    Call it under the lock. Raises Unreadable.
    """
    if not facts:
        return (), []
    path = workspace.layout.path("long-term")
    document = workspace.read_text(path)
    text = seed_text(workspace.layout, "long-term") if document is None else document.text
    known = Said(long_term.facts(long_term.parse(text)))
    fresh: list[Fact] = []
    said: list[bool] = []
    for fact in facts:
        said.append(known.says(fact))
        if not said[-1]:
            known.add(fact)
            fresh.append(fact)
    if not fresh:
        return (), said
    new = long_term.add(text, fresh)
    return (Create(path, new) if document is None else Replace(path, new, document.etag),), said
