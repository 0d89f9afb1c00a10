"""doctor: everything about a workspace is looked at, a line a thing, with what to run next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memtool.core.health import Check
from memtool.errors import MemtoolError
from memtool.verbs.checks import history, indexes, memory, surroundings, tree
from memtool.verbs.checks.patient import Patient

CHECKS: tuple[tuple[str, Callable[[Patient], Check]], ...] = (
    ("layout", tree.layout),
    ("settings", surroundings.settings),
    ("permissions", tree.permissions),
    ("unreadable", tree.unreadable),
    ("no role", tree.strangers),
    ("leftovers", tree.leftovers),
    ("lock", tree.lock),
    ("disk", tree.disk),
    ("clock", tree.clock),
    ("index of documents", indexes.documents),
    ("index of transcripts", indexes.transcripts),
    ("index of facts", indexes.facts),
    ("seals", indexes.seals),
    ("turns", history.turns),
    ("heads", history.heads),
    ("quarantine", history.quarantine),
    ("migrations", memory.migrations),
    ("candidates", memory.candidates),
    ("sessions", memory.sessions),
    ("formats", memory.formats),
    ("lint", memory.lint),
    ("commands", surroundings.commands),
    ("extras", surroundings.extras),
)
"""Every check in its order: its name, and what looks."""


def doctor(patient: Patient) -> Iterator[Check]:
    """The checks one after the other; what a look runs into itself is a line, too."""
    for name, look in CHECKS:
        try:
            yield look(patient)
        except MemtoolError as error:
            yield Check(name, "unknown", str(error))
