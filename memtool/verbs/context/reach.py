"""reach: from which memory the snippets of a prompt may come, and how a chunk of it is shown there."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.context.context import EACH, TOP, Snippet
from memtool.core.search.chunk import chunks
from memtool.core.search.query import Filter, Only
from memtool.core.text.pattern import compiled
from memtool.errors import MemtoolError
from memtool.formats import compaction
from memtool.index.engine import EngineHit
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import ROOT, readable_groups
from memtool.verbs.context.injection import newest_episode
from memtool.verbs.context.visible import is_for, is_under, visible

LEARNINGS = "learnings"
"""Stands among the shown paths for all files of learnings, whose entries are shown together."""
_RECENT = timedelta(days=30)
"""Arcs of sessions older than this answer no prompt, save the latest (CoALA)."""


class Reach:
    """The memory from which snippets may come: one's own that is not in the prompt, and what is shared.

    `mine` are the tags of whom the prompt is for. `shown` are the paths that stand in this prompt; where that
    is not said, it is what stands in every prompt.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        today: date,
        group: str | None,
        mine: frozenset[str],
        shown: Collection[str] | None,
    ) -> None:
        self._workspace = workspace
        self._own = group or ROOT
        self._groups: tuple[str, ...] = (ROOT,)
        if workspace.layout.groups is not None:
            self._groups = readable_groups(workspace, self._own)
        self._mine = mine
        self._shown = shown
        self._for: dict[str, bool] = {}
        self._since = today - _RECENT
        self._end = datetime.combine(today, time.max, UTC)
        self._factors: dict[str, float] | None = None
        self._newest = newest_episode(workspace, group or None)

    def filters(self) -> list[Filter]:
        """What the index should leave out by itself."""
        return [] if self._workspace.layout.groups is None else [Only("group", self._groups)]

    def snippets(self, hits: Sequence[EngineHit]) -> list[Snippet]:
        """The hits that may be shown, in their order, each with its place among all of them."""
        located = [(one, self._workspace.located(one.path)) for one in hits]
        held = [
            (one, place)
            for one, place in located
            if place is not None
            and self._admits(one.path, place, one.trail)
            and not _is_title(one.text, one.first)
        ]
        inner = sorted(held, key=lambda row: (*self._rank(row[0].path, row[1]), row[0].first))
        order = {id(one): number for number, (one, _) in enumerate(inner)}
        return [
            self._snippet(
                one.path,
                place,
                (one.first, one.last),
                _titled(one.trail, text),
                order[id(one)],
                one.score,
                self._salience(place, one.text),
            )
            for one, place in held
            if (text := self._seen(one.path, place, one.text))
        ]

    def first(self, paths: Iterable[str]) -> list[Snippet]:
        """The first chunks in the order of files: one's own before what is shared, the newest notes first.

        Before them all come the facts that are asked for most.
        """
        rows = [(path, place) for path in paths if (place := self._workspace.located(path)) is not None]
        rows = [row for row in rows if self._admits(*row)]
        rows.sort(key=lambda row: self._rank(*row))
        found = self._prominent(rows)
        there = {(one.path, one.first) for one in found}
        for path, place in rows:
            try:
                document = self._workspace.read(PurePosixPath(path))
            except MemtoolError:
                continue
            cut = chunks(document.text) if document is not None else ()
            mine = [one for one in cut if is_under(one.trail, self._mine)]
            for chunk in [one for one in mine if not _is_title(one.text, one.first)][:EACH]:
                if not (text := self._seen(path, place, chunk.text)):
                    continue
                if (path, chunk.first) in there:
                    continue
                text, span = _titled(chunk.trail, text), (chunk.first, chunk.last)
                found.append(self._snippet(path, place, span, text, len(found), 0.0))
            if len(found) >= TOP * 2:
                break
        return found

    def _prominent(self, rows: Iterable[tuple[str, Located]]) -> list[Snippet]:
        """Up to as many as one file may have of the facts that are asked for most, the most salient first."""
        asked_for = {name: factor for name, factor in self._table().items() if factor > 1}
        most = sorted(asked_for, key=lambda name: (-asked_for[name], name))[:TOP]
        found: list[Snippet] = []
        for path, place in rows if most else ():
            if place.role != "semantic":
                continue
            try:
                document = self._workspace.read(PurePosixPath(path))
            except MemtoolError:
                continue
            if document is None or not any(f"^{name}" in document.text for name in most):
                continue
            for chunk in chunks(document.text):
                if not any(f"^{name}" in chunk.text for name in most) or not is_under(
                    chunk.trail, self._mine
                ):
                    continue
                salience, text = self._salience(place, chunk.text), self._seen(path, place, chunk.text)
                if salience > 1 and text:
                    span = (chunk.first, chunk.last)
                    shown = _titled(chunk.trail, text)
                    found.append(self._snippet(path, place, span, shown, 0, 0.0, salience))
        found.sort(key=lambda one: (-one.salience, one.path, one.first))
        return [replace(one, order=order) for order, one in enumerate(found[:EACH])]

    def _seen(self, path: str, located: Located, text: str) -> str:
        """What of a chunk may be shown to whom the prompt is for; empty for nothing."""
        if located.role == "episode" and self._mine:
            if path not in self._for:
                document = self._workspace.read(PurePosixPath(path))
                self._for[path] = document is None or is_for(document.text, self._mine)
            if not self._for[path]:
                return ""
        return visible(text, located.role, self._mine).strip("\n")

    def _admits(self, path: str, located: Located, trail: Sequence[str] = ()) -> bool:
        place, group = located.place, located.group or ROOT
        if not place.indexed or not place.readable or group not in self._groups:
            return False
        if place.inject in {"never", "recovery"} or not is_under(trail, self._mine):
            return False
        if self._stands(path, located) and not any(map(compaction.is_title, trail)):
            return False
        if located.role == "episode" and located.day is not None and located.day < self._since:
            return self._newest is not None and path == str(self._newest)
        return True

    def _stands(self, path: str, located: Located) -> bool:
        if self._shown is not None:
            return path in self._shown or (located.role == "learnings" and LEARNINGS in self._shown)
        return located.place.inject == "always" and (located.group or ROOT) == self._own

    def _rank(self, path: str, located: Located) -> tuple[bool, int, int, str]:
        places = [place.role for place in self._workspace.layout.places]
        newest_first = -(located.day or date.min).toordinal()
        return (located.group or ROOT) != self._own, places.index(located.role), newest_first, path

    def _salience(self, located: Located, text: str) -> float:
        """That of the most prominent fact in a chunk; 1 where there is none."""
        if located.role != "semantic":
            return 1.0
        factors = self._table()
        if not factors:
            return 1.0
        from memtool.core.facts.fact import name_of
        from memtool.formats import semantic

        records = semantic.records(semantic.parse(text))
        names = [name_of(one) for one in records if one.superseded is None]
        return max((factors.get(name, 1.0) for name in names), default=1.0)

    def _table(self) -> dict[str, float]:
        if self._factors is None:
            self._factors = _factors(self._workspace, self._end)
        return self._factors

    def _snippet(
        self,
        path: str,
        located: Located,
        lines: tuple[int, int],
        text: str,
        order: int,
        score: float,
        salience: float = 1.0,
    ) -> Snippet:
        source = "group" if (located.group or ROOT) == self._own else "global"
        top = f"{self._workspace.layout.groups}/{located.group}/" if located.group else ""
        shown = path.removeprefix(top)
        return Snippet(source, path, shown, located.role, *lines, text, order, score, salience)


def _factors(workspace: Workspace, now: datetime) -> dict[str, float]:
    """The salience of each fact that has any."""
    path = workspace.layout.path("salience")
    if not os.path.lexists(os.path.join(workspace.root, str(path))):
        return {}  # as in every memory whose facts nobody recalls: what follows is not imported in vain
    from memtool.verbs.memory.salience import load

    return load(workspace).factors(now)


def _is_title(text: str, first: int) -> bool:
    """Whether a chunk is a heading alone, or the frontmatter that a file begins with."""
    if compiled(r"#{1,6}\s[^\n]*").fullmatch(text):
        return True
    return first == 1 and text.startswith("---\n") and text.rstrip().endswith(("\n---", "\n..."))


def _titled(trail: Sequence[str], text: str) -> str:
    """A chunk with the heading that it stands under, where it does not begin with it."""
    return text if text.lstrip().startswith("#") or not trail else f"{trail[-1]}: {text.lstrip()}"
