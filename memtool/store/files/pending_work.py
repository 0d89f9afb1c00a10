"""What waits for the next command that writes: queued hook events, and what git or others have brought."""

from __future__ import annotations

from memtool.layouts.layout import Layout
from memtool.store.files import applied_receipts, derived, git_state, queue


def is_waiting(root: str, layout: Layout) -> bool:
    """Whether anything waits that can be done now; a few looks at the disk."""
    if queue.waiting_events(root) or git_state.has_unreported_index(root):
        return True
    has_arrived = (
        derived.exists(root, derived.MERGED)
        or applied_receipts.may_have_new(root, layout)
        or may_have_arrived_turns(root, layout)
    )
    return has_arrived and not git_state.is_unfinished(root)


def may_have_arrived_turns(root: str, layout: Layout) -> bool:
    """Whether git may have brought turns since its index was recorded."""
    return layout.has_role("turn") and git_state.has_new_index(root)
