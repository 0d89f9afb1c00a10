"""facts: the facts of the semantic files, listed, shown and forgotten as the tree has them."""

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
    """A fact with its salience, and the quotes that it rests on where they were asked for."""

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
    known = load(workspace)
    notices += [known.notice] if known.notice else []
    found = [
        one
        for one in every(workspace, notices)
        if (old or one.record.superseded is None) and category in {None, one.category} and is_of(one, mine)
    ]
    return [Shown(one, known.of(one.name), salience(known.of(one.name), now)) for one in found]


def by_salience(found: list[Shown]) -> list[Shown]:
    """The most prominent first; equal ones as they stand."""
    return sorted(found, key=lambda one: -one.salience)


def show(
    workspace: Workspace, name: str, now: datetime, notices: list[str], mine: Collection[str] = ()
) -> list[Shown]:
    """The facts of an id, and those that it superseded, the newest first; with what they rest on."""
    found = facts(workspace, now, notices, mine=mine, old=True)
    past = [one for one in found if _successor(one) == name]
    chosen = [one for one in found if one.fact.name == name] + past[::-1]
    quotes = _quotes(workspace)
    return [replace(one, quotes=tuple(quotes.get(one.fact.name, ()))) for one in chosen]


def forget(
    workspace: Workspace, names: Collection[str], today: date, mine: Collection[str] = (), *, purge: bool
) -> tuple[list[Stated], Plan]:
    """Mark active facts as superseded by nothing; with `purge` take their lines, salience and quotes away.

    A purge takes lines that were superseded long since too. Raises BadUsage for an id that there is not.
    """
    with workspace.lock():
        notices: list[str] = []
        found = [
            one
            for one in every(workspace, notices)
            if one.name in names and is_of(one, mine) and (purge or one.record.superseded is None)
        ]
        if missing := [name for name in names if all(one.name != name for one in found)]:
            raise BadUsage(f"no fact has the id {missing[0]!r}; memtool facts list says which there are")
        plan: Plan = ()
        if purge:  # the lines go last: they are what another try would look for
            plan = _unproven(workspace, names) + load(workspace).without(workspace, names)
        for path in dict.fromkeys(one.path for one in found):
            opened = page(workspace, path)
            there = [one for one in found if one.path == path]
            changed = {one.line: None if purge else _past(one, opened.text, today) for one in there}
            plan += opened.rewritten(semantic.restate(opened.text, changed))
        quotes = _quotes(workspace)
        words = [word for one in found for word in (one.name, one.text, *quotes.get(one.name, ()))]
        if not purge:
            workspace.commit(plan)
            return found, plan
        from memtool.verbs.indexing.reindex import forgetting

        with forgetting(workspace, plan):
            workspace.commit(plan, forget=words)
    return found, plan


def _past(one: Stated, text: str, today: date) -> SemanticRecord:
    """The line of a fact that no longer counts; its key is free for the next."""
    name = free_id(id_of(one.text, one.owner), text) if one.name.startswith("k-") else one.name
    return replace(one.record, id=name, superseded=Superseded(today))


def _successor(one: Shown) -> str | None:
    past = one.fact.record.superseded
    return past.by if past else None


def _quotes(workspace: Workspace) -> dict[str, list[str]]:
    """The quotes that facts rest on, by the fact's id."""
    found: dict[str, list[str]] = {}
    for row in _rows(workspace)[1]:
        if isinstance(row, dict) and isinstance(row.get("quotes"), list):
            found.setdefault(str(row.get("id")), []).extend(map(str, row["quotes"]))
    return found


def _rows(workspace: Workspace) -> tuple[list[str], list[object]]:
    """The lines of the file of evidence, and what each says; None for one that says nothing."""
    document = workspace.read(workspace.layout.path("evidence"))
    lines = document.text.split("\n") if document else []
    return lines, [_row(line) for line in lines]


def _row(line: str) -> object:
    try:
        return json_text.loads(line)[0]
    except json_text.NotJson:
        return None


def _unproven(workspace: Workspace, names: Collection[str]) -> Plan:
    """The file of evidence without the quotes for these facts; that they were proven once stays known."""
    document = workspace.read(workspace.layout.path("evidence"))
    if document is None:
        return ()
    lines, rows = _rows(workspace)
    new = [
        json_text.line({**row, "quotes": []}).removesuffix("\n")
        if isinstance(row, dict) and row.get("id") in names and row.get("quotes")
        else line
        for line, row in zip(lines, rows, strict=True)
    ]
    text = "\n".join(new)
    return () if text == document.text else (Replace(document.path, text, document.etag),)
