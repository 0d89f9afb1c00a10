"""facts: list, show and forget the facts of the semantic files."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Collection, Sequence
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.identity import fact_id, fact_id_of_key
from memtool.core.facts.salience import Salience, salience_factor
from memtool.core.lint.lint_target import unknown_category_message
from memtool.core.records.entries import is_same_user
from memtool.core.records.plan import Plan
from memtool.core.records.semantic import SemanticRecord, Supersession
from memtool.core.records.unknown_id import id_hint, kind_of_id
from memtool.errors import BadUsage, NotFound
from memtool.formats import semantic
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.facts.memory_lines import MemoryLine, memory_lines, named_line, supersede_plan
from memtool.verbs.facts.successor import has_key, mark_superseded
from memtool.verbs.memory_files.evidence import evidence_quotes, without_quotes_plan
from memtool.verbs.memory_files.salience import load_salience
from memtool.verbs.memory_files.semantic_files import (
    StoredFact,
    all_facts,
    belongs_to,
    open_semantic_file,
    requested_category,
    unused_id,
)


class FactLine(Struct, frozen=True):
    """A line of a semantic file as an editor shows it: its path, its number (from 1) and its text."""

    path: str
    line: int
    text: str


class ListedFact(Struct, frozen=True):
    """A fact with its salience, and its evidence quotes where they were requested."""

    fact: StoredFact
    counts: Salience
    salience: float
    quotes: tuple[str, ...] = ()


def list_facts(
    workspace: Workspace,
    now: datetime,
    notices: list[str],
    *,
    category: str | None = None,
    include_superseded: bool = False,
) -> list[ListedFact]:
    """All active facts in the order of the files; with `include_superseded` superseded ones too.

    Raises BadUsage.
    """
    category = requested_category(category)
    table = load_salience(workspace)
    notices += [table.notice] if table.notice else []
    chosen = [
        fact
        for fact in all_facts(workspace, notices)
        if (include_superseded or fact.record.superseded is None) and category in {None, fact.category}
    ]
    return [
        ListedFact(fact, table.of(fact.name), salience_factor(table.of(fact.name), now)) for fact in chosen
    ]


def unknown_category(
    workspace: Workspace, category: str | None, now: datetime, owners: Collection[str] = ()
) -> str:
    """What is wrong with a category that no fact and no layout has, with those that there are; else "".

    The categories of the lines of long-term memory that these owners may see are named, too.
    """
    if category is None:
        return ""
    used = {entry.fact.category for entry in list_facts(workspace, now, [])}
    known = used | {*filter(None, workspace.layout.categories)}
    message = unknown_category_message(requested_category(category) or "", known)
    if not message:
        return ""
    lines = [line for line in memory_lines(workspace, owners) if line.fact.category and not line.fault]
    others = ", ".join(sorted({line.fact.category for line in lines} - known))
    listing = (
        f"; to list the items of {lines[0].path} in other categories ({others}), run memtool trace --all"
        if others
        else ""
    )
    return f"{message}; known categories: {', '.join(sorted(known))}{listing}"


def sort_by_salience(facts: list[ListedFact]) -> list[ListedFact]:
    """The facts by descending salience; equal ones keep their order."""
    return sorted(facts, key=lambda shown: -shown.salience)


def show_fact(workspace: Workspace, name: str, now: datetime, notices: list[str]) -> list[ListedFact]:
    """The facts with an id or key, then those that they superseded, newest first; each with its quotes.

    Raises BadUsage for a key that several facts have.
    """
    listed = list_facts(workspace, now, notices, include_superseded=True)
    name = id_of(name, [shown.fact for shown in listed])
    superseded = [shown for shown in listed if _successor(shown) == name]
    chosen = [shown for shown in listed if shown.fact.name == name] + superseded[::-1]
    quotes = evidence_quotes(workspace)
    return [replace(shown, quotes=tuple(quotes.get(shown.fact.name, ()))) for shown in chosen]


@retry_when_stale
def forget_facts(
    workspace: Workspace,
    choices: Collection[str | FactLine],
    today: date,
    owners: Collection[str] = (),
    *,
    purge: bool,
) -> tuple[list[StoredFact | MemoryLine], Plan]:
    """Mark active facts as superseded by nothing; with `purge` remove their lines, salience and quotes.

    A purge leaves nothing of them under `.memtool`, and no undo; other files may still say them.

    A purge includes facts that are superseded already. A fact is chosen by its id, its key or its line, a
    line of long-term memory by `path:line` or its words; one that was written by hand is removed. Raises
    NotFound for an unknown id and for a line that has changed; BadUsage for an id or key of several facts
    that say different things, for a purge of one line of several with one id, because salience and quotes are
    known by the id, and for a purge of a line of long-term memory.
    """
    with workspace.lock():
        every = all_facts(workspace, [])
        facts = [fact for fact in every if belongs_to(fact, owners)]
        lines = memory_lines(workspace, owners)
        chosen: list[StoredFact] = []
        chosen_lines: dict[str, MemoryLine] = {}
        for choice in choices:
            if isinstance(choice, str) and (line := line_of(choice, facts, lines)):
                found = []
                chosen_lines[line.name] = line
            elif isinstance(choice, str):
                found = _facts_with_id(choice, facts, lines, include_superseded=purge)
            else:
                found = [fact_on_line(choice, facts, include_superseded=purge)]
            chosen += [fact for fact in found if fact not in chosen]
        if purge and chosen_lines:
            name, line = next(iter(chosen_lines.items()))
            raise BadUsage(
                f"{name} is a line of long-term memory; to remove its text from all of memory, run memtool "
                f"forget --match {shlex.quote(line.text)}"
            )
        ids = {fact.name for fact in chosen}
        if purge and (others := [fact for fact in every if fact.name in ids and fact not in chosen]):
            raise BadUsage(shared_id(others[0].name, facts))
        plan = supersede_plan(workspace, chosen_lines.values(), today)
        if purge:  # the lines are removed last, because a second run looks for them
            plan = without_quotes_plan(workspace, ids) + load_salience(workspace).removal_plan(workspace, ids)
        for path in dict.fromkeys(fact.path for fact in chosen):
            file = open_semantic_file(workspace, path)
            facts_here = [fact for fact in chosen if fact.path == path]
            records = {
                fact.line: None if purge else _forgotten(fact, file.text, today) for fact in facts_here
            }
            plan += file.rewrite_plan(semantic.replace_lines(file.text, records))
        quotes = evidence_quotes(workspace)
        words = [word for fact in chosen for word in (fact.name, fact.text, *quotes.get(fact.name, ()))]
        if not purge:
            workspace.commit(plan)
            return [*chosen, *chosen_lines.values()], plan
        from memtool.verbs.forgetting.traces import remove_traces
        from memtool.verbs.indexing.reindex import discard_while_forgetting

        with discard_while_forgetting(workspace, plan):
            workspace.commit(plan, forget=words)
            for sentence in remove_traces(workspace, words) if workspace.writes else ():
                workspace.report(sentence)
    return [*chosen], plan


@retry_when_stale
def supersede_fact(
    workspace: Workspace, old: FactLine, new: FactLine, today: date, owners: Collection[str] = ()
) -> tuple[StoredFact, StoredFact, Plan]:
    """Mark the active fact of a line as superseded by another one, kept as it is; both, and the plan.

    Raises NotFound for a line that has changed; BadUsage for facts of different owners, where both are one
    fact, and where other facts have the id of the new one.
    """
    with workspace.lock():
        every = all_facts(workspace, [])
        facts = [fact for fact in every if belongs_to(fact, owners)]
        fact, successor = fact_on_line(old, facts), fact_on_line(new, facts)
        if fact == successor or not is_same_user(fact.owner, successor.owner):
            raise BadUsage(
                f"{successor.name} cannot supersede {fact.name}; only another fact of the same owner can"
            )
        if sum(other.name == successor.name for other in every) > 1:
            raise BadUsage(shared_id(successor.name, facts))
        file = open_semantic_file(workspace, fact.path)
        plan = file.rewrite_plan(mark_superseded(file.text, fact, successor.name, today))
        workspace.commit(plan)
    return fact, successor, plan


def fact_on_line(
    shown: FactLine, facts: Sequence[StoredFact], *, include_superseded: bool = False
) -> StoredFact:
    """The fact of a line that an editor shows; where its file has the line once, it may have moved.

    Raises NotFound where the file has no such line, and BadUsage, unless `include_superseded`, for a
    superseded fact.
    """
    here = [fact for fact in facts if str(fact.path) == shown.path]
    record = semantic.parse(shown.text).lines[0].record
    same = [fact for fact in here if fact.record == record]
    found = same[0] if len(same) == 1 else next((fact for fact in same if fact.line == shown.line), None)
    if not include_superseded and record is not None:
        superseded = [fact for fact in here if fact.record.superseded and fact.record.fact == record.fact]
        if (found is None or found.record.superseded) and superseded:
            raise BadUsage(f"{superseded_already(superseded[0])}; reload {shown.path} in the editor")
    if found is None:
        raise NotFound(
            f"{shown.path} no longer contains this fact; reload the file in the editor and try again"
        )
    return found


def _facts_with_id(
    name: str, facts: Sequence[StoredFact], lines: Sequence[MemoryLine], *, include_superseded: bool
) -> list[StoredFact]:
    """The facts with an id or key, which say the same: several lines may be copies of one another."""
    usable = [fact for fact in facts if include_superseded or fact.record.superseded is None]
    identifier = id_of(name, usable)
    found = [fact for fact in usable if fact.name == identifier]
    if not found:
        raise NotFound(missing_fact(name, facts, lines))
    if len({(fact.text, fact.owner) for fact in found}) > 1:
        raise BadUsage(shared_id(identifier, found))
    return found


def id_of(name: str, facts: Sequence[StoredFact]) -> str:
    """The id of the fact with a key or a `path:line`; the name itself if it is an id, or no fact has it.

    A key may be given as in its id, with `k-` and without the hash of its owner. Raises BadUsage for a key
    that several facts have.
    """
    if any(fact.name == name for fact in facts):
        return name
    if placed := next((fact for fact in facts if name == f"{fact.path}:{fact.line}"), None):
        return placed.name
    found: set[str] = set()
    for fact in facts:
        if has_key(fact) and fact.name not in found:
            with contextlib.suppress(ValueError):
                is_of_key = fact.name == fact_id_of_key(name, fact.owner)
                if is_of_key or re.fullmatch(f"{re.escape(name)}-[0-9a-f]{{6}}", fact.name):
                    found.add(fact.name)
    if len(found) > 1:
        raise BadUsage(f"several facts have the key {name!r}; give one of the ids {', '.join(sorted(found))}")
    return found.pop() if found else name


def line_of(name: str, facts: Sequence[StoredFact], lines: Sequence[MemoryLine]) -> MemoryLine | None:
    """The line of long-term memory with this place or text, unless a fact has it as its id or key."""
    identifier = id_of(name, facts)
    return None if any(fact.name == identifier for fact in facts) else named_line(name, lines)


def unknown_fact(name: str, facts: Sequence[StoredFact], lines: Sequence[MemoryLine] = ()) -> str:
    """What to say of an id or key that none of these facts has, nor one of the lines of long-term memory."""
    if kind_of_id(name) == "rule":
        return (
            f"no fact with the id {name!r}, which has the form of a rule's id; memtool rules list prints the "
            "rules; to change one, run memtool rules edit ID TEXT"
        )
    if re.fullmatch(r"\S+:\d+", name):
        return (
            f"no fact or list item that this command accepts was found at {name}; to print or change any "
            "other line, use memtool get or a text editor"
        )
    texts = {fact.name: fact.text for fact in facts}
    texts |= {line.name: line.fact.detail for line in lines if not line.fault}
    hint = id_hint(name, texts, "memtool facts list")
    return f"no fact with the id {name!r}{hint}"


def missing_fact(name: str, facts: Sequence[StoredFact], lines: Sequence[MemoryLine] = ()) -> str:
    """What to say of an id or key that no active fact has; the facts include superseded ones."""
    superseded = [fact for fact in facts if fact.record.superseded is not None]
    for fact in superseded:
        if fact.name == name:
            return superseded_already(fact)
    return unknown_fact(name, [fact for fact in facts if fact not in superseded], lines)


def superseded_already(fact: StoredFact) -> str:
    """What to say of a superseded fact that was expected to be active."""
    superseded = fact.record.superseded
    on = f" on {superseded.on.isoformat()}" if superseded else ""
    return f"{fact.name} was superseded{on}{f' by {superseded.by}' if superseded and superseded.by else ''}"


def shared_id(name: str, facts: Sequence[StoredFact]) -> str:
    """What to say of an id that several facts have, of which the caller may see `facts`."""
    places = [f"{fact.path}:{fact.line}" for fact in facts if fact.name == name]
    where = f"{name} is the id of several facts ({', '.join(places)})"
    if len(places) < 2:
        where = f"{name}, the id of the fact at {', '.join(places)}, is also the id of another user's fact"
    return f"{where}; give each fact an id of its own, save the file and try again"


def _forgotten(fact: StoredFact, text: str, today: date) -> SemanticRecord:
    """The record of a forgotten fact; a key that it had is free again."""
    name = unused_id(fact_id(fact.text, fact.owner), text) if has_key(fact) else fact.name
    return replace(fact.record, id=name, superseded=Supersession(today))


def _successor(shown: ListedFact) -> str | None:
    superseded = shown.fact.record.superseded
    return superseded.by if superseded else None
