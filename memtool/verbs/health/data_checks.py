"""Checks of the stored data: turns, indexes, migrations, candidates, sessions, formats and lint."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from memtool.core.records.check import Check, counted, such_as
from memtool.core.records.migration import pending as names_of
from memtool.core.records.turn import moment_of
from memtool.errors import MemtoolError, Unreadable
from memtool.formats import candidate_line, semantic
from memtool.formats.table import JSON, format_named
from memtool.index.seal import is_plain_folder, is_sealed
from memtool.store.files import private
from memtool.verbs.facts.candidates import buffers, policy
from memtool.verbs.health.patient import Patient
from memtool.verbs.history.quarantine import kept
from memtool.verbs.history.upgrade_history import looked_at
from memtool.verbs.indexing import fact_shelf, shelf, turn_shelf
from memtool.verbs.layout.migrate import pending
from memtool.verbs.sessions.session import open_sessions
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


_FOLDERS = {"documents": shelf.FOLDER, "transcripts": turn_shelf.FOLDER, "facts": fact_shelf.FOLDER}


def documents(patient: Patient) -> Check:
    """The index of documents."""
    state = patient.shelves.documents.state()
    return _told("documents", state.state, counted(state.documents, "document"), "search")


def transcripts(patient: Patient) -> Check:
    """The index of transcripts."""
    state = patient.shelves.turns.state()
    return _told("transcripts", state.state, counted(state.turns, "turn"), "search")


def facts(patient: Patient) -> Check:
    """The index of facts."""
    state = patient.facts.state()
    return _told("facts", state.state, counted(state.facts, "fact"), "recall")


def _told(name: str, state: str, holds: str, asker: str) -> Check:
    if state == "none":
        return Check(f"index of {name}", "note", f"none yet; the next {asker} makes it", "memtool reindex")
    if state == "behind":
        said = f"{holds}, and changes since; the next {asker} sees to them"
        return Check(f"index of {name}", "note", said, "memtool reindex")
    return Check(f"index of {name}", "ok", f"fresh, {holds}")


def seals(patient: Patient) -> Check:
    """Whether what lies there is what this user's memtool left: all else is never opened."""
    home = private.folder(patient.workspace.root)
    there = {name: os.path.join(home, folder) for name, folder in _FOLDERS.items()}
    there = {name: path for name, path in there.items() if is_plain_folder(path) and os.listdir(path)}
    if there and patient.key is None:
        said = "there is no key to prove them by, so indexes are made anew in memory each time"
        return Check("seals", "wrong", said, "memtool reindex")
    broken = [name for name, path in there.items() if not is_sealed(path, patient.key or b"")]
    if broken:
        said = f"the index of {broken[0]} is not as memtool left it, and is never opened"
        return Check("seals", "wrong", said, "memtool reindex")
    return Check("seals", "ok", "every index is as memtool left it" if there else "there is no index yet")


_IDLE = timedelta(hours=24)
"""How long a session may be quiet before somebody should have ended it."""
_CHECKED = {one.name for one in JSON} - {"turn"}
"""Formats whose every file is read here; turns are another check's business."""


def migrations(patient: Patient) -> Check:
    """What an older tree still needs."""
    found = pending(patient.workspace, patient.now)
    names = names_of(found.stages)
    if names:
        return Check("migrations", "wrong", f"pending: {', '.join(names)}", "memtool migrate --dry-run")
    if found.unread:
        return Check("migrations", "unknown", found.unread[0], "memtool migrate --list")
    unmigrated = [step for stage in found.stages for step in stage.steps if step.result == "keep"]
    if unmigrated:
        said = f"{counted(len(unmigrated), 'file')} that cannot be migrated, {unmigrated[0].path}: {unmigrated[0].why}"
        return Check("migrations", "note", said, "memtool migrate --dry-run")
    return Check("migrations", "ok", "nothing is pending")


def candidates(patient: Patient) -> Check:
    """Candidates that wait longer than they may, and lines of theirs that do not read."""
    workspace = patient.workspace
    vocabulary = policy(workspace.settings).vocabulary
    since = patient.now - timedelta(days=workspace.settings["candidates.pending_days"])
    waiting, late = 0, 0
    broken: list[str] = []
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        for number, one, value in candidate_line.held(document.text, vocabulary) if document else ():
            if one is None:
                broken.append(f"{path}:{number}")
                continue
            waiting += 1
            late += _is_late(value, since, patient.now)
    if broken:
        said = such_as(broken, "line") + " that read as no candidate"
        return Check("candidates", "wrong", said, f"$EDITOR {patient.at(broken[0].rpartition(':')[0])}")
    if late:
        said = f"{late} of {waiting} wait longer than they may"
        return Check("candidates", "wrong", said, "memtool candidates list")
    return Check("candidates", "ok", f"{counted(waiting, 'candidate')} waiting, none too long")


def sessions(patient: Patient) -> Check:
    """Sessions that nobody ended."""
    found = open_sessions(patient.workspace)
    quiet = [
        f"{one.name} ({f'since {one.last:%Y-%m-%d}' if one.last else 'since nobody knows when'})"
        for one in found
        if (idle := one.idle(patient.now)) is None or idle > _IDLE
    ]
    if quiet:
        said = such_as(quiet, "session") + " quiet for more than a day"
        return Check("sessions", "wrong", said, "memtool session sweep --idle 1d")
    return Check("sessions", "ok", f"{counted(len(found), 'session')} open")


def formats(patient: Patient) -> Check:
    """Files that programs write, and lines of facts, that do not read as what they should be."""
    workspace = patient.workspace
    broken: dict[str, str] = {}
    unread: list[str] = []
    for path in sorted(patient.listing.files):
        located = workspace.located(path)
        name = located.place.format if located else ""
        if name not in _CHECKED and name != "semantic":
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            unread.append(str(error))
            continue
        text = document.text if document else ""
        if name == "semantic":
            broken |= {f"{path}:{number}": path for number in semantic.unread(semantic.parse(text))}
            continue
        try:
            format_named(name).parse(text)
        except MemtoolError as error:
            broken[f"{path} ({error})"] = path
    if broken:
        said = such_as([*broken], "place") + " that cannot be read"
        return Check("formats", "wrong", said, f"$EDITOR {patient.at(next(iter(broken.values())))}")
    if unread:
        return Check("formats", "unknown", unread[0])
    return Check("formats", "ok", "facts, salience, heads and records read")


def _is_late(value: dict[str, object], since: datetime, now: datetime) -> bool:
    until, at = (moment_of(str(value.get(key) or "")) for key in ("until", "at"))
    return until < now if until else at is not None and at < since


def lint(patient: Patient) -> Check:
    """What lint finds, by count: mistakes are wrong, what is only worth knowing is not.

    Who may read the tree is another check's.
    """
    from memtool.core.lint.codes import BY_NAME
    from memtool.verbs.lint.access import CODES
    from memtool.verbs.lint.lint import lint as every_mistake
    from memtool.verbs.lint.wanted import Wanted

    found = every_mistake(patient.workspace, Wanted(codes=frozenset(BY_NAME) - {*CODES})).problems
    bad = [one for one in found if BY_NAME[one.code].severity in {"error", "warning"}]
    if bad:
        such = [f"{one.path}:{one.line}: {one.code} {one.message}" for one in bad]
        return Check("lint", "wrong", such_as(such, "problem"), "memtool lint")
    return Check("lint", "ok", "no problems")
