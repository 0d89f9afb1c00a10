"""The table of migrations, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from memtool.core.migration import Step
from memtool.values import dataclass
from memtool.verbs.migrations.candidates import upgraded
from memtool.verbs.migrations.compactions import sections
from memtool.verbs.migrations.daily_notes import respelled
from memtool.verbs.migrations.spellings import renamed
from memtool.verbs.tree import Tree


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration: its name, why there is such a thing, and its steps, as it sees them in a tree.

    A step is told of the tree in which the steps before it were made. Where nothing is to be done, or nothing
    more, there is no step with a plan: so it can be run at any time, and keeps no books.
    """

    name: str
    why: str
    steps: Callable[[Tree, datetime], Iterable[Step]]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "daily-notes", "daily notes whose names spell the day in another way", lambda tree, _: respelled(tree)
    ),
    Migration("soul", "an identity file under its older name", lambda tree, _: renamed(tree, "soul")),
    Migration(
        "long-term", "long-term memory under its older name", lambda tree, _: renamed(tree, "long-term")
    ),
    Migration(
        "compactions",
        "compactions in the identity file, which is in every prompt",
        lambda tree, _: sections(tree),
    ),
    Migration("candidates", "candidates that wait in an older shape", upgraded),
)
"""Daily notes come first: from then on their own links are read, and follow what the others rename.

Turns of older versions are another command's business: `upgrade-history`."""
