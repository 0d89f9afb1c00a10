"""Receipts that arrived from another machine: what was forgotten there is forgotten here, once for a receipt.

Git and programs for syncing folders bring the receipts as they bring every file. The private folder lists
those that were applied, so that text which somebody states again afterwards stays. Deletions then reach
other machines as every change does.

Nobody can restore what is forgotten, and whoever can write to the shared tree can write a receipt for any
word. So a command that has other work removes no more than a few lines, and holds receipts that would remove
more until a person confirms them with `memtool forget --arrived`.
"""

from __future__ import annotations

from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.forgetting.tombstone_selection import TombstoneSelection
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.history.journal import CommitAuthor
from memtool.core.records.health import count_noun
from memtool.errors import MemtoolError, UnfinishedCommit
from memtool.formats import forget_receipt
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.forget import Forgetting
from memtool.verbs.forgetting.report import ForgetReport
from memtool.verbs.memory_files.applied_receipts import hold_receipts, new_receipts, record_receipts
from memtool.verbs.memory_files.digest_key import stored_keys

_MOST_LINES = 50
"""Lines that receipts remove without a person: the other machine's own deletions arrive with the files, so
that only what this machine has added since the last exchange is left to remove."""


def forget_arrived(workspace: Workspace) -> None:
    """Forget what new receipts say, for a command that has locked the workspace, or hold the receipts.

    What fails, also the reading of a file, is reported, and tried again by the next command. Raises
    UnfinishedCommit.
    """
    own = workspace.holding_lock()
    own.journal.set_author(lambda: CommitAuthor("forget"))
    try:
        forgetting = _forgetting(own)
        lines = forgetting.line_count() if forgetting else 0
        if lines > _MOST_LINES:
            hold_receipts(own)
            own.report(
                "a forget command of another copy of this workspace would permanently remove "
                f"{count_noun(lines, 'line')} here; nothing was removed; to decide, run "
                "memtool forget --arrived --dry-run"
            )
            return
        if forgetting:
            forgetting.commit()
        if lines:
            own.report(
                f"removed {count_noun(lines, 'line')} that memtool forget had removed "
                "from another copy of this workspace"
            )
        if unread := forgetting.unread() if forgetting else ():
            for reason in unread:
                own.report(
                    f"a forget command of another copy of this workspace is not complete here: {reason}"
                )
            return
        record_receipts(own)
    except UnfinishedCommit:
        raise
    except MemtoolError as error:
        workspace.report(
            "text that memtool forget removed from another copy of this workspace is not removed here "
            f"yet: {error}"
        )


@retry_when_stale
def forget_confirmed(workspace: Workspace) -> ForgetReport:
    """Forget what the receipts say that are not applied, all or nothing; plan it only, if nothing is written.

    Raises StaleWrite, Unwritable, Locked, UnreadableFile.
    """
    with workspace.lock(does_pending=False):
        forgetting = _forgetting(workspace)
        report = forgetting.commit() if forgetting else ForgetReport((), (), None)
        if workspace.writes and not report.unread:
            record_receipts(workspace)
        return report


def _forgetting(workspace: Workspace) -> Forgetting | None:
    """What the receipts select that are not applied; None if they recognise nothing."""
    new = new_receipts(workspace)
    forgotten = Forgotten([*forget_receipt.parse("\n".join(new))], stored_keys(workspace)) if new else None
    if not forgotten:
        return None
    forgetting = Forgetting(workspace, ForgetRequest(), None, TombstoneSelection(forgotten))
    forgetting.select()
    return forgetting
