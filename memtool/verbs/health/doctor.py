"""doctor: run all checks on a workspace; each gives one line and the command to run next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memtool.core.records.health import HealthCheck
from memtool.errors import MemtoolError
from memtool.verbs.health import data_checks, sync_checks, tree_checks
from memtool.verbs.health.check_context import CheckContext

CHECKS: tuple[tuple[str, Callable[[CheckContext], HealthCheck]], ...] = (
    ("layout", tree_checks.layout),
    ("settings", tree_checks.settings),
    ("permissions", tree_checks.permissions),
    ("unreadable", tree_checks.unreadable),
    ("no role", tree_checks.files_without_role),
    ("commits", tree_checks.commits),
    ("leftovers", tree_checks.leftovers),
    ("queue", tree_checks.queued),
    ("lock", tree_checks.lock),
    ("disk", tree_checks.disk),
    ("clock", tree_checks.clock),
    ("sync", sync_checks.synchronisation),
    ("index of documents", data_checks.documents),
    ("index of transcripts", data_checks.transcripts),
    ("index of facts", data_checks.facts),
    ("index integrity", data_checks.integrity),
    ("turns", data_checks.turns),
    ("heads", data_checks.heads),
    ("quarantine", data_checks.quarantine),
    ("migrations", data_checks.migrations),
    ("candidates", data_checks.candidates),
    ("sessions", data_checks.sessions),
    ("formats", data_checks.formats),
    ("lint", data_checks.lint),
    ("commands", tree_checks.commands),
    ("extras", tree_checks.extras),
)
"""The checks in order, each with its name."""


def doctor(context: CheckContext) -> Iterator[HealthCheck]:
    """Yield the results of all checks; an error inside a check is its result."""
    for name, check in CHECKS:
        try:
            yield check(context)
        except MemtoolError as error:
            yield HealthCheck(name, "unknown", str(error))
