"""Turns that are not of the current version, counted without changing one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memtool.store.workspace import Workspace
from memtool.verbs.history.upgrade_history import Upgrade, upgrade_history
from memtool.verbs.turns.history import groups


def old_turns(workspace: Workspace, now: datetime, progress: Callable[[int, int], None] | None = None) -> int:
    """How many files of all histories `upgrade-history` would change; each is read."""
    return sum(one.upgraded + one.quarantined for one in looked_at(workspace, now, progress))


def looked_at(
    workspace: Workspace, now: datetime, progress: Callable[[int, int], None] | None = None
) -> list[Upgrade]:
    """What `upgrade-history` would come to, for each history; nothing is written."""
    only_looks = workspace.looking()
    return [
        upgrade_history(only_looks, now, group=group, report=lambda _: None, progress=progress)
        for group in groups(only_looks)
    ]
