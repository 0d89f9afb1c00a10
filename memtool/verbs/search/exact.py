"""search --exact: the lines that contain a text, read from the files themselves, without any index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from memtool.core.records.hit import Hit, fair_shares, numbered
from memtool.core.text.text import fold
from memtool.errors import Unreadable
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import readable_groups
from memtool.verbs.search.answer import Answer, Question
from memtool.verbs.search.exact_turns import ROLE as TURNS
from memtool.verbs.search.exact_turns import cut, exact_turns

DEFAULT_TIERS = ("long-term", "daily-note", "session-state")
"""The three tiers that an exact search looks into unless roles are named (Qanot's memory_search)."""

_MOST = 50


def exact(workspace: Workspace, question: Question) -> Answer:
    """Every line that contains the text, upper and lower case alike; newest daily notes first.

    At most 50 hits unless a limit is given, shared fairly between the tiers. Only notes named by a date count
    among the newest.
    """
    for role in question.roles:
        if role != "all":
            workspace.layout.place(role)
    needle = fold(question.text).strip()
    if not needle:
        return Answer((), ("there is nothing to look for: the query is empty",))
    listing = workspace.documents()
    notices = [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    tiers: dict[str, list[Hit]] = {}
    unread = len(listing.unreadable)
    chosen, passed_by = _chosen(workspace, question, listing.files)
    for path, located in chosen:
        try:
            document = workspace.read(PurePosixPath(path))
        except Unreadable as error:
            notices.append(str(error))
            unread += 1
            continue
        if document is not None:
            hits = tiers.setdefault(located.role, [])
            hits.extend(_lines(path, located, document.text, needle, question.context))
    most = min(question.limit or _MOST, _MOST)
    if TURNS in question.roles or "all" in question.roles:
        known = len(notices)
        tiers[TURNS] = exact_turns(workspace, question, needle, most, notices)
        unread += len(notices) - known
    shares = fair_shares({tier: len(hits) for tier, hits in tiers.items()}, most)
    found = tuple(hit for tier, hits in tiers.items() for hit in hits[: shares[tier]])
    if passed_by and not found:
        notices.append(
            f"{passed_by} older daily notes were not looked into; --role all looks into everything"
        )
    looked = (f"looked into {len(chosen)} files",)
    return Answer(found, tuple(notices), could_not_tell=bool(unread) and not found, details=looked)


def _chosen(
    workspace: Workspace, question: Question, paths: Iterable[str]
) -> tuple[list[tuple[str, Located]], int]:
    """The files to look into, tier by tier and the newest note first, and how many notes were too old."""
    everything = "all" in question.roles
    wanted = question.roles or DEFAULT_TIERS
    groups = readable_groups(workspace, question.group) if question.group is not None else None
    rows: list[tuple[str, Located]] = []
    for path in paths:
        located = workspace.located(path)
        if located is None or not located.place.indexed or not question.admits(path, located, groups):
            continue
        if everything or located.role in wanted:
            rows.append((path, located))
    order = {role: number for number, role in enumerate(wanted)}
    rows.sort(key=lambda row: (order.get(row[1].role, len(order)), _newest_first(row[1]), row[0]))
    if question.roles:
        return rows, 0
    newest = workspace.settings["search.exact_notes"]
    notes = [row for row in rows if row[1].role == "daily-note" and row[1].day is not None]
    late = {path for path, _ in notes[newest:]}
    return [row for row in rows if row[0] not in late], len(late)


def _newest_first(located: Located) -> int:
    return -(located.day or date.min).toordinal()


def _lines(path: str, located: Located, text: str, needle: str, context: int) -> Iterator[Hit]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if needle in fold(line):
            snippet, spans = cut(line.strip(), needle)
            yield Hit(
                path=path,
                line=number,
                end_line=number,
                role=located.role,
                source="document",
                score=1.0,
                snippet=snippet,
                spans=spans,
                text=line.rstrip("\r"),
                date=located.day,
                group=located.group,
                before=numbered(lines, number - context, number - 1) if context else (),
                after=numbered(lines, number + 1, number + context) if context else (),
            )
