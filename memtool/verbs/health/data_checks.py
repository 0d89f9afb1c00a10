"""Checks of the stored data: turns, indexes, migrations, candidates, sessions, formats and lint."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath

from memtool.core.records.health import HealthCheck, count_noun, count_with_example
from memtool.core.records.migration import pending_stages
from memtool.core.records.turn import parse_moment
from memtool.errors import MemtoolError, UnreadableFile
from memtool.formats import candidate_line
from memtool.formats.syntax import json_text
from memtool.formats.table import JSON_FORMATS, format_named
from memtool.index.folder import OpenFolder
from memtool.index.seal import is_sealed
from memtool.store.files import private
from memtool.verbs.facts.candidates import session_buffers
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.health.check_context import CheckContext
from memtool.verbs.history.quarantine import list_quarantine
from memtool.verbs.history.upgrade_history import preview_upgrades
from memtool.verbs.indexing.location import DOCUMENTS, FACTS, TRANSCRIPTS
from memtool.verbs.layout.migrate import plan_pending
from memtool.verbs.sessions.running import running_sessions
from memtool.verbs.sessions.session import open_sessions
from memtool.verbs.turns.history import history_groups, read_head, seq_of_name, walk_folders


def turns(context: CheckContext) -> HealthCheck:
    """Check for turns of another version, and for unreadable turns."""
    from memtool.store.config.schemas import invalid_reason

    upgrades = preview_upgrades(
        context.workspace, context.now, context.progress, partial(invalid_reason, "turn")
    )
    old = sum(upgrade.upgraded for upgrade in upgrades)
    broken = sum(upgrade.quarantined for upgrade in upgrades)
    newer = sum(upgrade.newer for upgrade in upgrades)
    unread = [sentence for upgrade in upgrades for sentence in upgrade.unread]
    if old or broken:
        parts = [f"{count_noun(old, 'turn')} in an older format"] if old else []
        parts += [f"{count_noun(broken, 'turn')} that cannot be read"] if broken else []
        return HealthCheck("turns", "wrong", " and ".join(parts), "memtool upgrade-history --dry-run")
    if unread:
        return HealthCheck(
            "turns", "unknown", count_with_example(unread, "unreadable place"), "memtool upgrade-history"
        )
    if newer:
        detail = f"{count_noun(newer, 'turn')} written by a newer version of memtool"
        return HealthCheck("turns", "note", detail, "update memtool")
    return HealthCheck(
        "turns",
        "ok",
        f"{count_noun(sum(upgrade.current for upgrade in upgrades), 'turn')}; no upgrade is needed",
    )


def heads(context: CheckContext) -> HealthCheck:
    """Check that no turn has a higher sequence number than its head."""
    behind = []
    for group in history_groups(context.workspace):
        head, etag = read_head(context.workspace, group)
        last_seq = _last_seq(context, group)
        path = context.workspace.layout.path("head", group=group)
        if head is None and (etag or last_seq):
            behind.append(f"{path} ({'unreadable' if etag else 'missing'})")
        elif head is not None and head.last_seq < last_seq:
            behind.append(f"{path} (last_seq is {head.last_seq}, but the newest turn is number {last_seq})")
    if behind:
        return HealthCheck(
            "heads",
            "wrong",
            count_with_example(behind, "missing or incorrect head file"),
            "memtool upgrade-history",
        )
    return HealthCheck("heads", "ok", "every head.json contains the number of the newest turn in its history")


def _last_seq(context: CheckContext, group: str | None) -> int:
    """The highest sequence number of a turn outside quarantine."""
    unread: list[str] = []
    turn_folders = [*walk_folders(context.workspace, group, unread, "turn")]
    if unread:
        raise UnreadableFile(unread[0])
    return max((seq_of_name(name) or 0 for folder in turn_folders for name in folder.files), default=0)


def quarantine(context: CheckContext) -> HealthCheck:
    """Check that the quarantine is empty."""
    unread: list[str] = []
    paths = [str(file.path) for file in list_quarantine(context.workspace, unread)]
    if paths:
        return HealthCheck(
            "quarantine", "wrong", count_with_example(paths, "quarantined file"), "memtool quarantine list"
        )
    if unread:
        return HealthCheck("quarantine", "unknown", unread[0], "memtool quarantine list")
    return HealthCheck("quarantine", "ok", "empty")


_FOLDERS = {"documents": DOCUMENTS, "transcripts": TRANSCRIPTS, "facts": FACTS}


def documents(context: CheckContext) -> HealthCheck:
    """Check the index of documents."""
    index = context.search_indexes.documents
    state = index.state()
    check = _index_check("documents", state.state, count_noun(state.count, "document"), "search")
    if (engine := index.recommended_engine(state)) is None:
        return check
    advice = (
        f"for this many documents, {engine} indexes faster than {index.engine_name} and uses a third less RAM"
    )
    return HealthCheck(
        check.name, "note", f"{check.message}; {advice}", f"memtool config set search.engine {engine}"
    )


def transcripts(context: CheckContext) -> HealthCheck:
    """Check the index of transcripts."""
    state = context.search_indexes.turns.state()
    return _index_check("transcripts", state.state, count_noun(state.count, "turn"), "search")


def facts(context: CheckContext) -> HealthCheck:
    """Check the index of facts."""
    state = context.facts.state()
    return _index_check("facts", state.state, count_noun(state.count, "fact"), "recall")


def _index_check(name: str, state: str, holds: str, command: str) -> HealthCheck:
    if state == "none":
        return HealthCheck(
            f"index of {name}",
            "note",
            f"not built yet; the next {command} will build the index",
            "memtool reindex",
        )
    if state == "behind":
        detail = f"out of date (the index holds {holds}); the next {command} will update the index"
        return HealthCheck(f"index of {name}", "note", detail, "memtool reindex")
    return HealthCheck(f"index of {name}", "ok", f"up to date (the index holds {holds})")


def integrity(context: CheckContext) -> HealthCheck:
    """Check the integrity tags of the indexes; an index without a valid tag is never opened."""
    private_folder = private.folder(context.workspace.root)
    are_sealed: dict[str, bool] = {}
    for name, folder_name in _FOLDERS.items():
        with (
            contextlib.suppress(OSError),
            OpenFolder.open(os.path.join(private_folder, folder_name)) as folder,
        ):
            if os.listdir(folder.path):
                are_sealed[name] = is_sealed(folder.path, context.key or b"")
    if are_sealed and context.key is None:
        detail = (
            "the key that verifies the indexes is missing, so each command that needs an index "
            "rebuilds it in RAM"
        )
        return HealthCheck("index integrity", "wrong", detail, "memtool reindex")
    broken = [name for name, is_sound in are_sealed.items() if not is_sound]
    if broken:
        detail = f"the index of {broken[0]} fails its integrity check, so memtool does not use it"
        return HealthCheck("index integrity", "wrong", detail, "memtool reindex")
    return HealthCheck(
        "index integrity", "ok", "every index passes its integrity check" if are_sealed else "no index yet"
    )


_IDLE = timedelta(hours=24)
"""How long an open session may be idle before it is reported."""
_JSON = {entry.name for entry in JSON_FORMATS}
_CHECKED = (_JSON | {"semantic", "feedback", "crisis", "forgotten"}) - {"turn"}
"""Formats whose files are compared with their schemas; turns and candidates have their own checks."""


def migrations(context: CheckContext) -> HealthCheck:
    """Check for pending migrations."""
    outlook = plan_pending(context.workspace, context.now)
    stages = pending_stages(outlook.stages)
    if stages:
        return HealthCheck(
            "migrations", "wrong", f"pending: {', '.join(stages)}", "memtool migrate --dry-run"
        )
    if outlook.unread:
        return HealthCheck("migrations", "unknown", outlook.unread[0], "memtool migrate --list")
    unmigrated = [step for stage in outlook.stages for step in stage.steps if step.result == "keep"]
    if unmigrated:
        names = [f"{step.path} ({step.why})" for step in unmigrated]
        detail = f"cannot be migrated: {count_with_example(names, 'file')}"
        return HealthCheck("migrations", "note", detail, "memtool migrate --dry-run")
    return HealthCheck("migrations", "ok", "none pending")


def candidates(context: CheckContext) -> HealthCheck:
    """Check for overdue candidates, and for lines that are not candidates."""
    workspace = context.workspace
    vocabulary = load_policy(workspace.settings).vocabulary
    cutoff = context.now - timedelta(days=workspace.settings["candidates.pending_days"])
    waiting, late = 0, 0
    broken: list[str] = []
    for path in (*session_buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        text = document.text if document else ""
        invalid_lines = set(_invalid_lines("candidates", text))
        for number, candidate, value in candidate_line.parse_held_lines(text, vocabulary):
            if candidate is None or number in invalid_lines:
                broken.append(f"{path}:{number}")
                continue
            waiting += 1
            late += _is_late(value, cutoff, context.now)
    if broken:
        detail = count_with_example(broken, "invalid line")
        return HealthCheck(
            "candidates", "wrong", detail, f"$EDITOR {context.quoted_path(broken[0].rpartition(':')[0])}"
        )
    if late:
        detail = f"candidates past their expiry date: {late} of {waiting}"
        return HealthCheck("candidates", "wrong", detail, "memtool candidates list")
    return HealthCheck(
        "candidates",
        "ok",
        f"{count_noun(waiting, 'candidate')} waiting for confirmation; no expiry date has passed",
    )


def _since(moment: datetime | None) -> str:
    return "last activity unknown" if moment is None else f"last active {moment:%Y-%m-%d}"


def sessions(context: CheckContext) -> HealthCheck:
    """Check for idle open sessions; one that hooks or `append-turn` record is open until it is idle."""
    sessions_open = open_sessions(context.workspace)
    idle_sessions = [
        f"{session.name} ({_since(session.last_entry)})"
        for session in sessions_open
        if (idle := session.idle_time(context.now)) is None or idle > _IDLE
        if not session.is_ahead(context.now)
    ]
    if idle_sessions:
        detail = f"idle for more than a day: {count_with_example(idle_sessions, 'session')}"
        return HealthCheck("sessions", "wrong", detail, "memtool session sweep --idle 1d")
    names = {(session.name, session.owner) for session in sessions_open}
    names |= {
        running.full_name
        for running in running_sessions(context.workspace)
        if not running.is_idle(_IDLE, context.now)
    }
    return HealthCheck("sessions", "ok", f"{count_noun(len(names), 'session')} open")


def formats(context: CheckContext) -> HealthCheck:
    """Check files written by programs, and lines of facts, against their schemas."""
    workspace = context.workspace
    unparsable: dict[str, str] = {}
    unread: list[str] = []
    for path in sorted(context.listing.files):
        located = workspace.role_of(path)
        name = located.place.format if located else ""
        if name not in _CHECKED:
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            unread.append(str(error))
            continue
        text = document.text if document else ""
        if name not in _JSON:
            unparsable |= {f"{path}:{number}": path for number in _invalid_lines(name, text)}
        elif fault := _json_fault(name, text):
            unparsable[f"{path} ({fault})"] = path
    if unparsable:
        detail = f"invalid data in {count_with_example([*unparsable], 'place')}"
        return HealthCheck(
            "formats", "wrong", detail, f"$EDITOR {context.quoted_path(next(iter(unparsable.values())))}"
        )
    if unread:
        return HealthCheck("formats", "unknown", unread[0])
    return HealthCheck("formats", "ok", "fact files and JSON files match their schemas")


def _invalid_lines(name: str, text: str) -> list[int]:
    """The lines of a text whose records break the schema of its format."""
    from memtool.formats.lint.schema_checks import schema_violations
    from memtool.store.config.schemas import violations

    format_ = format_named(name)
    found = schema_violations(name, format_.record(format_.parse(text)), violations)
    return sorted({violation.line for violation in found})


def _json_fault(name: str, text: str) -> str | None:
    """Why a JSON file breaks the schema of its format; None if it does not."""
    from memtool.store.config.schemas import violation

    try:
        return violation(name, json_text.loads(text.removeprefix("\ufeff"))[0])
    except json_text.InvalidJson as error:
        return str(error)


def _is_late(value: dict[str, object], since: datetime, now: datetime) -> bool:
    until, held_at = (parse_moment(str(value.get(key) or "")) for key in ("until", "at"))
    return until < now if until else held_at is not None and held_at < since


def lint(context: CheckContext) -> HealthCheck:
    """Check for lint errors and warnings; permissions have their own check."""
    from memtool.core.lint.codes.all_codes import CODES_BY_NAME
    from memtool.verbs.lint.lint import lint as find_problems
    from memtool.verbs.lint.permissions import CODES
    from memtool.verbs.lint.request import LintRequest

    request = LintRequest(codes=frozenset(CODES_BY_NAME) - {*CODES}, progress=context.progress)
    problems = find_problems(context.workspace.seen_by(context.owners), request).problems
    serious = [
        problem for problem in problems if CODES_BY_NAME[problem.code].severity in {"error", "warning"}
    ]
    if serious:
        lines = [f"{problem.path}:{problem.line}: {problem.code} {problem.message}" for problem in serious]
        return HealthCheck("lint", "wrong", count_with_example(lines, "problem"), "memtool lint")
    summary = (
        f"no errors or warnings, {count_noun(len(problems), 'problem')} of severity info"
        if problems
        else "no problems"
    )
    return HealthCheck("lint", "ok", summary)
