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
from memtool.verbs.indexing.location import DOCUMENTS, FACTS, TRANSCRIPTS
from memtool.verbs.layout.migrate import pending
from memtool.verbs.sessions.session import open_sessions
from memtool.verbs.turns.history import folders, groups, read_head, seq_of


def turns(patient: Patient) -> Check:
    """Check for turns of another version, and for unreadable turns."""
    upgrades = looked_at(patient.workspace, patient.now, patient.progress)
    old = sum(upgrade.upgraded for upgrade in upgrades)
    broken = sum(upgrade.quarantined for upgrade in upgrades)
    newer = sum(upgrade.newer for upgrade in upgrades)
    unread = [sentence for upgrade in upgrades for sentence in upgrade.unread]
    if old or broken:
        parts = [f"{counted(old, 'turn')} of an older version"] if old else []
        parts += [f"{counted(broken, 'turn')} that cannot be read"] if broken else []
        return Check("turns", "wrong", " and ".join(parts), "memtool upgrade-history --dry-run")
    if unread:
        return Check("turns", "unknown", such_as(unread, "place"), "memtool upgrade-history")
    if newer:
        detail = f"{counted(newer, 'turn')} of a version that this memtool does not know"
        return Check("turns", "note", detail, "update memtool")
    return Check(
        "turns",
        "ok",
        f"{counted(sum(upgrade.current for upgrade in upgrades), 'turn')} of the current version",
    )


def heads(patient: Patient) -> Check:
    """Check that no turn has a higher sequence number than its head."""
    behind = []
    for group in groups(patient.workspace):
        head, etag = read_head(patient.workspace, group)
        last_seq = _last(patient, group)
        path = patient.workspace.layout.path("head", group=group)
        if head is None and (etag or last_seq):
            behind.append(f"{path} ({'cannot be read' if etag else 'is missing'})")
        elif head is not None and head.last_seq < last_seq:
            behind.append(f"{path} (says {head.last_seq}, there is a turn {last_seq})")
    if behind:
        return Check("heads", "wrong", such_as(behind, "head"), "memtool upgrade-history")
    return Check("heads", "ok", "no turn is past its head")


def _last(patient: Patient, group: str | None) -> int:
    """The highest sequence number of a turn outside quarantine."""
    unread: list[str] = []
    turn_folders = [*folders(patient.workspace, group, unread, "turn")]
    if unread:
        raise Unreadable(unread[0])
    return max((seq_of(name) or 0 for folder in turn_folders for name in folder.files), default=0)


def quarantine(patient: Patient) -> Check:
    """Check that the quarantine is empty."""
    unread: list[str] = []
    paths = [str(file.path) for file in kept(patient.workspace, unread)]
    if paths:
        return Check("quarantine", "wrong", such_as(paths, "file"), "memtool quarantine list")
    if unread:
        return Check("quarantine", "unknown", unread[0], "memtool quarantine list")
    return Check("quarantine", "ok", "empty")


_FOLDERS = {"documents": DOCUMENTS, "transcripts": TRANSCRIPTS, "facts": FACTS}


def documents(patient: Patient) -> Check:
    """Check the index of documents."""
    state = patient.shelves.documents.state()
    return _told("documents", state.state, counted(state.count, "document"), "search")


def transcripts(patient: Patient) -> Check:
    """Check the index of transcripts."""
    state = patient.shelves.turns.state()
    return _told("transcripts", state.state, counted(state.count, "turn"), "search")


def facts(patient: Patient) -> Check:
    """Check the index of facts."""
    state = patient.facts.state()
    return _told("facts", state.state, counted(state.count, "fact"), "recall")


def _told(name: str, state: str, holds: str, command: str) -> Check:
    if state == "none":
        return Check(f"index of {name}", "note", f"none yet; the next {command} makes it", "memtool reindex")
    if state == "behind":
        detail = f"{holds}, and changes since; the next {command} sees to them"
        return Check(f"index of {name}", "note", detail, "memtool reindex")
    return Check(f"index of {name}", "ok", f"fresh, {holds}")


def seals(patient: Patient) -> Check:
    """Check the integrity tags of the indexes; an index without a valid tag is never opened."""
    private_folder = private.folder(patient.workspace.root)
    index_folders = {name: os.path.join(private_folder, folder) for name, folder in _FOLDERS.items()}
    index_folders = {
        name: path for name, path in index_folders.items() if is_plain_folder(path) and os.listdir(path)
    }
    if index_folders and patient.key is None:
        detail = "there is no key to prove them by, so indexes are made anew in memory each time"
        return Check("seals", "wrong", detail, "memtool reindex")
    broken = [name for name, path in index_folders.items() if not is_sealed(path, patient.key or b"")]
    if broken:
        detail = f"the index of {broken[0]} is not as memtool left it, and is never opened"
        return Check("seals", "wrong", detail, "memtool reindex")
    return Check(
        "seals", "ok", "every index is as memtool left it" if index_folders else "there is no index yet"
    )


_IDLE = timedelta(hours=24)
"""How long an open session may be idle before it is reported."""
_CHECKED = {entry.name for entry in JSON} - {"turn"}
"""Formats whose files are all parsed; turns have their own check."""


def migrations(patient: Patient) -> Check:
    """Check for pending migrations."""
    outlook = pending(patient.workspace, patient.now)
    names = names_of(outlook.stages)
    if names:
        return Check("migrations", "wrong", f"pending: {', '.join(names)}", "memtool migrate --dry-run")
    if outlook.unread:
        return Check("migrations", "unknown", outlook.unread[0], "memtool migrate --list")
    unmigrated = [step for stage in outlook.stages for step in stage.steps if step.result == "keep"]
    if unmigrated:
        first = unmigrated[0]
        detail = f"{counted(len(unmigrated), 'file')} that cannot be migrated, {first.path}: {first.why}"
        return Check("migrations", "note", detail, "memtool migrate --dry-run")
    return Check("migrations", "ok", "nothing is pending")


def candidates(patient: Patient) -> Check:
    """Check for overdue candidates, and for lines that are not candidates."""
    workspace = patient.workspace
    vocabulary = policy(workspace.settings).vocabulary
    cutoff = patient.now - timedelta(days=workspace.settings["candidates.pending_days"])
    waiting, late = 0, 0
    broken: list[str] = []
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        for number, candidate, value in candidate_line.held(document.text, vocabulary) if document else ():
            if candidate is None:
                broken.append(f"{path}:{number}")
                continue
            waiting += 1
            late += _is_late(value, cutoff, patient.now)
    if broken:
        detail = such_as(broken, "line") + " that read as no candidate"
        return Check("candidates", "wrong", detail, f"$EDITOR {patient.at(broken[0].rpartition(':')[0])}")
    if late:
        detail = f"{late} of {waiting} wait longer than they may"
        return Check("candidates", "wrong", detail, "memtool candidates list")
    return Check("candidates", "ok", f"{counted(waiting, 'candidate')} waiting, none too long")


def sessions(patient: Patient) -> Check:
    """Check for idle open sessions."""
    sessions_open = open_sessions(patient.workspace)
    idle_sessions = [
        f"{session.name} ({f'since {session.last:%Y-%m-%d}' if session.last else 'since nobody knows when'})"
        for session in sessions_open
        if (idle := session.idle(patient.now)) is None or idle > _IDLE
    ]
    if idle_sessions:
        detail = such_as(idle_sessions, "session") + " quiet for more than a day"
        return Check("sessions", "wrong", detail, "memtool session sweep --idle 1d")
    return Check("sessions", "ok", f"{counted(len(sessions_open), 'session')} open")


def formats(patient: Patient) -> Check:
    """Check for files written by programs, and for lines of facts, that cannot be parsed."""
    workspace = patient.workspace
    unparsable: dict[str, str] = {}
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
            unparsable |= {f"{path}:{number}": path for number in semantic.unread(semantic.parse(text))}
            continue
        try:
            format_named(name).parse(text)
        except MemtoolError as error:
            unparsable[f"{path} ({error})"] = path
    if unparsable:
        detail = such_as([*unparsable], "place") + " that cannot be read"
        return Check("formats", "wrong", detail, f"$EDITOR {patient.at(next(iter(unparsable.values())))}")
    if unread:
        return Check("formats", "unknown", unread[0])
    return Check("formats", "ok", "facts, salience, heads and records read")


def _is_late(value: dict[str, object], since: datetime, now: datetime) -> bool:
    until, held_at = (moment_of(str(value.get(key) or "")) for key in ("until", "at"))
    return until < now if until else held_at is not None and held_at < since


def lint(patient: Patient) -> Check:
    """Check for lint errors and warnings; permissions have their own check."""
    from memtool.core.lint.codes import BY_NAME
    from memtool.verbs.lint.access import CODES
    from memtool.verbs.lint.lint import lint as every_mistake
    from memtool.verbs.lint.wanted import Wanted

    problems = every_mistake(patient.workspace, Wanted(codes=frozenset(BY_NAME) - {*CODES})).problems
    serious = [problem for problem in problems if BY_NAME[problem.code].severity in {"error", "warning"}]
    if serious:
        lines = [f"{problem.path}:{problem.line}: {problem.code} {problem.message}" for problem in serious]
        return Check("lint", "wrong", such_as(lines, "problem"), "memtool lint")
    return Check("lint", "ok", "no problems")
