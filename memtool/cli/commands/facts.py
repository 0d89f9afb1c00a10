"""`memtool facts`."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Sequence

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import REDACT_OPTION, MemtoolCommand, limit_option
from memtool.cli.parse.inputs import text_of_words
from memtool.cli.render.effects import shown_effect
from memtool.cli.session import Session, pass_session
from memtool.core.facts.duplicates import comparison_key
from memtool.core.facts.identity import shown_sentence
from memtool.core.records.semantic import FactTriple
from memtool.core.records.turn import format_moment
from memtool.core.text.sanitise import clip
from memtool.errors import MemtoolError
from memtool.store.root import path_from_root
from memtool.verbs.facts.edit import EditReport, check_active_fact, edit_fact, facts_with_text
from memtool.verbs.facts.facts import (
    ListedFact,
    forget_facts,
    list_facts,
    show_fact,
    sort_by_salience,
    unknown_category,
    unknown_fact,
)
from memtool.verbs.facts.memory_lines import memory_lines, repeating_lines
from memtool.verbs.memory_files.evidence import evidence_quotes
from memtool.verbs.memory_files.semantic_files import StoredFact, requested_category

_OLD_TEXT_CHARS = 300
_CATEGORY = click.option(
    "--category", metavar="NAME", help="Print only facts in this category [default: all categories]"
)
_SUPERSEDED = click.option(
    "--all", "superseded", is_flag=True, help="Also print superseded facts [default: only active facts]"
)


@click.command(
    "list",
    cls=MemtoolCommand,
    session_note="facts of all sessions are listed",
    epilog="""
memtool facts list
memtool facts list --category preference --all
memtool facts list --user ann --json | jq -r .text
""",
)
@_CATEGORY
@_SUPERSEDED
@limit_option()
@pass_session
def _list(session: Session, category: str | None, superseded: bool, limit: int | None) -> int:
    """Print facts, file by file

    Prints a line for each fact: its id, its category, path:line and the fact, separated by tabs. With --user,
    prints the facts of that user and the facts without an owner. Exits 1 if there are no facts to print.
    """
    notices: list[str] = []
    entries = list_facts(
        session.visible_workspace, session.now, notices, category=category, include_superseded=superseded
    )
    notices += [] if entries else _why_none(session, category)
    user = session.owner_ids.get("user")
    if user and entries and not any(entry.fact.record.fact.owner for entry in entries):
        notices.append(f"no fact belongs to the user {user!r}; the listed facts have no owner")
    return _show(session, entries[:limit], notices)


@click.command(
    "top",
    cls=MemtoolCommand,
    session_note="facts of all sessions are listed",
    epilog="""
memtool facts top -n 5
memtool facts top --category goal
""",
)
@_CATEGORY
@_SUPERSEDED
@limit_option()
@pass_session
def _top(session: Session, category: str | None, superseded: bool, limit: int | None) -> int:
    """Print facts in order of salience, highest first

    Salience measures how prominent a fact is: it rises when the fact is recalled, and falls when `memtool
    decay` runs. Prints a line for each fact: its salience, followed by the same columns as `facts list`.
    Exits 1 if there are no facts.
    """
    notices: list[str] = []
    entries = list_facts(
        session.visible_workspace, session.now, notices, category=category, include_superseded=superseded
    )
    notices += [] if entries else _why_none(session, category)
    return _show(session, sort_by_salience(entries)[:limit], notices, salience=True)


@click.command(
    "show",
    cls=MemtoolCommand,
    epilog="""
memtool facts show m-c80f12
memtool facts show m-c80f12 m-77c2d1 --json
""",
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@pass_session
def _show_named(session: Session, ids: tuple[str, ...]) -> int:
    """Print facts, their evidence and salience, and the facts they superseded

    Takes the ids that `memtool facts list` prints, or the keys that were set with `memtool save --key`. Exits
    1 if none of the ids matches a fact.
    """
    notices: list[str] = []
    return _show(session, _named(session, ids, notices), notices, details=True)


@click.command(
    "edit",
    cls=MemtoolCommand,
    epilog="""
memtool facts edit m-4f1a90 "We have two electric kilns, 80 litres each"
memtool facts edit city "I live in Samarkand"            names the fact by its key (memtool save --key)
echo "I live in Samarkand" | memtool facts edit city
memtool facts edit MEMORY.md:7 "I prefer coffee to tea"
memtool facts edit --dry-run m-4f1a90 "We have two kilns"
""",
)
@click.argument("name", metavar="ID")
@click.argument("words", metavar="[TEXT|-]", nargs=-1)
@REDACT_OPTION
@pass_session
def _edit(session: Session, name: str, words: tuple[str, ...], redact: bool) -> int:
    """Correct a fact: a new statement supersedes it

    ID is the id or key of a fact, as in `facts show`. To correct a list item in long-term memory, give its
    PATH:LINE, as `memtool search` prints it, or its full text. Word the new text as the user would, such as
    "I live in Lyon". An item that was written by hand is changed in place. The new statement takes over the
    category, the owner and any key of the old fact. The old fact stays in its file, marked as superseded, but
    is no longer recalled; `memtool undo` reverts the edit. If another fact already has the new text, that
    fact supersedes the old one and, if it has no key, takes over the old fact's key. Prints the same columns
    as `memtool save`. On stderr, prints the old fact; any facts, rules and lines of long-term memory that
    still state it; and, if the new text leaves out a part of the old text, a command that keeps it.
    If `memtool scan` stored a sentence that only corrected the old fact, but reported that it replaced
    nothing, that sentence is superseded, too. Exits 1, without changing anything, if the id is unknown, if
    the fact is superseded or already has this text, or if the user has asked for the text to be forgotten.
    """
    name = path_from_root(name, session.root)
    if not words:  # else a wrong id would only be reported after the text was typed
        check_active_fact(session.visible_workspace, name, session.owner_tags)
    text = text_of_words(words, f"facts edit {name}")
    today = session.now.astimezone(session.zone).date()
    from memtool.verbs.capture.handwritten_lines import owner_option  # other actions need no capture
    from memtool.verbs.capture.unapplied import settled_by_edit

    edited = edit_fact(
        session.workspace,
        name,
        text,
        today,
        session.owner_tags,
        redacts=redact,
        settled=lambda fact: settled_by_edit(session.workspace, fact, text),
    )
    if edited.effect == "known":
        session.notice(f"{edited.id} already says this; nothing was changed")
        return 1
    if edited.effect == "forgotten":
        session.notice("nothing was changed: the new text was removed by an earlier forget command")
        return 1
    effect, owner = shown_effect(session, edited.effect), str(edited.owner) if edited.owner else None
    if session.json:
        record = {"id": edited.id, "effect": effect, "superseded_id": edited.superseded_id}
        place = {"category": edited.category, "path": str(edited.path)}
        output.put_json({**record, **place, "text": edited.text, "owner": owner})
    else:
        output.put_row(edited.id, effect, edited.category or "-", str(edited.path), owner or "everybody")
    if edited.effect == "merged" and edited.superseded_id.startswith("k-"):
        session.notice(
            f"{edited.id} already says this and keeps its own key; {edited.superseded_id} is marked as "
            f"superseded by {edited.id}"
        )
    if not session.dry_run:  # a path:line may no longer be the line that was meant
        session.notice(f"the old text was: {clip(edited.old_text, _OLD_TEXT_CHARS)}")
        if edited.left:
            _notice_left(session, edited, owner_option(edited.owner))
        old_place, is_line = edited.superseded_id, edited.superseded_id.startswith(f"{edited.path}:")
        if edited.effect == "updated" and is_line and old_place != edited.id and not session.incognito:
            session.notice(f"the old text stays in {old_place}, marked as superseded")
        for fact in edited.settled:
            shown = clip(fact.quote or fact.text, _OLD_TEXT_CHARS)
            session.notice(f"{fact.name} ({shown!r}) only corrected the old text; it is superseded, too")
        workspace = session.visible_workspace
        lines = memory_lines(workspace, session.owner_tags)
        new_text = '"TEXT"' if edited.left else shlex.quote(edited.text)
        for line in repeating_lines(edited.old_text, lines, edited.owner):
            is_whole = comparison_key(line.text) == comparison_key(edited.old_text)
            edit = f"{owner_option(line.fact.owner)}facts edit {line.name} " + (
                new_text if is_whole else '"TEXT"'
            )
            shown = clip(line.text, _OLD_TEXT_CHARS)
            session.notice(
                f"{line.name} ({shown!r}) still states the old fact; to correct it, run memtool {edit}"
            )
        for fact in facts_with_text(workspace, edited.old_text, edited.owner, session.owner_tags):
            session.notice(
                f"{fact.name} still states the old fact; "
                f"to correct it, run memtool facts edit {fact.name} {new_text}"
            )
        if session.workspace.has("rules"):
            from memtool.verbs.facts.rules import rules_with_text  # few edits are of an instruction

            for rule in rules_with_text(session.workspace, edited.old_text, edited.owner):
                session.notice(
                    f"rule {rule.id} still gives the old instruction; "
                    f"to correct it, run memtool rules edit {rule.id} {new_text}"
                )
    session.show_plan(edited.plan)
    return 0


@click.command(
    "forget",
    cls=MemtoolCommand,
    epilog="""
memtool facts forget m-c80f12
memtool facts forget --purge m-c80f12
memtool facts forget --dry-run m-c80f12
""",
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option(
    "--purge",
    is_flag=True,
    help="Delete the facts and their evidence [default: mark them as superseded]",
)
@pass_session
def _forget(session: Session, ids: tuple[str, ...], purge: bool) -> int:
    """Mark facts as superseded, or delete them

    Takes ids or keys, as `facts show` does; without --purge, also takes list items in long-term memory, given
    as PATH:LINE or as their full text. A superseded fact stays in its file, but is no longer recalled. An
    item that was written by hand is removed; `memtool undo` restores it. With --purge, prints on stderr which
    other files still contain the text, and the commands that remove it there. If an id is unknown, changes
    nothing and exits 1. If facts with different texts have the same id, changes nothing, lists these facts
    and exits 2. To remove text from all of memory, use `memtool forget --match`.
    """
    today = session.now.astimezone(session.zone).date()
    ids = tuple(path_from_root(name, session.root) for name in ids)
    quotes = evidence_quotes(session.workspace) if purge else {}
    forgotten, plan = forget_facts(session.workspace, ids, today, session.owner_tags, purge=purge)
    for fact in forgotten:
        if session.json:
            output.put_json({"id": fact.name, "forgotten": fact.text, "purged": purge})
        else:
            session.report(fact.name, fact.text)
    if purge:
        from memtool.verbs.forgetting.remaining import remaining_texts  # few facts are purged

        facts = [fact for fact in forgotten if isinstance(fact, StoredFact)]
        said = [text for fact in facts for text in (fact.quote or fact.text, *quotes.get(fact.name, ()))]
        with contextlib.suppress(MemtoolError):  # the facts are gone; other commands report the error
            for left in remaining_texts(
                session.workspace,
                said,
                session.now,
                user=session.owner_ids.get("user", ""),
                without={f"{fact.path}:{fact.line}" for fact in facts} if session.dry_run else (),
            ):
                session.notice(left.notice)
    session.show_plan(plan)
    return 0


command = ActionGroup(
    "facts",
    [_list, _top, _show_named, _edit, _forget],
    help="""List, rank, show, correct and forget facts

Facts are the lines of the semantic memory files. `memtool save` adds a fact, and `memtool recall` finds the
facts that answer a question. Without an action, lists the facts.""",
    epilog="""
memtool facts list --category preference
memtool facts top -n 5
memtool facts show m-c80f12
memtool facts edit m-c80f12 "I want the spring line in blue"
memtool facts forget m-c80f12
""",
    default=_list,
)


def _notice_left(session: Session, edited: EditReport, user: str) -> None:
    """Say what the old text says besides the new one, and how to keep it, with the option for the owner."""
    said = "TEXT" if edited.left == edited.old_text else edited.completed or edited.left
    quoted = shlex.quote(said) if {*said} & {*'"$`\\!'} else f'"{said}"'
    part = repr(edited.left) if edited.completed else "a part of the old text"
    action = f"facts edit {edited.id}" if edited.completed else "save"
    command = f"memtool {user}{action} {quoted}"
    session.notice(f"the new text leaves out {part}; if that still holds, run {command}")


def _why_none(session: Session, category: str | None) -> list[str]:
    """What to say if no facts were found: how many items long-term memory has instead, or a fault."""
    wanted = requested_category(category)
    lines = memory_lines(session.visible_workspace, session.owner_tags)
    items = [line for line in lines if not line.fault and wanted in {None, line.fact.category}]
    if not items:
        fault = unknown_category(session.visible_workspace, category, session.now, session.owner_tags)
        return [fault] if fault else []
    kind, same = (f" in the category {wanted}", " in this category") if wanted else ("", "")
    text = (
        f"no facts{kind}; preferences and names are stored as list items in {items[0].path}, which contains "
        f"{output.plural(len(items), 'item')}{same}; to list all items, run memtool trace --all"
    )
    return [text]


def _show(
    session: Session,
    entries: Sequence[ListedFact],
    notices: Sequence[str],
    *,
    salience: bool = False,
    details: bool = False,
) -> int:
    """Print facts and notices; the exit code, which is 1 for no fact."""
    for entry in entries:
        if session.json:
            _print_json(entry, quotes=details)
        else:
            _print(entry, salience=salience, details=details)
    for notice in notices:
        session.notice(notice)
    return 0 if entries else session.nothing("no facts; add one with memtool save", *notices)


def _named(session: Session, names: Sequence[str], notices: list[str]) -> list[ListedFact]:
    """The facts with these ids; a notice for each id that no fact has."""
    entries: list[ListedFact] = []
    for name in names:
        found_facts = show_fact(session.visible_workspace, name, session.now, notices)
        entries += found_facts
        if not found_facts:
            active = [entry.fact for entry in list_facts(session.visible_workspace, session.now, [])]
            notices.append(unknown_fact(name, active))
    return entries


def _print_json(entry: ListedFact, *, quotes: bool) -> None:
    fact, superseded, last = entry.fact, entry.fact.record.superseded, entry.counts.last_accessed
    says = fact.record.fact
    triple = (says.subject, says.predicate, says.object) if isinstance(says, FactTriple) else (None,) * 3
    output.put_json(
        {
            "id": fact.name,
            "path": str(fact.path),
            "line": fact.line,
            "category": fact.category,
            "owner": str(fact.owner) if fact.owner else None,
            **dict(zip(("subject", "predicate", "object"), triple, strict=True)),
            "text": fact.text,
            "salience": round(entry.salience, 6),
            "accesses": entry.counts.accesses,
            "last_accessed": format_moment(last) if last else None,
            "superseded": {"on": superseded.on.isoformat(), "by": superseded.by} if superseded else None,
            **({"quotes": list(entry.quotes)} if quotes else {}),
        }
    )


def _print(entry: ListedFact, *, salience: bool, details: bool) -> None:
    """Print a fact on one line; with its salience in front, or with details on the lines after it."""
    fact, superseded = entry.fact, entry.fact.record.superseded
    text = shown_sentence(fact.record.fact)
    text = f"[{fact.owner}] {text}" if fact.owner else text
    columns = [fact.name, fact.category, f"{fact.path}:{fact.line}", text]
    if superseded:
        successor = f" by {superseded.by}" if superseded.by else ""
        columns[-1] += f" (superseded {superseded.on.isoformat()}{successor})"
    if salience:
        columns.insert(0, f"{entry.salience:.2f}")
    output.put_row(*columns)
    if details:
        last = entry.counts.last_accessed
        since = f", last on {format_moment(last)}" if last else ""
        output.put_wrapped(
            "  ",
            f"salience {entry.salience:.2f}: accessed {output.plural(entry.counts.accesses, 'time')}{since}",
        )
        for quote in entry.quotes:
            output.put_wrapped("  ", f"“{output.printable(quote)}”")
