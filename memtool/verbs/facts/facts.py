"""facts: list, show and forget the facts of the semantic files."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.fact import id_of
from memtool.core.facts.salience import Salience, salience
from memtool.core.records.plan import Plan, Replace
from memtool.core.records.triple import SemanticRecord, Superseded
from memtool.errors import BadUsage
from memtool.formats import semantic
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory.fact_files import Stated, category_given, every, free_id, is_of, page
from memtool.verbs.memory.salience import load


class Shown(Struct, frozen=True):
    """A fact with its salience, and its evidence quotes where they were requested."""

    fact: Stated
    uses: Salience
    salience: float
    quotes: tuple[str, ...] = ()


def facts(
    workspace: Workspace,
    now: datetime,
    notices: list[str],
    *,
    category: str | None = None,
    mine: Collection[str] = (),
    old: bool = False,
) -> list[Shown]:
    """All active facts in the order of the files; with `old` superseded ones too. Raises BadUsage."""
    category = category_given(category)
    table = load(workspace)
    notices += [table.notice] if table.notice else []
    chosen = [
        fact
        for fact in every(workspace, notices)
        if (old or fact.record.superseded is None) and category in {None, fact.category} and is_of(fact, mine)
    ]
    return [Shown(fact, table.of(fact.name), salience(table.of(fact.name), now)) for fact in chosen]


def by_salience(found: list[Shown]) -> list[Shown]:
    """The facts by descending salience; equal ones keep their order."""
    return sorted(found, key=lambda shown: -shown.salience)


def show(
    workspace: Workspace, name: str, now: datetime, notices: list[str], mine: Collection[str] = ()
) -> list[Shown]:
    """The facts with an id, then those that they superseded, newest first; each with its quotes."""
    listed = facts(workspace, now, notices, mine=mine, old=True)
    superseded = [shown for shown in listed if _successor(shown) == name]
    chosen = [shown for shown in listed if shown.fact.name == name] + superseded[::-1]
    quotes = _quotes(workspace)
    return [replace(shown, quotes=tuple(quotes.get(shown.fact.name, ()))) for shown in chosen]


def forget(
    workspace: Workspace, names: Collection[str], today: date, mine: Collection[str] = (), *, purge: bool
) -> tuple[list[Stated], Plan]:
    """Mark active facts as superseded by nothing; with `purge` remove their lines, salience and quotes.

    A purge includes facts that are superseded already. Raises BadUsage for an unknown id.
    """
    with workspace.lock():
        notices: list[str] = []
        chosen = [
            fact
            for fact in every(workspace, notices)
            if fact.name in names and is_of(fact, mine) and (purge or fact.record.superseded is None)
        ]
        if missing := [name for name in names if all(fact.name != name for fact in chosen)]:
            raise BadUsage(f"no fact has the id {missing[0]!r}; memtool facts list says which there are")
        plan: Plan = ()
        if purge:  # the lines are removed last, because a second run looks for them
            plan = _without_quotes(workspace, names) + load(workspace).without(workspace, names)
        for path in dict.fromkeys(fact.path for fact in chosen):
            file = page(workspace, path)
            facts_here = [fact for fact in chosen if fact.path == path]
            lines = {fact.line: None if purge else _forgotten(fact, file.text, today) for fact in facts_here}
            plan += file.rewritten(semantic.restate(file.text, lines))
        quotes = _quotes(workspace)
        words = [word for fact in chosen for word in (fact.name, fact.text, *quotes.get(fact.name, ()))]
        if not purge:
            workspace.commit(plan)
            return chosen, plan
        from memtool.verbs.indexing.reindex import forgetting

        with forgetting(workspace, plan):
            workspace.commit(plan, forget=words)
    return chosen, plan


def _forgotten(fact: Stated, text: str, today: date) -> SemanticRecord:
    """The record of a forgotten fact; a key that it had is free again."""
    name = free_id(id_of(fact.text, fact.owner), text) if fact.name.startswith("k-") else fact.name
    return replace(fact.record, id=name, superseded=Superseded(today))


def _successor(shown: Shown) -> str | None:
    superseded = shown.fact.record.superseded
    return superseded.by if superseded else None


def _quotes(workspace: Workspace) -> dict[str, list[str]]:
    """The evidence quotes by fact id."""
    document = workspace.read(workspace.layout.path("evidence"))
    quotes: dict[str, list[str]] = {}
    for line in document.text.split("\n") if document else ():
        record = _parse(line)
        if isinstance(record, dict) and isinstance(record.get("quotes"), list):
            quotes.setdefault(str(record.get("id")), []).extend(map(str, record["quotes"]))
    return quotes


def _parse(line: str) -> object:
    try:
        return json_text.loads(line)[0]
    except json_text.NotJson:
        return None


def _without_quotes(workspace: Workspace, names: Collection[str]) -> Plan:
    """The plan that removes these facts' quotes; the evidence itself stays, without words."""
    document = workspace.read(workspace.layout.path("evidence"))
    if document is None:
        return ()
    lines = []
    for line in document.text.split("\n"):
        record = _parse(line)
        if isinstance(record, dict) and record.get("id") in names and record.get("quotes"):
            lines.append(json_text.line({**record, "quotes": []}).removesuffix("\n"))
        else:
            lines.append(line)
    text = "\n".join(lines)
    return () if text == document.text else (Replace(document.path, text, document.etag),)
