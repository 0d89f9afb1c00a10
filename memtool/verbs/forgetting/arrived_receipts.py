"""Receipts that arrived from another machine: what was forgotten there is forgotten here, once for a receipt.

Git and programs for syncing folders bring the receipts as they bring every file. The private folder lists
those that were applied, so that text which somebody states again afterwards stays. Deletions then reach
other machines as every change does.

Nobody can restore what is forgotten, and whoever can write to the shared tree can write a receipt for any
word. So a command that has other work removes no more than a few lines, and holds receipts that would remove
more until a person confirms them with `memtool forget --arrived`. Other receipts do not wait for these.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from memtool.verbs.memory_files.applied_receipts import (
    arrived_receipts,
    divide_receipts,
    new_receipts,
    record_receipts,
)
from memtool.verbs.memory_files.digest_key import stored_keys

_MOST_LINES = 50
"""Lines that receipts remove without a person: the other machine's own deletions arrive with the files, so
that only what this machine has added since the last exchange is left to remove."""


_MOST_RECEIPTS = 20
"""Receipts whose lines are counted one by one, since each count reads the tree; more are held together."""


def forget_arrived(workspace: Workspace) -> None:
    """Forget what new receipts say, for a command that has locked the workspace, or hold the receipts.

    What fails, also the reading of a file, is reported, and tried again by the next command. Raises
    UnfinishedCommit.
    """
    own = workspace.holding_lock()
    own.journal.set_author(lambda: CommitAuthor("forget"))
    try:
        arrived = arrived_receipts(own)
        small = _small_receipts(own, arrived)
        large = [receipt for receipt in arrived if receipt not in small]
        forgetting = _forgetting(own, small)
        lines = forgetting.line_count() if forgetting else 0
        if forgetting:
            forgetting.commit()
        if lines:
            own.report(
                f"removed {count_noun(lines, 'line')} that memtool forget had removed "
                "from another copy of this workspace"
            )
        if large:
            own.report(
                f"{count_noun(len(large), 'forget command')} from "
                f"{'another copy' if len(large) == 1 else 'other copies'} of this "
                f"workspace {'was' if len(large) == 1 else 'were'} not applied, because "
                f"{'it' if len(large) == 1 else 'they'} would permanently remove "
                f"{count_noun(_line_count(own, large), 'line')} here; to see the lines, run "
                "memtool forget --arrived --dry-run"
            )
        unread = forgetting.unread() if forgetting else ()
        for reason in unread:
            own.report(
                f"a forget command from another copy of this workspace was not fully applied: {reason}"
            )
        if not unread:
            divide_receipts(own, small, large)
    except UnfinishedCommit:
        raise
    except MemtoolError as error:
        workspace.report(
            "text that memtool forget removed from another copy of this workspace has not been removed "
            f"here yet: {error}"
        )


def _small_receipts(workspace: Workspace, receipts: Sequence[str]) -> list[str]:
    """The receipts that together remove few enough lines: those that remove the fewest of them first."""
    if _line_count(workspace, receipts) <= _MOST_LINES:
        return [*receipts]
    if not 1 < len(receipts) <= _MOST_RECEIPTS:
        return []
    small, total = [], 0
    for lines, receipt in sorted((_line_count(workspace, [receipt]), receipt) for receipt in receipts):
        total += lines
        if total <= _MOST_LINES:
            small.append(receipt)
    return small


def _line_count(workspace: Workspace, receipts: Sequence[str]) -> int:
    forgetting = _forgetting(workspace, receipts)
    return forgetting.line_count() if forgetting else 0


@retry_when_stale
def forget_confirmed(workspace: Workspace) -> ForgetReport:
    """Forget what the receipts say that are not applied, all or nothing; plan it only, if nothing is written.

    Raises StaleWrite, Unwritable, Locked, UnreadableFile.
    """
    with workspace.lock(does_pending=False):
        forgetting = _forgetting(workspace, new_receipts(workspace))
        report = forgetting.commit() if forgetting else ForgetReport((), (), None)
        if workspace.writes and not report.unread:
            record_receipts(workspace)
        return report


def _forgetting(workspace: Workspace, receipts: Sequence[str]) -> Forgetting | None:
    """What some lines of receipts select; None if they recognise nothing."""
    if not receipts:
        return None
    forgotten = Forgotten([*forget_receipt.parse("\n".join(receipts))], stored_keys(workspace))
    if not forgotten:
        return None
    forgetting = Forgetting(workspace, ForgetRequest(), None, TombstoneSelection(forgotten))
    forgetting.select()
    return forgetting
