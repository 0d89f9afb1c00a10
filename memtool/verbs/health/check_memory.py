"""Checks of what is remembered: what is pending, what waits too long, and files that do not read."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import PurePosixPath

from memtool.core.records.check import Check, counted, such_as
from memtool.core.records.migration import pending as names_of
from memtool.core.records.turn import moment_of
from memtool.errors import MemtoolError
from memtool.formats import candidate_line, semantic
from memtool.formats.table import JSON, format_named
from memtool.verbs.facts.candidates import buffers, policy
from memtool.verbs.health.patient import Patient
from memtool.verbs.layout.migrate import pending
from memtool.verbs.sessions.session import open_sessions

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
    kept = [step for stage in found.stages for step in stage.steps if step.result == "keep"]
    if kept:
        said = f"{counted(len(kept), 'file')} that cannot be migrated, {kept[0].path}: {kept[0].why}"
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
