"""The table of migrations, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec import Struct

from memtool.core.records.migration import Step
from memtool.verbs.changes.tree import Tree
from memtool.verbs.layout.old_candidates import upgraded
from memtool.verbs.layout.old_compactions import sections
from memtool.verbs.layout.old_names import renamed, respelled


class Migration(Struct, frozen=True):
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
