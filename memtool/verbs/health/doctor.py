"""doctor: everything about a workspace is looked at, a line a thing, with what to run next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memtool.core.records.check import Check
from memtool.errors import MemtoolError
from memtool.verbs.health import check_history, check_indexes, check_memory, check_surroundings, check_tree
from memtool.verbs.health.patient import Patient

CHECKS: tuple[tuple[str, Callable[[Patient], Check]], ...] = (
    ("layout", check_tree.layout),
    ("settings", check_surroundings.settings),
    ("permissions", check_tree.permissions),
    ("unreadable", check_tree.unreadable),
    ("no role", check_tree.strangers),
    ("leftovers", check_tree.leftovers),
    ("lock", check_tree.lock),
    ("disk", check_tree.disk),
    ("clock", check_tree.clock),
    ("index of documents", check_indexes.documents),
    ("index of transcripts", check_indexes.transcripts),
    ("index of facts", check_indexes.facts),
    ("seals", check_indexes.seals),
    ("turns", check_history.turns),
    ("heads", check_history.heads),
    ("quarantine", check_history.quarantine),
    ("migrations", check_memory.migrations),
    ("candidates", check_memory.candidates),
    ("sessions", check_memory.sessions),
    ("formats", check_memory.formats),
    ("lint", check_memory.lint),
    ("commands", check_surroundings.commands),
    ("extras", check_surroundings.extras),
)
"""Every check in its order: its name, and what looks."""


def doctor(patient: Patient) -> Iterator[Check]:
    """The checks one after the other; what a look runs into itself is a line, too."""
    for name, look in CHECKS:
        try:
            yield look(patient)
        except MemtoolError as error:
            yield Check(name, "unknown", str(error))
