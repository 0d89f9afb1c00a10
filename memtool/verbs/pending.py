"""What waits for the next command that writes: queued hook events, merges of histories, new receipts."""

from __future__ import annotations

from memtool.store.files import applied_receipts, derived, git_state, pending_work, queue
from memtool.store.workspace import Workspace
from memtool.verbs.hooks.hook_queue import record_queued
from memtool.verbs.merging.arrived_turns import list_arrived_turns
from memtool.verbs.merging.finish import finish_recent_merges


def do_pending(workspace: Workspace) -> None:
    """Do it for a command that has locked the workspace; what fails waits for the next one.

    What another machine brought waits until git has finished: a file that is changed in the middle of a merge
    cannot be restored by `git merge --abort`. Raises UnfinishedCommit.
    """
    if git_state.has_unreported_index(workspace.root):
        from memtool.verbs.merging.git_conflicts import report_git  # after a commit, pull or checkout only

        report_git(workspace)
    if not git_state.is_unfinished(workspace.root):
        _do_arrived(workspace)
    if queue.waiting_events(workspace.root):
        record_queued(workspace)


def _do_arrived(workspace: Workspace) -> None:
    if pending_work.may_have_arrived_turns(workspace.root, workspace.layout):
        list_arrived_turns(workspace)
    if derived.exists(workspace.root, derived.MERGED):
        finish_recent_merges(workspace)
    if applied_receipts.may_have_new(workspace.root, workspace.layout):
        from memtool.verbs.forgetting.arrived_receipts import forget_arrived  # rare, and much code

        forget_arrived(workspace)
