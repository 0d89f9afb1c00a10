"""Unapplied corrections: which facts and lines a correction may be about that superseded none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from memtool.core.capture.circumstances import CorrectingSentence
from memtool.core.capture.near_memory import nearness
from memtool.core.facts.identity import comparison_text
from memtool.core.records.entries import Owner
from memtool.formats import long_term
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.semantic_files import all_facts

_MOST_NAMED = 3
"""The most places that are named."""


class NearPlace(Struct, frozen=True):
    """The id of a fact, or `path:line` of a line of long-term memory, and its text."""

    place: str
    text: str


def near_places(
    workspace: Workspace, correction: CorrectingSentence, owner: Owner | None, group: str | None
) -> list[NearPlace]:
    """The active facts and lines of an owner that a correction may be about: the three nearest.

    Files that cannot be read have none. Raises UnreadableFile for long-term memory.
    """
    statement = correction.correction.statement or correction.sentence
    rated = [(nearness(statement, found.text), found) for found in _statements(workspace, owner, group)]
    near = sorted((row for row in rated if row[0]), key=lambda row: -row[0])
    return [found for _, found in near[:_MOST_NAMED]]


def _statements(workspace: Workspace, owner: Owner | None, group: str | None) -> Iterator[NearPlace]:
    """The active facts, and the active lines of long-term memory, of an owner."""
    if group is None and workspace.has("semantic"):
        for fact in all_facts(workspace, []):
            if fact.record.superseded is None and fact.record.fact.owner == owner:
                yield NearPlace(fact.name, comparison_text(fact.record.fact))
    path = workspace.layout.path("long-term", group=group)
    document = workspace.read_text(path)
    for item in long_term.items(long_term.parse(document.text)) if document else ():
        if item.fact.category and item.superseded is None and item.fact.owner == owner:
            yield NearPlace(f"{path}:{item.line}", item.fact.detail)


def nothing_superseded(correction: str, near: Sequence[NearPlace]) -> str:
    """The notice on a correction that superseded nothing."""
    places = ", ".join(found.place for found in near)
    return (
        f"the correction {correction!r} superseded no stored fact; if it corrects {places}, repeat it in the "
        'form "not OLD but NEW", or edit the line in its file (see memtool facts list)'
    )
