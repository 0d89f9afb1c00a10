"""context: what of memory belongs in the next prompt: what is always there, then what its words ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import PurePosixPath

from memtool.core.chunk import chunks
from memtool.core.context import CHARACTERS, EACH, TOP, Section, Snippet, chosen, fitted, gated, query_of
from memtool.core.pattern import compiled
from memtool.core.query import Filter, Only, plain_query
from memtool.errors import MemtoolError
from memtool.formats import compaction
from memtool.index.engine import BrokenIndex, EngineHit
from memtool.layouts.layout import Located
from memtool.store.workspace import Workspace
from memtool.verbs.groups import ROOT, heard, readable_groups
from memtool.verbs.injection import newest_episode, standing
from memtool.verbs.shelf import Shelf, View
from memtool.verbs.visible import is_for, is_under, visible
from memtool.verbs.wanted import LEXICAL, Wanted

_DEEP = (200, 2_000, 20_000)
_ENOUGH = 50
"""Chunks that the index is asked for, and asked again, until so many of them may be chosen."""
_ATTEMPTS = 3
_RECENT = timedelta(days=30)
"""Arcs of sessions older than this answer no prompt, save the latest (CoALA)."""


@dataclass(frozen=True, slots=True)
class Injected:
    """The text for the prompt, and what it is made of.

    `could_not_tell` means that something which might have belonged there could not be read.
    """

    text: str
    query: str
    sections: tuple[Section, ...]
    snippets: tuple[Snippet, ...]
    notices: tuple[str, ...] = ()
    could_not_tell: bool = False


def context(workspace: Workspace, wanted: Wanted, shelf: Callable[[], Shelf]) -> Injected:
    """What belongs in the prompt, within its budget. Raises BadUsage."""
    notices: list[str] = []
    missed: list[str] = []
    agent = workspace.settings["agent_name"]
    sections: list[Section] = []
    if wanted.standing:
        sections = standing(
            workspace,
            agent,
            notices,
            missed,
            group=wanted.group or None,
            latest_episode=wanted.latest_episode,
        )
        sections = [
            replace(one, text=visible(one.text, one.role, wanted.mine))
            for one in sections
            if one.role != "episode" or is_for(one.text, wanted.mine)
        ]
    query = query_of(wanted.prompt, agent)
    snippets: list[Snippet] = []
    if wanted.retrieval:
        snippets = _snippets(workspace, wanted, query, shelf(), notices, missed)
    fits = fitted(sections, snippets, wanted.budget, wanted.cost)
    shown = {one.path: one.text for one in fits.sections}
    cut = [one.path for one in sections if shown.get(one.path) != one.text]
    if cut:
        notices.append(f"the budget leaves no room for all of {', '.join(cut)}")
    told = tuple(dict.fromkeys((*missed, *notices)))
    return Injected(fits.text, query, fits.sections, fits.snippets, told, bool(missed))


def _snippets(
    workspace: Workspace,
    wanted: Wanted,
    query: str,
    shelf: Shelf,
    notices: list[str],
    missed: list[str],
) -> list[Snippet]:
    """The snippets that the prompt asks for, each as its file says it now."""
    most = workspace.settings["context.characters"] or CHARACTERS
    view = shelf.freshen()
    for _ in range(_ATTEMPTS):
        try:
            ranked = _ranked(workspace, wanted, query, view)
        except BrokenIndex as error:
            view = shelf.without_index(f"the search index {error.why}")
            ranked = _ranked(workspace, wanted, query, view)
        found = chosen(ranked, most)
        if all(_is_current(workspace, view, path) for path in {one.path for one in found}):
            break
        view = shelf.freshen()
    said = heard(workspace, wanted.group, view.notices)
    (missed if view.unread else notices).extend(said)
    return found


def _ranked(workspace: Workspace, wanted: Wanted, query: str, view: View) -> list[Snippet]:
    """Every chunk that may be chosen, best first."""
    reach = _Reach(workspace, wanted)
    asked = plain_query(query)
    found: list[Snippet] = []
    for deep in _DEEP if asked.words else ():  # much of what the index names may be in every prompt already
        hits = view.index.query(asked, deep, filters=reach.filters())
        found = reach.snippets(hits)
        if len(found) >= _ENOUGH or len(hits) < deep:
            break
    if wanted.mode == LEXICAL:
        return found
    ranked = gated(query, found)
    if ranked and ranked[0].score > 0:
        return ranked
    return gated("", reach.first(view.stamps))


class _Reach:
    """The memory from which snippets may come: one's own that is not in every prompt, and what is shared."""

    def __init__(self, workspace: Workspace, wanted: Wanted) -> None:
        self._workspace = workspace
        self._own = wanted.group or ROOT
        self._groups: tuple[str, ...] = (ROOT,)
        if workspace.layout.groups is not None:
            self._groups = readable_groups(workspace, self._own)
        self._mine = wanted.mine
        self._for: dict[str, bool] = {}
        self._since = wanted.today - _RECENT
        self._end = datetime.combine(wanted.today, time.max, UTC)
        self._factors: dict[str, float] | None = None
        self._newest = newest_episode(workspace, wanted.group or None)

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
        """The first chunks in the order of files: one's own before what is shared, the newest notes first."""
        rows = [(path, place) for path in paths if (place := self._workspace.located(path)) is not None]
        rows = [row for row in rows if self._admits(*row)]
        rows.sort(key=lambda row: self._rank(*row))
        found: list[Snippet] = []
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
                text, span = _titled(chunk.trail, text), (chunk.first, chunk.last)
                found.append(self._snippet(path, place, span, text, len(found), 0.0))
            if len(found) >= TOP * 2:
                break
        return found

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
        if place.inject == "always" and group == self._own and not any(map(compaction.is_title, trail)):
            return False
        if located.role == "episode" and located.day is not None and located.day < self._since:
            return self._newest is not None and path == str(self._newest)
        return True

    def _rank(self, path: str, located: Located) -> tuple[bool, int, int, str]:
        places = [place.role for place in self._workspace.layout.places]
        newest_first = -(located.day or date.min).toordinal()
        return (located.group or ROOT) != self._own, places.index(located.role), newest_first, path

    def _salience(self, located: Located, text: str) -> float:
        """That of the most prominent fact in a chunk; 1 where there is none."""
        if located.role != "semantic":
            return 1.0
        from memtool.core.fact import name_of
        from memtool.formats import semantic
        from memtool.verbs.salience import load

        if self._factors is None:
            self._factors = load(self._workspace).factors(self._end)
        records = semantic.records(semantic.parse(text))
        names = [name_of(one) for one in records if one.superseded is None]
        return max((self._factors.get(name, 1.0) for name in names), default=1.0)

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


def _is_title(text: str, first: int) -> bool:
    """Whether a chunk is a heading alone, or the frontmatter that a file begins with."""
    if compiled(r"#{1,6}\s[^\n]*").fullmatch(text):
        return True
    return first == 1 and text.startswith("---\n") and text.rstrip().endswith(("\n---", "\n..."))


def _titled(trail: Sequence[str], text: str) -> str:
    """A chunk with the heading that it stands under, where it does not begin with it."""
    return text if text.lstrip().startswith("#") or not trail else f"{trail[-1]}: {text.lstrip()}"


def _is_current(workspace: Workspace, view: View, path: str) -> bool:
    """Whether a file still is the text that was searched."""
    stamp = view.stamps.get(path)
    try:
        document = workspace.read(PurePosixPath(path))
    except MemtoolError:
        return False
    return document is not None and stamp is not None and document.etag == stamp.etag
