"""Checks of the histories: turns of older versions, heads, and what is in quarantine."""

from __future__ import annotations

from memtool.core.records.check import Check, counted, such_as
from memtool.errors import Unreadable
from memtool.verbs.health.patient import Patient
from memtool.verbs.history.old_turns import looked_at
from memtool.verbs.history.quarantine import kept
from memtool.verbs.turns.history import folders, groups, read_head, seq_of


def turns(patient: Patient) -> Check:
    """Turns that are not of the current version, or do not read."""
    done = looked_at(patient.workspace, patient.now, patient.progress)
    old = sum(one.upgraded for one in done)
    broken = sum(one.quarantined for one in done)
    newer = sum(one.newer for one in done)
    unread = [sentence for one in done for sentence in one.unread]
    if old or broken:
        parts = [f"{counted(old, 'turn')} of an older version"] if old else []
        parts += [f"{counted(broken, 'turn')} that cannot be read"] if broken else []
        return Check("turns", "wrong", " and ".join(parts), "memtool upgrade-history --dry-run")
    if unread:
        return Check("turns", "unknown", such_as(unread, "place"), "memtool upgrade-history")
    if newer:
        said = f"{counted(newer, 'turn')} of a version that this memtool does not know"
        return Check("turns", "note", said, "update memtool")
    return Check("turns", "ok", f"{counted(sum(one.current for one in done), 'turn')} of the current version")


def heads(patient: Patient) -> Check:
    """Whether every head says a number that no turn is past."""
    behind = []
    for group in groups(patient.workspace):
        head, etag = read_head(patient.workspace, group)
        last = _last(patient, group)
        path = patient.workspace.layout.path("head", group=group)
        if head is None and (etag or last):
            behind.append(f"{path} ({'cannot be read' if etag else 'is missing'})")
        elif head is not None and head.last_seq < last:
            behind.append(f"{path} (says {head.last_seq}, there is a turn {last})")
    if behind:
        return Check("heads", "wrong", such_as(behind, "head"), "memtool upgrade-history")
    return Check("heads", "ok", "no turn is past its head")


def _last(patient: Patient, group: str | None) -> int:
    """The highest number of a turn that is there; what is in quarantine is past no head."""
    unread: list[str] = []
    found = [*folders(patient.workspace, group, unread, "turn")]
    if unread:
        raise Unreadable(unread[0])
    return max((seq_of(name) or 0 for folder in found for name in folder.files), default=0)


def quarantine(patient: Patient) -> Check:
    """Whether anything waits there to be mended."""
    unread: list[str] = []
    found = [str(one.path) for one in kept(patient.workspace, unread)]
    if found:
        return Check("quarantine", "wrong", such_as(found, "file"), "memtool quarantine list")
    if unread:
        return Check("quarantine", "unknown", unread[0], "memtool quarantine list")
    return Check("quarantine", "ok", "empty")
