"""Receipts that arrived from another machine: what was forgotten there is forgotten here, once for a receipt.

Git and programs for syncing folders bring the receipts as they bring every file. The private folder lists
those that were applied, so that text which somebody states again afterwards stays. Deletions then reach
other machines as every change does.
"""

from __future__ import annotations

from memtool.core.forgetting.selection import ForgetRequest
from memtool.core.forgetting.tombstone_selection import TombstoneSelection
from memtool.core.forgetting.tombstones import Forgotten
from memtool.core.history.journal import CommitAuthor
from memtool.core.records.health import count_noun
from memtool.errors import MemtoolError, UnfinishedCommit
from memtool.formats import forget_receipt
from memtool.store.files import applied_receipts
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.forget import Forgetting
from memtool.verbs.memory_files.applied_receipts import receipt_lines, record_receipts
from memtool.verbs.memory_files.digest_key import stored_keys


def forget_arrived(workspace: Workspace) -> None:
    """Forget what new receipts say, for a command that has locked the workspace.

    What fails is reported, and tried again by the next command. Raises UnfinishedCommit.
    """
    own = workspace.holding_lock()
    own.journal.set_author(lambda: CommitAuthor("forget"))
    try:
        applied = applied_receipts.read(own.root)
        new = [line for line in receipt_lines(own) if applied_receipts.name_of(line) not in applied]
        forgotten = Forgotten([*forget_receipt.parse("\n".join(new))], stored_keys(own)) if new else None
        if forgotten:
            forgetting = Forgetting(own, ForgetRequest(), None, TombstoneSelection(forgotten))
            forgetting.select()
            removed = sum(len(cut.lines) for cut in forgetting.commit().cuts)
            if removed:
                own.report(
                    f"removed {count_noun(removed, 'line')} that memtool forget had removed "
                    "from another copy of this workspace"
                )
        record_receipts(own)
    except UnfinishedCommit:
        raise
    except MemtoolError as error:
        workspace.report(
            "text that memtool forget removed from another copy of this workspace is not removed here "
            f"yet: {error}"
        )
