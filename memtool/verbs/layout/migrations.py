"""The table of migrations, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec import Struct

from memtool.core.records.migration import MigrationStep
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.layout.candidate_migration import upgrade_candidates
from memtool.verbs.layout.compaction_migration import move_compactions
from memtool.verbs.layout.name_migrations import rename_old_files, respell_daily_notes


class Migration(Struct, frozen=True):
    """One migration: its name, its purpose, and the function that plans its steps in a tree.

    Each step is planned on the tree as the steps before it leave it. A migration without work yields no step
    with a plan, so it can be run at any time, and its progress is not recorded.
    """

    name: str
    why: str
    steps: Callable[[PlannedTree, datetime], Iterable[MigrationStep]]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "daily-notes",
        "daily notes whose file names contain dates in a non-standard format",
        lambda tree, _: respell_daily_notes(tree),
    ),
    Migration(
        "soul", "identity files with an outdated file name", lambda tree, _: rename_old_files(tree, "soul")
    ),
    Migration(
        "long-term",
        "long-term memory with an outdated file name",
        lambda tree, _: rename_old_files(tree, "long-term"),
    ),
    Migration(
        "compactions",
        "compaction summaries in an identity file, and so in every prompt",
        lambda tree, _: move_compactions(tree),
    ),
    Migration("candidates", "pending candidates in an older format", upgrade_candidates),
)
"""Daily notes come first, because their links are read and rewritten by later migrations.

Turns of older versions are upgraded by `upgrade-history`."""
