"""Eager upgrade: bring old turns up to date where an agent or a watcher starts (q15).

It is `upgrade-history` on the folders of days that have changed since all their turns were found to be
current: a file in `.memtool` has the stats of those folders. A turn that is rewritten in place leaves its
folder unchanged; `upgrade-history` examines every file.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import PurePosixPath

from memtool import __version__
from memtool.core.records.document import FileStat
from memtool.errors import Locked
from memtool.store.files import derived
from memtool.store.workspace import Workspace
from memtool.verbs.history.upgrade_history import UpgradeReport, upgrade_history
from memtool.verbs.turns.history import history_groups, is_day_folder, read_head

_NAME = "current-turns"
_SETTLED_NS = 2_000_000_000
"""The least age of a folder's times, the coarsest time stamp in use: a younger one may change unseen."""


def upgrade_outdated(
    workspace: Workspace,
    now: datetime,
    *,
    seconds: float,
    groups: Iterable[str | None] | None = None,
    clock: Callable[[], int] = time.time_ns,
) -> list[UpgradeReport]:
    """Upgrade the turns of all histories, or of these groups, in folders that have changed.

    It stops after so many seconds, and the next run continues; it does nothing where nothing may be written,
    and ends where another writer has the lock. `clock` is that of the file system. Raises Unwritable.
    """
    key = workspace.key() if workspace.writes else None
    if key is None:
        return []
    until = time.monotonic() + seconds
    known = _load(workspace, key)
    stats: dict[str, list[int]] = {}
    reports: list[UpgradeReport] = []
    with contextlib.suppress(Locked):
        for group in history_groups(workspace) if groups is None else groups:
            reports += [_upgrade(workspace, now, group, known, stats, until)]
    newest = clock() - _SETTLED_NS
    settled = (str(folder) for report in reports for folder in report.settled)
    current = {path: stats[path] for path in settled if path in stats and max(stats[path][:2]) < newest}
    if current:
        content = {"version": __version__, "folders": known | current}
        derived.save(workspace.root, _NAME, json.dumps(content).encode(), key)
    return reports


def _upgrade(
    workspace: Workspace,
    now: datetime,
    group: str | None,
    known: dict[str, list[int]],
    stats: dict[str, list[int]],
    until: float,
) -> UpgradeReport:
    """Upgrade one history; `stats` gets the stats of its folders of days."""
    has_head = read_head(workspace, group)[0] is not None

    def has_changed(path: PurePosixPath, stat: FileStat) -> bool:
        if not is_day_folder(workspace, group, path):
            return True
        stats[str(path)] = [stat.mtime_ns, stat.ctime_ns, stat.inode]
        return not has_head or known.get(str(path)) != stats[str(path)]

    return upgrade_history(
        workspace, now, group=group, report=lambda _: None, should_enter=has_changed, until=until
    )


def _load(workspace: Workspace, key: bytes) -> dict[str, list[int]]:
    """The folders that were found current by this version of memtool, with their stats."""
    record = json.loads(derived.load(workspace.root, _NAME, key) or b"{}")
    return dict(record["folders"]) if record.get("version") == __version__ else {}
