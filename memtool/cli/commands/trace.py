"""`memtool trace`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import tzinfo
from itertools import pairwise

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.core.records.candidate import is_stand_in_session
from memtool.core.records.turn import ASSISTANT, parse_moment
from memtool.core.records.unknown_id import kind_of_id
from memtool.core.text.discourse import without_opening
from memtool.core.text.enumeration import enumeration
from memtool.core.text.folding import fold
from memtool.core.text.sanitise import clip
from memtool.store.root import path_from_root
from memtool.verbs.facts.candidates import pending_candidates
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.journal.changed_statements import line_statement, readable_line
from memtool.verbs.journal.trace import trace, trace_all
from memtool.verbs.journal.trace_origin import TraceStep
from memtool.verbs.journal.unlisted_memory import UnlistedCount

_MOST_LINES = 5
"""The most lines that are traced if no limit is given."""
_QUOTE_CHARS = 160
_MOST_PATHS = 3
"""The most files that are named of one kind of unlisted text."""
_UNKNOWN = "origin not recorded: the line was written or edited by hand, or is older than the journal"
_SPEAKER = re.compile(r"^(?:\*\*)?\w+:(?:\*\*)? ")
_ACTIONS = {
    "commit_now": "stored at once",
    "commit_at_session_end": "held until the end of the session",
    "require_repetition": "held until it is repeated",
    "hold_for_review": "held for approval",
    "drop": "not stored",
}
"""The actions of the write policy in words."""
_ENDED_BY = ("superseded by memtool ", "archived by memtool ")
"""How the commits begin that made a line an old one."""
_ORIGINS = {"evidence": "evidence in", "turn": "said in", "note": "said in", "state": "recorded in"}


@click.command(
    "trace",
    cls=MemtoolCommand,
    session_note="lines of all sessions are traced",
    epilog="""
memtool trace "celadon, not in white"      by words from the line
memtool trace m-c80f12                     by the id of a fact or a rule
memtool trace MEMORY.md:13                 by path and line
memtool trace --all --user ann             all current memory, with its origins
memtool trace --json "short answers"       one JSON record per step
""",
)
@click.argument("text", nargs=-1)
@click.option(
    "--all",
    "is_all",
    is_flag=True,
    help="Trace all current facts, rules, learnings, items of long-term memory, and lines about the user",
)
@limit_option(of="5; with --all, no limit")
@click.option("--group", metavar="GROUP", help="Read only files that GROUP may read [default: MEMTOOL_GROUP]")
@pass_session
def command(
    session: Session, text: tuple[str, ...], *, is_all: bool, limit: int | None, group: str | None
) -> int:
    """Show what memory contains, and where a line comes from

    Prints the line as path:line: text and, indented below it, what is known about the following: the command
    that wrote it, the command that superseded it, its evidence, the decision to store it, the session state
    and the daily note that contain it, the turn in which it was said, and the file from which that turn was
    imported. Then prints the lines that this line replaced and its own earlier versions, each with its
    origins below it. Current lines come before superseded ones.

    With --all, prints everything that memory states about the user: the lines of USER.md, every fact, rule
    and learning, and every list item in long-term memory. Below each one, prints its source and its location.
    The source is the command that wrote it, with the date and, if known, the session and the turn; if the
    command is unknown, another source is given, such as evidence or a turn. Then prints where and when it was
    said (unless there are more than 60 lines) and, if they differ from the line, the user's own words, and
    what the line replaced, with its source. A statement that two lines contain is printed once, with both
    locations. Then reports on stderr what else is stored (such as notes, other core memory and other text in
    long-term memory), how much of it, and where. Exits 1 when nothing is found.
    """
    if text and is_all:
        raise click.UsageError(
            "--all takes no text, because it traces all current memory; to trace the lines with this text, "
            f"run: memtool trace {shlex.quote(' '.join(text))}"
        )
    if not (text or is_all):
        raise click.UsageError("give the text, id or path:line of a line to trace, or --all")
    scope = session.decide_scope(group)
    today = session.now.astimezone(session.zone).date()
    indexes = session.search_indexes()
    if is_all:
        traced = trace_all(session.workspace, indexes, today, scope, limit=limit)
    else:
        traced = trace(
            session.workspace,
            path_from_root(" ".join(text), session.root),
            indexes,
            today,
            scope,
            limit=limit or _MOST_LINES,
        )
    for number, chain in enumerate(traced.chains, 1):
        if is_all and not session.json:
            _show_brief(chain, session.zone)
            continue
        depth = 0
        for link in chain:
            depth = 1 if link.kind == "replaced" else depth
            _show(session, link, number, depth)
            depth = 2 if link.kind == "replaced" else max(depth, 1)
    for notice in traced.notices:
        session.notice(notice)
    if is_all and not session.json:
        unlisted = (*(_held(session) if scope.group is None else ()), *traced.unlisted)
        if unlisted:
            session.notice(_unlisted_text(unlisted))
        if traced.chains:
            session.notice(
                "to trace one line in full, with all that is known about it, run memtool trace "
                "with its id, its path:line or words from it"
            )
    if is_all:
        return (
            0
            if traced.chains
            else session.nothing(
                "no current facts, rules, learnings or list items, and nothing in the file about the user"
            )
        )
    if not traced.chains:
        from memtool.cli.other_names import call_for_id

        entry = call_for_id(" ".join(text)) if text[0].startswith("j-") else None
        session.notice(
            (
                entry
                and "this id belongs to a journal entry, not to a line of memory; "
                f"to show the entry, run: memtool {entry}"
            )
            or traced.fault
            or "no line of memory matches; give consecutive words from the line, a fact's id, or path:line"
        )
    if traced.chains and not traced.has_origin:
        session.notice(_UNKNOWN)
    return 0 if traced.has_origin else 1


def _held(session: Session) -> tuple[UnlistedCount, ...]:
    held = len(pending_candidates(session.visible_workspace, load_policy(session.workspace.settings)))
    return (UnlistedCount("held candidate", held, "memtool candidates list"),) if held else ()


def _unlisted_text(unlisted: Sequence[UnlistedCount]) -> str:
    """What else is stored, each kind with the files that contain it or the command that shows it."""
    kinds = []
    for kind in unlisted:
        more = len(kind.paths) - _MOST_PATHS
        paths = [*kind.paths[:_MOST_PATHS], *([output.plural(more, "other file")] if more > 0 else [])]
        place = kind.command or enumeration(paths)
        kinds.append(f"{output.plural(kind.count, kind.noun)}{f' ({place})' if place else ''}")
    hint = "; to print a file, run memtool get PATH" if any(kind.paths for kind in unlisted) else ""
    return f"also stored, but not listed: {', '.join(kinds)}{hint}"


def _show_brief(chain: Sequence[TraceStep], zone: tzinfo) -> None:
    """Print what a line of memory states, and below it its origin, the day, its place, id and owner."""
    heads = [number for number, step in enumerate(chain) if step.kind == "replaced"]
    own = chain[: heads[0]] if heads else chain
    line, *repeats = [step for step in own if step.kind == "memory"]
    origins = [step for step in own if step.kind != "memory"]
    statement = _statement(line)
    output.put_wrapped("", output.printable(statement))
    origin = _origin(line, origins, zone)
    name = str(line.about.get("id") or "")
    place = ", ".join(filter(None, (f"{line.path}:{line.line}", name, str(line.about.get("owner") or ""))))
    places = (", ".join(filter(None, (f"{step.path}:{step.line}", step.about.get("id")))) for step in repeats)
    output.put_wrapped("  ", output.printable(f"{origin}; {'; also '.join([place, *places])}"))
    if said := _said(statement, origins, zone):
        output.put_wrapped("  ", output.printable(said))
    for start, end in pairwise([*heads, len(chain)]):
        old, *steps = chain[start:end]
        older_origins = [step for step in steps if not step.text.startswith(_ENDED_BY)]
        text = _statement(old)
        known = [_origin(old, older_origins, zone) if older_origins else "", _said(text, older_origins, zone)]
        sources = "; ".join(filter(None, known))
        output.put_wrapped("  ", output.printable(f"replaced: {text}{f' ({sources})' if sources else ''}"))


def _statement(line: TraceStep) -> str:
    """What a line of memory states."""
    name = str(line.about.get("id") or "")
    return line_statement(line.text, is_fact=bool(name) and kind_of_id(name) != "rule")


def _origin(line: TraceStep, origins: Sequence[TraceStep], zone: tzinfo) -> str:
    """Where a line comes from, and the day, in a few words."""
    origin = _UNKNOWN
    if origins and (first := origins[0]).kind == "commit":
        words = [f"{first.about['command']} on {_day(first, zone)}"]
        words += ["then edited by hand"] if first.text.startswith("edited") else []
        words += _said_in(first, origins, line)
        words += [f"restored by undo on {_day(step, zone)}" for step in origins[1:] if step.kind == "commit"]
        origin = ", ".join(words)
    elif origins:
        place = f"{origins[0].path}:{origins[0].line}"
        day = _day(origins[0], zone)
        origin = f"{_ORIGINS.get(origins[0].kind, origins[0].kind)} {place}{' on ' * bool(day)}{day}"
        origin = ", ".join([origin, *_said_in(origins[0], origins, line)])
    elif day := _day(line, zone):
        origin = f"{_UNKNOWN}; dated {day}"
    return origin


def _said(statement: str, origins: Sequence[TraceStep], zone: tzinfo) -> str:
    """Where and when a statement was said, and in which words if in others; "" if no origin tells that."""
    turns = (step for step in origins if step.kind == "turn" and step.about.get("speaker") != ASSISTANT)
    notes = (step for step in origins if step.kind == "note" and step.text.startswith("**User:**"))
    place = next(turns, None) or next(notes, None)
    quotes = [step.text for step in origins if step.kind == "evidence"]
    if place is not None and not quotes:
        quotes = [_SPEAKER.sub("", place.text)]
    quotes = quotes or [str(step.about["said"]) for step in origins if step.about.get("said")]
    differing = next(
        (quote for quote in quotes if fold(without_opening(quote).rstrip(" .!?…")) not in fold(statement)), ""
    )
    words = f": “{clip(differing, _QUOTE_CHARS)}”" if differing else ""
    if place is None or place is origins[0]:
        return f"said{words}" if words else ""
    day = _day(place, zone)
    return f"said{' on ' * bool(day)}{day} in {place.path}:{place.line}{words}"


def _said_in(first: TraceStep, origins: Sequence[TraceStep], line: TraceStep) -> list[str]:
    """The session, unless it owns the line, and the turn in which a line was said, as far as known.

    Evidence without a turn may name a command in the place of a session.
    """
    about = (step.about for step in origins if step.kind == "evidence" and step.about.get("turn"))
    said = next(about, first.about)
    session, turn = said.get("session"), said.get("turn")
    is_owner = f"session:{session}" == line.about.get("owner")
    is_hidden = is_owner or is_stand_in_session(str(session))
    named = {"session": "" if is_hidden else session, "turn": turn}
    return [f"{name} {value}" for name, value in named.items() if value]


def _day(step: TraceStep, zone: tzinfo) -> str:
    """The day of a step in a time zone; "" for a step without a time."""
    at = str(step.about.get("at") or "")
    moment = parse_moment(at)
    return moment.astimezone(zone).date().isoformat() if moment else at[:10]


def _decision(session: Session, action: str, rule: str) -> str:
    """A decision of the write policy in words, with the policy's reason; "" if the policy has no such row."""
    tables = load_policy(session.workspace.settings).tables.values()
    rows = (row for table in tables for row in table if (row.rule, row.action) == (rule, action))
    row = next(rows, None)
    return f"{_ACTIONS[action]}: {row.reason}" if row is not None and action in _ACTIONS else ""


def _show(session: Session, link: TraceStep, chain: int, depth: int) -> None:
    if session.json:
        where = {"path": link.path, "line": link.line, "text": link.text}
        output.put_json({"chain": chain, "step": link.kind, **where, "about": dict(link.about)})
        return
    place = f"{link.path}:{link.line}: " if link.line else f"{link.path}: " if link.path else ""
    suffix = ""
    if link.kind == "evidence":
        fields = [
            f"{name} {link.about[name]}"
            for name in ("session", "turn", "at")
            if link.about.get(name) and not (name == "session" and is_stand_in_session(str(link.about[name])))
        ]
        suffix = f" ({', '.join(fields)})" if fields else ""
    elif link.about.get("removed"):
        suffix = " (removed)"
    text = link.text
    if link.kind == "decision":
        text = _decision(session, str(link.about.get("action", "")), str(link.about.get("rule", ""))) or text
    elif link.kind in {"memory", "replaced"} and str(link.about.get("id") or "").startswith("m-"):
        text = readable_line(text)
    indent = "  " * depth + ("replaced " if link.kind == "replaced" else "")
    output.put_wrapped(output.printable(f"{indent}{place}"), output.printable(f"{text}{suffix}"))
