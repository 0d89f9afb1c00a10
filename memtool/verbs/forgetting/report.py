"""The report of a forget command: what goes, what stays, and what could not be searched or cleaned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.forgetting.tombstones import ForgetReceipt
from memtool.core.records.plan import Plan
from memtool.formats import forget_receipt
from memtool.store.files import queue
from memtool.verbs.forgetting.cut import FileCut, ForgottenLine


class ForgetReport(Struct, frozen=True):
    """The cuts, the plan, the receipt (None where nothing went), and what could not be read or cleaned.

    `left` are lines that stay, by path, although they say a name of the user: it may be somebody else's.
    `elsewhere` names files and places that still hold what was forgotten, which memtool does not change.
    `unread` has a sentence for each file or folder that could not be searched. `is_incomplete`: events of
    hooks wait, and were not searched. `is_unknown_user`: nothing belongs to the user of the request, so that
    nothing goes.
    """

    cuts: tuple[FileCut, ...]
    plan: Plan
    receipt: ForgetReceipt | None
    left: tuple[tuple[str, ForgottenLine], ...] = ()
    elsewhere: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_incomplete: bool = False
    is_unknown_user: bool = False

    def as_json(self) -> dict[str, Any]:
        """The receipt as printed with --json."""
        return forget_receipt.record(self.receipt) if self.receipt else {}


def queue_notices(root: str) -> Iterator[str]:
    """What of the queue was not searched: what waits is recorded first, save in a dry run or by a failure."""
    yield from filter(None, [queue.waiting_notice(root)])
    for path in queue.other_files(root):
        yield (
            f"{path} is not a pending hook event and was not searched; "
            "delete the file if it contains the text to be forgotten"
        )
