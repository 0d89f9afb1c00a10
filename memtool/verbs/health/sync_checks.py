"""Checks of the programs that synchronise the tree between machines: they must leave out `.memtool`."""

from __future__ import annotations

import shlex

from memtool.core.records.health import HealthCheck, count_noun
from memtool.store.external.git_output import git_output
from memtool.store.external.sync_folders import SyncFolder, sync_folders
from memtool.store.files import applied_receipts
from memtool.store.root import PRIVATE_FOLDER, enclosing_work_tree
from memtool.verbs.health.check_context import CheckContext
from memtool.verbs.merging.conflict_copies import copies_notice
from memtool.verbs.merging.git_conflicts import conflict_notice
from memtool.verbs.merging.git_driver import driver_fault


def synchronisation(context: CheckContext) -> HealthCheck:
    """Check that Syncthing, Dropbox and git do not copy `.memtool` to other machines."""
    root = context.workspace.root
    folders = [*sync_folders(root)]
    if _is_tracked(root):
        command = f"git -C {shlex.quote(root)} rm -r --cached {PRIVATE_FOLDER}"
        return HealthCheck(
            "sync",
            "wrong",
            f"Git tracks {PRIVATE_FOLDER}, which must not be copied to other machines",
            command,
        )
    for folder in folders:
        if folder.is_ignored is False:
            detail = (
                f"{folder.program} synchronises {folder.path}, including {PRIVATE_FOLDER}, which must "
                "not be copied to other machines"
            )
            return HealthCheck("sync", "wrong", detail, _remedy(folder))
    for folder in folders:
        if folder.is_ignored is None:
            detail = (
                f"{folder.path} is synchronised, and {PRIVATE_FOLDER} may be copied along with it; exclude "
                f"{PRIVATE_FOLDER} if possible; memtool rebuilds indexes copied from another machine"
            )
            return HealthCheck("sync", "note", detail, "memtool help sync")
    if held := len(applied_receipts.read_held(root)):
        detail = (
            f"{count_noun(held, 'forget command')} from "
            f"{'another copy' if held == 1 else 'other copies'} of this workspace "
            f"{'was' if held == 1 else 'were'} not applied, because "
            f"{'it' if held == 1 else 'they'} would remove an unusually large number of lines here"
        )
        return HealthCheck("sync", "note", detail, "memtool forget --arrived --dry-run")
    if fault := conflict_notice(context.workspace):
        return HealthCheck("sync", "wrong", fault, "memtool merge --conflicts")
    if notice := copies_notice(context.workspace):
        return HealthCheck("sync", "wrong", notice, "memtool merge --conflicts")
    if fault := driver_fault(context.workspace):
        return HealthCheck("sync", "note", fault, "memtool merge --install")
    if folders:
        names = " and ".join(dict.fromkeys(folder.program for folder in folders))
        return HealthCheck("sync", "ok", f"{PRIVATE_FOLDER} is excluded from synchronisation by {names}")
    return HealthCheck("sync", "ok", f"found no program that copies {PRIVATE_FOLDER} to other machines")


def _remedy(folder: SyncFolder) -> str:
    """The command that has a program leave out the private folder."""
    if folder.program == "Dropbox":
        path = shlex.quote(f"{folder.path}/{folder.inner}")
        return f"attr -s com.dropbox.ignored -V 1 {path}"
    quoted = shlex.quote(folder.ignore_file)
    return f"printf '\\n%s\\n' {shlex.quote(folder.pattern)} >> {quoted}"


def _is_tracked(root: str) -> bool:
    """Whether git tracks a file of the private folder; False if there is no git."""
    if enclosing_work_tree(root) is None:
        return False
    return bool(git_output(root, "ls-files", "--", PRIVATE_FOLDER))
