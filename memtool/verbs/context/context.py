"""context: what of memory belongs in the next prompt: what is always there, then what its words ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.context.context import CHARACTERS, Section, Snippet, chosen, fitted, query_of
from memtool.core.context.ranking import rank_snippets
from memtool.core.search.query import plain_query
from memtool.core.text.pattern import compiled
from memtool.errors import MemtoolError
from memtool.index.engine import BrokenIndex
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import heard
from memtool.verbs.context.injection import standing
from memtool.verbs.context.reach import Reach
from memtool.verbs.context.visible import is_for, visible
from memtool.verbs.context.wanted import LEXICAL, WORDS, Wanted
from memtool.verbs.indexing.documents import DocumentSync, DocumentView

_DEEP = (200, 2_000, 20_000)
_ENOUGH = 50
"""Chunks that the index is asked for, and asked again, until so many of them may be chosen."""
_ATTEMPTS = 3


class Injected(Struct, frozen=True):
    """The text for the prompt, and what it is made of.

    `could_not_tell` means that something which might have belonged there could not be read.
    """

    text: str
    query: str
    sections: tuple[Section, ...]
    snippets: tuple[Snippet, ...]
    notices: tuple[str, ...] = ()
    could_not_tell: bool = False


def context(workspace: Workspace, wanted: Wanted, shelf: Callable[[], DocumentSync]) -> Injected:
    """What belongs in the prompt, within its budget. Raises BadUsage."""
    notices: list[str] = []
    missed: list[str] = []
    sections = sections_of(workspace, wanted, notices, missed) if wanted.standing else []
    query = query_of(wanted.prompt, workspace.settings["agent_name"])
    said, cut, fits = _said(sections), [], fitted(sections, (), wanted.budget, wanted.cost)
    opened = shelf() if wanted.retrieval else None
    for budget in (wanted.budget, None):
        snippets = snippets_of(workspace, wanted, opened, notices, missed, said) if opened else []
        fits = fitted(sections, snippets, wanted.budget, wanted.cost)
        shown = {one.path: one.text for one in fits.sections}
        cut = [one.path for one in sections if shown.get(one.path) != one.text]
        if not cut or budget is None or opened is None:
            break
        # What is cut off says nothing: only what stands there however much the snippets take does.
        said = _said(fitted(sections, (), budget - budget // 4, wanted.cost).sections)
    if cut:
        notices.append(f"the budget leaves no room for all of {', '.join(cut)}")
    told = tuple(dict.fromkeys((*missed, *notices)))
    return Injected(fits.text, query, fits.sections, fits.snippets, told, bool(missed))


def sections_of(workspace: Workspace, wanted: Wanted, notices: list[str], missed: list[str]) -> list[Section]:
    """What stands in every prompt, as far as it is for this one; `missed` says what could not be read."""
    sections = standing(
        workspace,
        workspace.settings["agent_name"],
        notices,
        missed,
        group=wanted.group or None,
        latest_episode=wanted.latest_episode,
    )
    return [
        replace(one, text=visible(one.text, one.role, wanted.mine))
        for one in sections
        if one.role != "episode" or is_for(one.text, wanted.mine)
    ]


def snippets_of(
    workspace: Workspace,
    wanted: Wanted,
    shelf: DocumentSync,
    notices: list[str],
    missed: list[str],
    standing_says: str = "",
) -> list[Snippet]:
    """The snippets that the prompt asks for, each as its file says it now. Raises IndexBehind.

    A fact that stands in the prompt already, in `standing_says`, is left out.
    """
    query = query_of(wanted.prompt, workspace.settings["agent_name"])
    most = workspace.settings["context.characters"] or CHARACTERS
    view = shelf.freshen()
    for _ in range(_ATTEMPTS):
        try:
            ranked = _ranked(workspace, wanted, query, view)
        except BrokenIndex as error:
            view = shelf.without_index(f"the search index {error.why}")
            ranked = _ranked(workspace, wanted, query, view)
        found = chosen([one for one in ranked if not _is_said(one, standing_says)], most)
        if all(_is_current(workspace, view, path) for path in {one.path for one in found}):
            break
        view = shelf.freshen()
    said = heard(workspace, wanted.group, view.notices)
    (missed if view.unread else notices).extend(said)
    return found


def _ranked(workspace: Workspace, wanted: Wanted, query: str, view: DocumentView) -> list[Snippet]:
    """Every chunk that may be chosen, best first."""
    reach = Reach(workspace, today=wanted.today, group=wanted.group, mine=wanted.mine, shown=wanted.shown)
    # what only holds a part of a word would get no score
    asked = replace(plain_query(query), as_spelled=wanted.mode == WORDS)
    found: list[Snippet] = []
    for deep in _DEEP if asked.words else ():  # much of what the index names may be in every prompt already
        hits = view.index.query(asked, deep, filters=reach.filters())
        found = reach.snippets(hits)
        if len(found) >= _ENOUGH or len(hits) < deep:
            break
    if wanted.mode == LEXICAL:
        return found
    ranked = rank_snippets(query, found)
    if ranked and ranked[0].score > 0:
        return ranked
    return [] if wanted.shown is not None else rank_snippets("", reach.first(view.stamps))


def _said(sections: Iterable[Section]) -> str:
    return "\n".join(one.text for one in sections)


def _is_said(snippet: Snippet, said: str) -> bool:
    fact = compiled(r"- \[\w+\] ([^\n]+)\Z").search(snippet.text) if snippet.role == "semantic" else None
    return fact is not None and f"**: {fact[1].strip()}\n" in f"{said}\n"


def _is_current(workspace: Workspace, view: DocumentView, path: str) -> bool:
    """Whether a file still is the text that was searched."""
    stamp = view.stamps.get(path)
    try:
        document = workspace.read(PurePosixPath(path))
    except MemtoolError:
        return False
    return document is not None and stamp is not None and document.etag == stamp.etag
