"""Access: which group's memory an agent may read and write that acts for a group (nano)."""

from __future__ import annotations

from memtool.errors import OutsideWorkspace


def check(actor: str | None, target: str | None, shared: str | None, *, writes: bool) -> None:
    """Raise OutsideWorkspace unless who acts for `actor` may read, or with `writes` write, what `target` has.

    None is the main group, whose memory is the workspace itself: it may do everything. Another group reads
    itself and the shared group, and writes itself alone.
    """
    if actor is None or target == actor or (target == shared and not writes):
        return
    whose = "the workspace" if target is None else f"group {target!r}"
    if target == shared:
        raise OutsideWorkspace(
            f"group {actor!r} may read the memory of group {shared!r} and not write it; the main group may"
        )
    rest = f" and the shared group {shared!r}" if shared is not None else ""
    raise OutsideWorkspace(
        f"group {actor!r} may not {'write' if writes else 'read'} the memory of {whose}: "
        f"it reads its own{rest} only, and writes its own"
    )
